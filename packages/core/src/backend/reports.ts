import type {
  BackendStatus,
  Degradation,
  MemoryStore,
  SearchReply,
  SkippedDocument,
  StoreSnapshot,
  SyncReport,
} from '@mnemark/spec'
import { isOpen } from '../embed/batch/job-record.ts'
import { isStillFailed, readFailed } from '../index/documents/failed-documents.ts'
import { listSources } from '../index/documents/list-sources.ts'
import { recipesOf } from '../index/documents/recipe.ts'
import { type Remaining, RemainingNotes, remainingText } from '../index/documents/remaining-notes.ts'
import type { SyncContext, TextReport } from '../index/documents/sync-documents.ts'
import type { FillReport } from '../index/vectors/fill-options.ts'
import { createYielder } from '../timing/yield-to-event-loop.ts'
import type { MemoryReranker } from './memory-reranker.ts'
import type { MemoryVectors } from './memory-vectors.ts'

/** Name of this backend in replies and in the status. */
export const BACKEND_NAME = 'builtin'
/** Files named as left out, where nothing is indexed. */
const MOST_SHOWN_SKIPPED = 5

/** Report of a sync before anything is embedded: its changes to the words of the index, and what the index holds now. */
export async function textSyncReport(
  snapshot: StoreSnapshot,
  { failedSources, ...text }: TextReport,
  isDryRun: boolean | undefined,
): Promise<Omit<SyncReport, 'ms'>> {
  const counts = await snapshot.counts()
  return {
    ...text,
    failed: text.failed.map(({ source, path, part, reason }) => ({
      source,
      path,
      ...(part !== undefined && { part }),
      reason,
    })),
    chunks: isDryRun ? text.chunks : counts.chunks,
    vectors: await snapshot.spaces(),
    tokens: 0,
    degraded: failedSourceDegradations(failedSources),
    isComplete: failedSources.length === 0,
  }
}

/** The report of a sync together with what was embedded, or would be. */
export function withVectors(
  text: SyncReport,
  { tokens, usd, degraded, notes, retryAtMs, usdByBatch }: FillReport & { readonly usdByBatch?: number },
  vectors: SyncReport['vectors'],
): SyncReport {
  return {
    ...text,
    vectors,
    tokens,
    ...(usd !== undefined && { usd }),
    ...(usdByBatch !== undefined && { usdByBatch }),
    ...(notes.length > 0 && { notes }),
    ...(retryAtMs !== undefined && { retryAtMs }),
    degraded: [...text.degraded, ...degraded],
    isComplete: text.isComplete && degraded.length === 0,
  }
}

/** Looks at the sources, and says how the index differs from them. */
export async function statusReport(
  snapshot: StoreSnapshot,
  context: SyncContext,
  {
    vectors,
    reranker,
    signal,
  }: { readonly vectors: MemoryVectors; readonly reranker: MemoryReranker | undefined; readonly signal: AbortSignal },
): Promise<BackendStatus> {
  const failed = await readFailed(context.store)
  const listing = await listSources(context.sources, snapshot, {
    signal,
    recipeOf: recipesOf(context),
    dateOrder: context.dateOrder,
    known: context.known,
    yieldToEventLoop: createYielder(context, signal),
  })
  const changed = listing.changed.filter((stat) => !isStillFailed(failed, stat))
  const skipped: SkippedDocument[] = [
    ...listing.skipped,
    ...[...failed.values()].map(({ reason, ...document }) => ({ ...document, skipped: reason })),
  ]
  const counts = await snapshot.counts()
  const remaining = new RemainingNotes(listing, changed)
  return {
    backend: BACKEND_NAME,
    // Whether a source that could not be listed has changed is not known, and not known is not up to date.
    isDirty: changed.length + listing.removed.length + listing.failedSources.length > 0,
    ...counts,
    spaces: await vectors.coverage(snapshot),
    degraded: [
      ...failedSourceDegradations(listing.failedSources),
      // An index that has nothing yet need not say so.
      ...(counts.documents > 0 ? missingDegradation(remaining) : []),
    ],
    details: {
      skipped,
      listed: remaining.listed,
      missing: remaining.missing,
      changed: changed.length,
      removed: listing.removed.length,
      keywordSegments: (await snapshot.segments()).length,
      requestedProvider: vectors.requestedProvider,
      chain: await vectors.describe(),
      ...(reranker && { reranker: reranker.describe() }),
      jobs: await jobCounts(context.store),
    },
  }
}

/** Batch jobs at services, and their texts. */
async function jobCounts(store: MemoryStore): Promise<Readonly<Record<string, number>>> {
  const open = (await store.jobs.list()).filter((job) => isOpen(job) && job.inputs.length > 0)
  return {
    open: open.length,
    inputs: open.reduce((sum, { inputs }) => sum + inputs.length, 0),
    unknown: open.filter(({ state }) => state === 'unknown').length,
  }
}

/** Nothing can be found where nothing is indexed: says what was looked at. Where that failed, nobody knows what is there. */
export async function withEmptiness<Reply extends Pick<SearchReply, 'degraded'>>(
  snapshot: StoreSnapshot,
  reply: Reply,
  skipped: SyncReport['skipped'],
): Promise<Reply> {
  if (reply.degraded.some(({ code }) => code === 'source-failed') || (await snapshot.counts()).documents > 0) return reply
  const { shownName } = await import('../query/near-names.ts')
  const shown = skipped.slice(0, MOST_SHOWN_SKIPPED).map(({ path, skipped: reason }) => `${shownName(path)} (${reason})`)
  const rest = skipped.length > shown.length ? ` and ${skipped.length - shown.length} more` : ''
  const there = shown.length === 0 ? '' : ` Left out: ${shown.join(', ')}${rest}.`
  const message = `Nothing is indexed: no notes were found where they are looked for.${there}`
  return {
    ...reply,
    degraded: [...reply.degraded.filter(({ code }) => code !== 'filter-unmatched'), { code: 'nothing-indexed', message }],
  }
}

export function failedSourceDegradations(failed: TextReport['failedSources']): readonly Degradation[] {
  return failed.map(({ source, reason }) => ({
    code: 'source-failed',
    message: `Source ${source} could not be listed whole, so what is missing from it stays in the index. ${reason}`,
  }))
}

function missingDegradation({ listed, missing }: Pick<Remaining, 'listed' | 'missing'>): readonly Degradation[] {
  const message = remainingText({ listed, missing, outdated: 0, removed: 0 })
  return message === null ? [] : [{ code: 'stale', message: `${message}; the next sync reads what is missing.` }]
}
