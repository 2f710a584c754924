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

/** The faults of a configuration, gathered so that all of them are told at once. */
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

  /** Throws what was gathered, a single fault as it is; `remarks` beside faults are told with them. */
  throwAny(remarks: readonly string[] = []): void {
    const [first, ...others] = this.#faults
    if (first === undefined) return
    const more = [...others, ...remarks.map((remark) => new ConfigError('unknown-key', remark))]
    throw more.length === 0 ? first : new ConfigFaults(first, more)
  }
}

/** One fault in the line, several in lines of their own. */
export function listed(faults: readonly string[]): string {
  return faults.length === 1 ? (faults[0] ?? '') : `${faults.length} faults\n${faults.map((fault) => `  - ${fault}`).join('\n')}`
}
