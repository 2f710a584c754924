import { ConfigError } from '@mnemark/spec'

/** Several faults of one configuration. */
class ConfigFaults extends ConfigError {
  readonly all: readonly ConfigError[]

  constructor(first: ConfigError, others: readonly ConfigError[]) {
    const all = [first, ...others]
    super(first.code, listed(all.map(({ message }) => message)))
    this.all = all
  }
}

/** Collects the faults of a configuration, so that all are reported at once. */
export class FaultList {
  readonly #faults: ConfigError[] = []

  /** Runs `work`; returns undefined if it found a fault. */
  attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      if (!ConfigError.isInstance(error)) throw error
      this.#faults.push(...(error instanceof ConfigFaults ? error.all : [error]))
      return undefined
    }
  }

  /** Throws the collected faults, a single one unchanged; `remarks` are reported with them. */
  throwAny(remarks: readonly string[] = []): void {
    const [first, ...others] = this.#faults
    if (first === undefined) return
    const more = [...others, ...remarks.map((remark) => new ConfigError('unknown-key', remark))]
    throw more.length === 0 ? first : new ConfigFaults(first, more)
  }
}

/** One fault on the same line, several on lines of their own. */
export function listed(faults: readonly string[]): string {
  return faults.length === 1 ? (faults[0] ?? '') : `${faults.length} faults\n${faults.map((fault) => `  - ${fault}`).join('\n')}`
}
