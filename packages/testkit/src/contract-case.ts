import { AssertionError } from 'node:assert/strict'
import { inspect } from 'node:util'

/** One behaviour of a contract, runnable under any test runner: `run` rejects when the behaviour is missing. */
export interface ContractCase {
  readonly id: string
  readonly title: string
  /** Time after which a runner should consider it hung; far more than it needs on a busy machine. */
  readonly timeLimitMs: number
  run(): Promise<void>
}

const TIME_LIMIT_MS = 120_000

/** Failure of a case: names the rule, the expected and the actual result. The cause is the inner error. */
export class ContractFailure extends Error {
  override name = 'ContractFailure'
  /** For runners that show a difference. */
  declare readonly expected?: unknown
  declare readonly actual?: unknown

  constructor({ id, title }: Pick<ContractCase, 'id' | 'title'>, cause: unknown) {
    super(`${id}: ${title}.\n${descriptionOf(cause)}`, { cause })
    if (cause instanceof AssertionError && cause.generatedMessage) {
      this.expected = cause.expected
      this.actual = cause.actual
    }
  }
}

function descriptionOf(cause: unknown): string {
  if (!(cause instanceof AssertionError)) return `Expected no error, got ${inspect(cause)}`
  const { message, operator, expected, actual } = cause
  // A failed check has both in its message; a comparison has them unless it was given a sentence.
  if (cause.generatedMessage || operator === 'fail' || operator === undefined) return message
  if (operator === 'rejects' && actual === undefined) return `${message} The call should reject, and succeeded.`
  // Some versions of Node add a difference below the sentence.
  return `${message.split('\n', 1)[0]}\nExpected ${wordFor(operator)}${shown(expected)}, got ${shown(actual)}`
}

const wordFor = (operator: string): string => (operator.startsWith('not') ? 'anything but ' : '')
const shown = (value: unknown): string => inspect(value, { depth: 4, maxArrayLength: 20, maxStringLength: 200 })

/** A case whose failure names its rule. */
export function contractCase(
  { id, title, timeLimitMs = TIME_LIMIT_MS }: Pick<ContractCase, 'id' | 'title'> & { readonly timeLimitMs?: number | undefined },
  run: () => Promise<void>,
): ContractCase {
  return {
    id,
    title,
    timeLimitMs,
    run: async () => {
      try {
        await run()
      } catch (error) {
        throw new ContractFailure({ id, title }, error)
      }
    },
  }
}

/** A case that is known not to hold, and why. It fails as soon as the case passes. */
export interface Deviation {
  readonly id: string
  readonly reason: string
  /** Month of the decision, as YYYY-MM. */
  readonly since?: string
}

/** Throws TypeError for a deviation without a reason or of a case that does not exist. */
export function withDeviations(cases: readonly ContractCase[], deviations: readonly Deviation[]): readonly ContractCase[] {
  for (const { id, reason } of deviations) {
    if (!cases.some((candidate) => candidate.id === id)) throw new TypeError(`Deviation ${id}: there is no such case.`)
    if (reason.trim() === '') throw new TypeError(`Deviation ${id} needs a reason.`)
  }
  return cases.map((candidate) => {
    const deviation = deviations.find(({ id }) => id === candidate.id)
    return deviation ? deviating(candidate, deviation) : candidate
  })
}

function deviating({ id, title, timeLimitMs, run }: ContractCase, { reason }: Deviation): ContractCase {
  return {
    id,
    timeLimitMs,
    title: `deviates (${reason}): ${title}`,
    run: async () => {
      const hasPassed = await run().then(
        () => true,
        () => false,
      )
      if (hasPassed) throw new Error(`Case ${id} passes now: remove its deviation.`)
    },
  }
}

/** The line a runner prints above a suite, so that deviations are visible. */
export function describeDeviations(suite: string, deviations: readonly Deviation[]): string {
  const lines = deviations.map(({ id, reason, since }) => `  ${id}: ${reason}${since === undefined ? '' : ` (since ${since})`}`)
  return [`${suite}: ${deviations.length} deviation${deviations.length === 1 ? '' : 's'}`, ...lines].join('\n')
}
