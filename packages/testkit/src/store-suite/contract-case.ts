/** One behaviour of a contract, runnable under any test runner: `run` rejects when the behaviour is not there. */
export interface ContractCase {
  readonly id: string
  readonly title: string
  run(): Promise<void>
}

/** A case that is known not to hold, and why. It turns into a failure on the day the case starts to pass. */
export interface Deviation {
  readonly id: string
  readonly reason: string
  /** Since when, as YYYY-MM. */
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

function deviating({ id, title, run }: ContractCase, { reason }: Deviation): ContractCase {
  return {
    id,
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

/** The line a runner prints above a suite, so that no deviation goes unseen. */
export function describeDeviations(suite: string, deviations: readonly Deviation[]): string {
  const lines = deviations.map(({ id, reason, since }) => `  ${id}: ${reason}${since === undefined ? '' : ` (since ${since})`}`)
  return [`${suite}: ${deviations.length} deviation${deviations.length === 1 ? '' : 's'}`, ...lines].join('\n')
}
