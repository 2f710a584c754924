import { readDayArgument } from '@mnemark/core/dates'
import { ConfigError } from '@mnemark/spec'
import type { RecalledKind, RecallQuery } from './recall-reply.ts'

export const RECALLED_KINDS: readonly RecalledKind[] = ['world', 'experience', 'opinion', 'observation', 'note']
const DEFAULT_LIMIT = 8
const MOST_FACTS = 100
const DEFAULT_TOKENS = 1_200
const MOST_TOKENS = 1_000_000

/** A query with its days as YYYY-MM-DD and its defaults. */
export interface RecallSettings {
  readonly text: string
  readonly limit: number
  readonly budgetTokens: number
  readonly since?: string
  readonly until?: string
  readonly asOf?: string
  readonly knownOn?: string
  readonly entities: readonly string[]
  readonly kinds?: ReadonlySet<RecalledKind>
  readonly withHistory: boolean
}

/** Throws ConfigError `invalid-value` that names the member, its value and what is allowed. */
export function recallSettings(query: RecallQuery, clock: { readonly nowMs: number; readonly timeZone: string }): RecallSettings {
  const { limit = DEFAULT_LIMIT, budgetTokens = DEFAULT_TOKENS, kinds, entities = [], withHistory = false } = query
  whole('limit', limit, 1, MOST_FACTS)
  whole('budgetTokens', budgetTokens, 0, MOST_TOKENS)
  const unknown = kinds?.find((kind) => !RECALLED_KINDS.includes(kind))
  if (unknown !== undefined) throw invalid('kinds', unknown, RECALLED_KINDS.join(', '))
  const day = (name: 'since' | 'until' | 'asOf' | 'knownOn'): string | undefined => {
    const given = query[name]
    if (given === undefined || given.trim() === '') return undefined
    const read = readDayArgument(given, name === 'since' ? 'first' : 'last', clock)
    if (read === undefined) throw invalid(name, given, 'YYYY-MM-DD, a month, a year, 7d, 2w, 3m, or words such as "yesterday"')
    return read
  }
  const [since, until, asOf, knownOn] = [day('since'), day('until'), day('asOf'), day('knownOn')]
  if (since !== undefined && until !== undefined && since > until)
    throw invalid('since', since, `a day not after until, ${until}`)
  return {
    text: query.text,
    limit,
    budgetTokens,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(asOf !== undefined && { asOf }),
    ...(knownOn !== undefined && { knownOn }),
    entities: entities.map((name) => name.trim()).filter((name) => name !== ''),
    ...(kinds !== undefined && kinds.length > 0 && { kinds: new Set(kinds) }),
    withHistory,
  }
}

function whole(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw invalid(name, value, `a whole number from ${least} to ${most}`)
}

function invalid(name: string, value: unknown, allowed: string): ConfigError {
  return new ConfigError('invalid-value', `${name}: expected ${allowed}, got ${JSON.stringify(value)}`)
}
