import type { Degradation, SyncReport } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import { type Remaining, remainingText } from '../index/documents/remaining-notes.ts'
import { type SyncContext, syncDocuments, type TextReport, type TextSyncOptions } from '../index/documents/sync-documents.ts'
import { mergeKeywords } from '../index/merge-keywords.ts'
import { withSnapshot } from '../index/with-snapshot.ts'
import { anySignal } from '../timing/any-signal.ts'
import { failedSourceDegradations, textSyncReport } from './reports.ts'
import { SyncRunner } from './sync-runner.ts'

/** How long a search waits for the index to catch up before it answers from what is there. */
const SEARCH_WAIT_MS = 1_000
/** With nothing to answer from, a search waits for the first pass, however long. */
const FIRST_PASS_WAIT_MS = 86_400_000

/** How far the index is behind, for an answer to say. */
export interface Freshness {
  readonly isStale: boolean
  readonly degraded: readonly Degradation[]
}

export const AS_IT_IS: Freshness = { isStale: false, degraded: [] }

/** Keeps the words of the index in step with the sources, one look at a time, and knows what the last of them has still to do. */
export class IndexFreshness {
  readonly #context: SyncContext
  readonly #closing: AbortSignal
  readonly #runner = new SyncRunner<SyncReport>()
  readonly #merges = new SyncRunner<void>()
  #lastReport: SyncReport | undefined
  /** Looks at all sources that were begun. */
  #looks = 0
  /** Notes the last of them has still to read; undefined until it has listed the sources. */
  #remaining: Remaining | undefined
  #lastFailedSources: TextReport['failedSources'] = []

  /** `closing` stops looks at their next batch. */
  constructor(context: SyncContext, closing: AbortSignal) {
    this.#context = context
    this.#closing = closing
  }

  get lastReport(): SyncReport | undefined {
    return this.#lastReport
  }

  /** Runs a whole sync when the runs before it have ended. */
  run(sync: () => Promise<SyncReport>, signal: AbortSignal | undefined): Promise<SyncReport> {
    return this.#runner.run(sync, signal)
  }

  /** Resolves when nothing queued so far is left. */
  async idle(): Promise<void> {
    await this.#runner.idle()
    await this.#merges.idle()
  }

  /** One look at the sources, or at the documents named, and what came of it. */
  async syncOnce(options: TextSyncOptions): Promise<SyncReport> {
    const started = this.#context.now()
    const text = await syncDocuments(this.#context, { ...options, ...this.#observed(options) })
    this.#lastFailedSources = text.failedSources
    const report = await withSnapshot(this.#context.store, (snapshot) => textSyncReport(snapshot, text, options.isDryRun))
    this.#lastReport = { ...report, ms: this.#context.now() - started }
    return this.#lastReport
  }

  /**
   * Catches up before a search: a short wait, but all of the first pass over an index that has nothing yet. A search that is cancelled
   * meanwhile stops the run, unless others wait for it; one that has answered from what there was lets it go on.
   */
  async freshen(signal: AbortSignal | undefined): Promise<Freshness> {
    const looksBefore = this.#looks
    const leaving = new AbortController()
    const sync = this.#runner.join(
      (givenUp) => this.syncOnce({ reason: 'search', signal: anySignal(givenUp, this.#closing) }),
      leaving.signal,
    )
    const outcome = sync.then(
      () => ({ isStale: false, degraded: failedSourceDegradations(this.#lastFailedSources) }),
      (error: unknown) => staleBecause(error),
    )
    outcome.catch(() => {})
    sync.then(() => this.#mergeLater()).catch(() => {})
    const waiting = new AbortController()
    const stop = anySignal(signal, waiting.signal)
    try {
      const waitMs = (await this.isEmpty()) ? FIRST_PASS_WAIT_MS : SEARCH_WAIT_MS
      const tooLate = this.#context.sleep(waitMs, stop).then(() => this.#staleSoFar(looksBefore))
      tooLate.catch(() => {})
      return await Promise.race([outcome, tooLate])
    } finally {
      waiting.abort()
      if (signal?.aborted) leaving.abort(signal.reason)
      signal?.throwIfAborted()
    }
  }

  /** A search that does not look still knows what a sync of this process has to do. */
  asLastSeen(): Freshness {
    const remaining = this.#remaining && remainingText(this.#remaining)
    return remaining ? stale(`The index is still catching up: ${remaining}.`) : AS_IT_IS
  }

  async isEmpty(): Promise<boolean> {
    return withSnapshot(this.#context.store, async (snapshot) => (await snapshot.counts()).documents === 0)
  }

  /** A look at everything that is meant to end in the index tells searches how far it is. */
  #observed({ isDryRun, paths }: TextSyncOptions): Pick<TextSyncOptions, 'onListed'> {
    if (isDryRun || paths) return {}
    this.#looks += 1
    this.#remaining = undefined
    return {
      onListed: (remaining) => {
        this.#remaining = remaining
      },
    }
  }

  /** Where a look that began after the question found nothing to do, the answer is as good as after the end of the sync. */
  #staleSoFar(looksBefore: number): Freshness {
    const remaining = this.#remaining && remainingText(this.#remaining)
    if (remaining) return stale(`The index is still catching up: ${remaining}.`)
    return this.#remaining && this.#looks > looksBefore
      ? { isStale: false, degraded: failedSourceDegradations(this.#remaining.failedSources) }
      : stale('The look at the files was not finished, so what changed of late may be missing.')
  }

  /** Beside the queue of syncs, so that the next search need not wait for a merge to know that nothing changed. */
  #mergeLater(): void {
    const signal = this.#closing
    const report = this.#lastReport
    if (signal.aborted || !report || report.indexed + report.removed === 0) return
    this.#merges
      .join(() => mergeKeywords(this.#context, { signal }))
      .catch(() => {
        // Nothing is lost: the segments stay as they are, and the next sync merges them.
      })
  }
}

function staleBecause(error: unknown): Freshness {
  if (StoreError.isInstance(error) && error.code === 'corrupt') throw error
  return stale(`The index could not be brought up to date: ${error instanceof Error ? error.message : String(error)}`)
}

function stale(cause: string): Freshness {
  return { isStale: true, degraded: [{ code: 'stale', message: `${cause} This answer comes from what was indexed before.` }] }
}
