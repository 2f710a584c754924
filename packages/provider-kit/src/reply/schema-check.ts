import type { JsonSchema } from '@mnemark/spec'
import type { OutputUnit, Schema } from '@cfworker/json-schema'
import { failureError } from '../failure/service-failure.ts'
import { requireBounded, type SchemaParts } from './bounded-schema.ts'

/** Throws a `bad-response` for a text that is not JSON, or JSON of another form. */
export type CheckAnswer = (text: string) => void

/**
 * Makes the check of answers against a schema. Throws `invalid-input` for a schema that cannot be checked: one with a reference that
 * leads out of it, nowhere, or round in a circle, with a pattern that is no regular expression, or one that is no JSON.
 */
export async function schemaCheck(given: JsonSchema): Promise<CheckAnswer> {
  // Loaded here because embeddings, which share this package, need none of it.
  const { dereference, Validator } = await import('@cfworker/json-schema')
  const readable = (): Schema => {
    // A copy of what is sent, because the library writes into what it reads.
    const schema: Schema = JSON.parse(JSON.stringify(given))
    checkParts(dereference(schema))
    return schema
  }
  const validator = new Validator(checkable(readable), '2020-12')
  return (text) => {
    const { valid, errors } = validator.validate(parsed(text))
    if (!valid) throw unfit(errors)
  }
}

function checkable(read: () => Schema): Schema {
  try {
    return read()
  } catch (error) {
    throw failureError(
      {
        code: 'invalid-input',
        summary: 'the schema cannot be checked',
        nextStep: 'Use JSON Schema whose $ref point within it, not in a circle, and whose patterns are regular expressions.',
      },
      error,
    )
  }
}

function checkParts(parts: SchemaParts): void {
  for (const part of Object.values(parts)) {
    if (typeof part === 'boolean') continue
    const target = part.__absolute_ref__
    if (target !== undefined && parts[target] === undefined) throw new Error('a $ref leads nowhere')
    const patterns = [...(part.pattern === undefined ? [] : [part.pattern]), ...Object.keys(part.patternProperties ?? {})]
    for (const pattern of patterns) RegExp(pattern, 'u')
  }
  requireBounded(parts)
}

const ASK_AGAIN = 'Ask again, or choose a model or a mode that holds to schemas.'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message of the parser repeats the answer.
    throw failureError({
      code: 'bad-response',
      summary: 'the answer is not JSON, which a schema asks for',
      nextStep: ASK_AGAIN,
    })
  }
}

/** Names the rule of the schema that is not kept, and shows nothing of the answer, which may repeat a note. */
function unfit(errors: readonly OutputUnit[]): Error {
  // For a rule that is `false`, `keywordLocation` of the library is the place in the answer, which is not shown.
  const rule = errors.findLast(({ keyword }) => keyword !== 'false')?.keywordLocation ?? '#'
  return failureError({
    code: 'bad-response',
    summary: `the answer does not fit the schema at ${rule}`,
    nextStep: ASK_AGAIN,
  })
}
