import { StoreError } from '@mnemark/spec'

/** Calls of an open store: closing waits for running ones, and refuses new ones as `closed`. */
export class OpenCalls {
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  #closed: Promise<void> | undefined

  /** Aborts when closing begins: for calls that wait. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Runs a call. Rejects with StoreError `closed` once closing began. */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    this.assertOpen()
    const running = (async () => work())()
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  /** Throws StoreError `closed` once closing began: for work outside `run`, such as a step of an iteration. */
  assertOpen(): void {
    if (this.#closed) throw new StoreError('closed', 'The store is closed.')
  }

  /** Refuses new calls, waits for those in flight, then runs `finish`. Closing twice has no further effect. */
  close(finish: () => void | Promise<void> = () => {}): Promise<void> {
    this.#closed ??= this.#finish(finish)
    return this.#closed
  }

  async #finish(finish: () => void | Promise<void>): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#running)
    await finish()
  }
}
