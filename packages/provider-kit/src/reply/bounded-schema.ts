import type { Schema } from '@cfworker/json-schema'

type Part = Schema | boolean
/** The parts of a schema by their address, as `dereference` lists them. */
export type SchemaParts = Readonly<Record<string, Part>>

/** The most rules that one value may be held to. Schemas as people write them have dozens. */
const MOST_RULES = 10_000

/**
 * Throws for a schema that could be checked without end, or nearly so: parts that lead back into themselves at the same value, or
 * that together hold one value to more than 10,000 rules, as references that each double the next one do.
 */
export function requireBounded(parts: SchemaParts): void {
  const rules = new Map<Part, number>()
  const count = (part: Part): number => {
    const known = rules.get(part)
    if (known !== undefined) return known
    // Stands until the part is counted, so that a way back into it is over the limit.
    rules.set(part, Infinity)
    const sum = atSameValue(part, parts).reduce((total, next) => total + count(next), 1)
    if (sum > MOST_RULES) throw new Error('a value would be held to too many rules')
    rules.set(part, sum)
    return sum
  }
  for (const part of Object.values(parts)) count(part)
}

/** The parts that judge the very value that this part judges, and not one within it. */
function atSameValue(part: Part, parts: SchemaParts): readonly Part[] {
  if (typeof part === 'boolean') return []
  const { allOf = [], anyOf = [], oneOf = [], dependentSchemas = {}, __absolute_ref__: target } = part
  const single = [part.not, part.if, part.then, part.else, target === undefined ? undefined : parts[target]]
  return [...allOf, ...anyOf, ...oneOf, ...Object.values(dependentSchemas), ...single].filter((next) => next !== undefined)
}
