import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { EXIT } from '../exit-code.ts'
import { CommandError } from '../failure.ts'
import type { Place, Question } from './question.ts'
import { scriptOf } from './script-of.ts'

const FORM = '[{ question: "where is the router?", gold: ["MEMORY.md", "memory/2026-03-14.md#L12-L20"] }]'

const entry = v.object({
  question: v.pipe(v.string('a text'), v.trim(), v.minLength(1, 'a text')),
  gold: v.union([v.string(), v.array(v.string())], 'the path or citation of a note, or a list of them'),
  language: v.exactOptional(v.string('a text')),
})
const schema = v.pipe(v.array(entry, 'a list'), v.minLength(1, 'at least one question'))

/** Reads a JSON5 list of questions. Throws CommandError naming the wrong one. */
export async function readQuestions(file: string): Promise<readonly Question[]> {
  const parsed = v.safeParse(schema, await readJson5(file))
  if (!parsed.success) {
    const { path, message, received } = parsed.issues[0]
    const place = (path ?? []).map(({ key }) => String(key)).join('.') || 'the file'
    throw wrongFile(`${file}: ${place} is ${received === 'undefined' ? 'missing' : `not ${message}`}`)
  }
  return parsed.output.map(({ question, gold, language }) => ({
    text: question,
    from: 'given',
    language: language ?? scriptOf(question),
    gold: [gold].flat().map(readPlace),
  }))
}

async function readJson5(file: string): Promise<unknown> {
  const { default: json5 } = await import('json5')
  try {
    return json5.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'it is not JSON5'
    throw wrongFile(`${file} cannot be read: ${reason}`)
  }
}

function wrongFile(message: string): CommandError {
  return new CommandError('bad-questions', message, { exitCode: EXIT.usage, next: `The form is ${FORM}` })
}

/** PATH, PATH#L12 or PATH#L12-L20. */
function readPlace(citation: string): Place {
  const match = /^(.+)#L(\d+)(?:-L(\d+))?$/s.exec(citation)
  const first = Number(match?.[2])
  return match?.[1] === undefined ? { path: citation } : { path: match[1], lines: [first, Number(match[3] ?? first)] }
}
