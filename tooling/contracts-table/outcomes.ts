import { byCase } from './contract-cases.ts'
import type { CaseResult } from './run-contracts.ts'

/** One deviation of one suite, numbered for reference. */
export interface NumberedDeviation {
  readonly number: number
  readonly adapter: string
  readonly suite: string
  readonly id: string
  readonly reason: string
}

/** All suites of an adapter together: the worst of them. */
export type Outcome =
  | { readonly kind: 'holds' }
  | { readonly kind: 'deviates'; readonly numbers: readonly number[] }
  | { readonly kind: 'fails' }
  | { readonly kind: 'not-applicable' }

export interface Outcomes {
  readonly adapters: readonly string[]
  readonly cases: readonly string[]
  readonly deviations: readonly NumberedDeviation[]
  /** Suites by adapter. */
  readonly suites: ReadonlyMap<string, readonly string[]>
  of(id: string, adapter: string): Outcome
}

/** The table of adapters and cases. Cases that came up and are not in `caseIds` are added, so that none is lost. */
export function outcomesOf(results: readonly CaseResult[], adapters: readonly string[], caseIds: readonly string[]): Outcomes {
  const cases = [...new Set([...caseIds, ...results.map(({ id }) => id)])].toSorted(byCase)
  const deviations = numbered(results.toSorted((left, right) => adapters.indexOf(left.adapter) - adapters.indexOf(right.adapter)))
  return {
    adapters,
    cases,
    deviations,
    suites: new Map(
      adapters.map((name) => [name, [...new Set(results.filter(({ adapter }) => adapter === name).map(({ suite }) => suite))]]),
    ),
    of(id, adapter) {
      const own = results.filter((result) => result.id === id && result.adapter === adapter)
      const numbers = deviations.filter((each) => each.id === id && each.adapter === adapter).map(({ number }) => number)
      if (own.some(({ hasPassed }) => !hasPassed)) return { kind: 'fails' }
      if (numbers.length > 0) return { kind: 'deviates', numbers: [...new Set(numbers)] }
      return { kind: own.length > 0 ? 'holds' : 'not-applicable' }
    },
  }
}

/** One number for a case and its reason, however many suites of an adapter have it. */
function numbered(results: readonly CaseResult[]): readonly NumberedDeviation[] {
  const numbers = new Map<string, number>()
  return results.flatMap(({ adapter, suite, id, deviation }) => {
    if (deviation === undefined) return []
    const key = JSON.stringify([adapter, id, deviation])
    numbers.set(key, numbers.get(key) ?? numbers.size + 1)
    return [{ number: numbers.get(key) ?? 0, adapter, suite, id, reason: deviation }]
  })
}

const MARKS = { holds: '✓', fails: '✗', 'not-applicable': '–' } as const

export const markOf = (outcome: Outcome): string =>
  outcome.kind === 'deviates' ? outcome.numbers.map((number) => `[${number}]`).join(' ') : MARKS[outcome.kind]
