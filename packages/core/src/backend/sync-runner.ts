/** Runs one job at a time. A caller that only needs "a run that began after now" shares the next one that is still waiting. */
export class SyncRunner<Result> {
  #last: Promise<unknown> = Promise.resolve()
  #waiting: Promise<Result> | undefined

  /** Queues a run of its own. A caller that gives up while others run is not kept waiting for them. */
  run(job: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const turn = this.#last
    const result = turn.then(job)
    this.#last = result.catch(() => {})
    return signal === undefined ? result : orAborted(turn, signal).then(() => result)
  }

  /** Joins the run that has not begun, else queues one. */
  join(job: () => Promise<Result>): Promise<Result> {
    this.#waiting ??= this.run(() => {
      this.#waiting = undefined
      return job()
    })
    return this.#waiting
  }

  /** Resolves when nothing queued so far is left. */
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
