/** A run that has not begun, and its waiting callers. */
interface SharedRun<Result> {
  readonly result: Promise<Result>
  readonly givenUp: AbortController
  waiting: number
}

/**
 * Runs one job at a time. A caller that only needs a run that begins after its call shares the next one that is still
 * waiting.
 */
export class SyncRunner<Result> {
  #last: Promise<unknown> = Promise.resolve()
  #shared: SharedRun<Result> | undefined

  /** Queues a separate run. A caller that gives up while others run is not kept waiting for them. */
  run(job: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const turn = this.#last
    const result = turn.then(job)
    this.#last = result.catch(() => {})
    return signal === undefined ? result : orAborted(turn, signal).then(() => result)
  }

  /**
   * Joins the run that has not begun, else queues one. The job's own signal aborts when every caller that joined has
   * given up by its own; a caller without a signal never gives up.
   */
  join(job: (givenUp: AbortSignal) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.#shared === undefined || this.#shared.givenUp.signal.aborted) this.#shared = this.#share(job)
    const shared = this.#shared
    shared.waiting += 1
    const leave = (): void => {
      shared.waiting -= 1
      if (shared.waiting === 0) shared.givenUp.abort(signal?.reason)
    }
    if (signal?.aborted) leave()
    else signal?.addEventListener('abort', leave, { once: true })
    return shared.result
  }

  #share(job: (givenUp: AbortSignal) => Promise<Result>): SharedRun<Result> {
    const givenUp = new AbortController()
    const result = this.run(async () => {
      if (this.#shared === shared) this.#shared = undefined
      givenUp.signal.throwIfAborted()
      return job(givenUp.signal)
    })
    const shared: SharedRun<Result> = { result, givenUp, waiting: 0 }
    return shared
  }

  /** Resolves when everything queued so far has ended. */
  async idle(): Promise<void> {
    await this.#last
  }
}

function orAborted(turn: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    void turn.then(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
  })
}
