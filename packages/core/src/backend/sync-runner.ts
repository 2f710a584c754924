/** Runs one job at a time. A caller that only needs "a run that began after now" shares the next one that is still waiting. */
export class SyncRunner<Result> {
  #last: Promise<unknown> = Promise.resolve()
  #waiting: Promise<Result> | undefined

  /** Queues a run of its own. */
  run(job: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(job)
    this.#last = result.catch(() => {})
    return result
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
