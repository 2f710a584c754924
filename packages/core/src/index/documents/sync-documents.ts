import type {
  Annotator,
  ChangeSet,
  DocumentContent,
  DocumentId,
  DocumentSource,
  DocumentStat,
  Lease,
  MemoryStore,
  NewChunk,
  SkippedDocument,
  StoredDocument,
  SyncOptions,
  SyncProgress,
} from '@mnemark/spec'
import { documentKey, StoreError } from '@mnemark/spec'
import type { CheckedChunkSettings } from '../../chunk/chunk-settings.ts'
import type { DateOrder } from '../../dates/forms/date-matcher.ts'
import { recipeInOrder } from './date-orders.ts'
import { encodeFailed, type FailedDocument, isStillFailed, readFailed } from './failed-documents.ts'
import type { KnownDocuments } from './known-documents.ts'
import { type Listing, listSources } from './list-sources.ts'
import type { PreparedDocument, Preparation } from './prepare-document.ts'
import { createYielder } from '../../timing/yield-to-event-loop.ts'
import { differInAnnotators, recipeOfCopy, recipesOf } from './recipe.ts'
import { RemainingNotes } from './remaining-notes.ts'
import { withLease, withWriteLease } from '../with-lease.ts'
import { withSnapshot } from '../with-snapshot.ts'
import { SegmentBuilder } from '../../keywords/build/segment-builder.ts'

export interface SyncContext {
  readonly store: MemoryStore
  readonly sources: readonly DocumentSource[]
  readonly annotators: readonly Annotator[]
  readonly chunking: CheckedChunkSettings
  /** Order of `03/04/2026` everywhere; without it, folders use the order that their names prove. */
  readonly dateOrder?: DateOrder | undefined
  readonly known: KnownDocuments
  readonly now: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

export interface TextSyncOptions extends SyncOptions {
  /** Called for every document that is written, or would be in a dry run. */
  readonly onPrepared?: ((prepared: PreparedDocument) => void) | undefined
  /**
   * Called once with the result of the look at the sources, before anything is read; the counts go on as documents are
   * written.
   */
  readonly onListed?: ((remaining: RemainingNotes) => void) | undefined
}

/** Result of a sync of the text side of the index. */
export interface TextReport {
  readonly total: number
  readonly indexed: number
  readonly unchanged: number
  readonly removed: number
  readonly skipped: readonly SkippedDocument[]
  readonly failed: readonly FailedDocument[]
  readonly failedSources: readonly { readonly source: string; readonly reason: string }[]
  /** Chunks that were or, in a dry run, would be written. */
  readonly chunks: number
}

/** Limits of a batch, which is one transaction and one segment. */
const BATCH_CHARACTERS = 4_000_000
const BATCH_DOCUMENTS = 1_000
/** A batch is written after this time, however small: including the write, a killed process loses two seconds of work at most. */
const BATCH_MS = 1_000
/** How long an aborted sync waits for another writer before it drops its last batch. */
const LAST_BATCH_WAIT_MS = 1_000
interface Batch {
  readonly put: PreparedDocument[]
  readonly touch: ChangeSet['touch'][number][]
  readonly remove: DocumentId[]
  characters: number
  /** Time at which its first document was requested. */
  readonly sinceMs: number
}

function emptyBatch(nowMs: number): Batch {
  return { put: [], touch: [], remove: [], characters: 0, sinceMs: nowMs }
}

type Writing = (work: (lease: Lease) => Promise<void>) => Promise<unknown>

/** Cannot be aborted: the documents read are worth the moment it takes to write them. */
async function commit(context: SyncContext, batch: Batch, writing: Writing): Promise<void> {
  if (batch.put.length + batch.touch.length + batch.remove.length === 0) return
  const builder = new SegmentBuilder()
  const yieldToEventLoop = createYielder(context)
  const chunks: NewChunk[] = []
  for (const document of batch.put) {
    for (const { chunk, keywords } of document.chunks) {
      builder.add(keywords)
      chunks.push(chunk)
    }
    await yieldToEventLoop()
  }
  const place = builder.encode()
  await writing((lease) =>
    context.store.apply(lease, {
      put: batch.put.map(({ document, chunks: own }) => ({ document, chunks: own.map(({ chunk }) => chunk) })),
      touch: batch.touch,
      remove: batch.remove,
      segments: (ids, removed) => {
        const placed = chunks.map((chunk) => ids.get(chunk) ?? 0)
        const id = placed[0] !== undefined ? `s${placed[0]}` : `t${removed[0]}`
        return placed.length + removed.length > 0 ? [place(id, placed, removed)] : []
      },
    }),
  )
  if (batch.touch.length > 0) context.known.forget()
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it could not be read'
}

function hasVanished(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
}

function asCopy(content: DocumentContent): DocumentContent {
  const { attributes } = content
  return { ...content, attributes: { ...attributes, marks: [...(attributes?.marks ?? []), 'copy'] } }
}

/** One run over all sources: reads changed documents and commits them in batches, each whole. */
class TextSync {
  readonly #context: SyncContext
  readonly #options: TextSyncOptions
  readonly #preparation: Omit<Preparation, 'recipe'>
  readonly #recipeOf: (path: string) => string
  readonly #yieldToEventLoop: () => Promise<void>
  readonly #failed: FailedDocument[] = []
  #batch: Batch
  #remaining: RemainingNotes | undefined
  #indexed = 0
  #removed = 0
  #vanished = 0
  #chunks = 0

  constructor(context: SyncContext, options: TextSyncOptions) {
    this.#context = context
    this.#options = options
    this.#batch = emptyBatch(context.now())
    this.#recipeOf = recipesOf(context)
    this.#preparation = {
      dateOrder: context.dateOrder,
      chunking: context.chunking,
      annotators: context.annotators,
    }
    this.#yieldToEventLoop = createYielder(context, options.signal)
  }

  async run(): Promise<TextReport> {
    const before = await readFailed(this.#context.store)
    const listing = await this.#list()
    const todo = this.#isInPassing ? listing.changed.filter((stat) => !this.#keepFailure(before, stat)) : listing.changed
    this.#remaining = new RemainingNotes(listing, todo)
    this.#options.onListed?.(this.#remaining)
    await this.#readAll(todo, listing)
    // Removals come last, so that a renamed note is never missing in between.
    this.#batch.remove.push(...listing.removed)
    this.#removed += listing.removed.length
    await this.#flush()
    await this.#rememberFailures(before)
    return {
      total: listing.listed.length - this.#vanished,
      indexed: this.#indexed,
      unchanged: listing.listed.length - this.#vanished - this.#indexed - this.#failed.length,
      removed: this.#removed,
      skipped: listing.skipped,
      failed: this.#failed,
      failedSources: listing.failedSources,
      chunks: this.#chunks,
    }
  }

  async #readAll(todo: readonly DocumentStat[], listing: Listing): Promise<void> {
    this.#report('text', 0, todo.length)
    this.#batch = emptyBatch(this.#context.now())
    try {
      for (const [done, stat] of todo.entries()) {
        await this.#readOne(stat, listing)
        if (this.#isBatchFull) await this.#flush()
        this.#report('text', done + 1, todo.length)
        await this.#yieldToEventLoop()
      }
    } catch (error) {
      if (this.#options.signal?.aborted) await this.#keepLastBatch()
      throw error
    }
  }

  /** A search or a watcher's full look does not retry earlier failures; a requested sync does: the cause may be gone. */
  get #isInPassing(): boolean {
    const { force, reason, paths } = this.#options
    return force !== true && (reason === 'search' || (reason === 'watch' && paths === undefined))
  }

  async #list(): Promise<Listing> {
    const { signal, force, paths } = this.#options
    this.#report('list', 0, null)
    return withSnapshot(this.#context.store, (snapshot) =>
      listSources(this.#context.sources, snapshot, {
        known: this.#context.known,
        signal,
        force,
        paths,
        recipeOf: this.#recipeOf,
        dateOrder: this.#context.dateOrder,
        yieldToEventLoop: this.#yieldToEventLoop,
      }),
    )
  }

  #keepFailure(before: ReadonlyMap<string, FailedDocument>, stat: DocumentStat): boolean {
    const known = before.get(documentKey(stat))
    if (!known || !isStillFailed(before, stat)) return false
    this.#failed.push(known)
    return true
  }

  async #readOne(stat: DocumentStat, listing: Listing): Promise<void> {
    this.#options.signal?.throwIfAborted()
    const source = this.#context.sources.find(({ id }) => id === stat.source)
    const stored = listing.known.get(documentKey(stat))
    try {
      const content = await source?.read(stat, { signal: this.#options.signal })
      if (!content) return
      // Loaded with the first changed document: a search that finds the index fresh needs neither YAML nor the chunker.
      const { prepareDocument } = await import('./prepare-document.ts')
      for (const annotator of this.#context.annotators) await annotator.load?.()
      const isCopy = listing.copies.has(documentKey(stat))
      const order = listing.orderOf(stat)
      const { dateOrder = order } = this.#preparation
      const own = this.#recipeOf(stat.path)
      const recipe = isCopy ? recipeOfCopy(own) : own
      const prepared = prepareDocument(stat, isCopy ? asCopy(content) : content, {
        ...this.#preparation,
        dateOrder,
        recipe: recipeInOrder(recipe, order),
      })
      const isEqual = stored !== undefined && !this.#options.force && (await this.#isEqual(prepared, stored))
      if (isEqual) this.#touch({ ...stat, recipe: prepared.document.recipe })
      else this.#put(prepared)
    } catch (error) {
      this.#options.signal?.throwIfAborted()
      if (StoreError.isInstance(error)) throw error
      if (hasVanished(error)) this.#forget(stat, stored !== undefined)
      else this.#failed.push({ ...stat, reason: reasonOf(error) })
      this.#remaining?.done([stat])
    }
  }

  /** Same content and recipe; or another version of an annotator, which gave the same chunks. */
  async #isEqual(prepared: PreparedDocument, stored: StoredDocument): Promise<boolean> {
    const { contentHash, recipe } = prepared.document
    if (contentHash !== stored.contentHash) return false
    if (recipe === stored.recipe) return true
    if (!differInAnnotators(recipe, stored.recipe)) return false
    const { isSameIndex } = await import('./same-index.ts')
    return withSnapshot(this.#context.store, async (snapshot) => isSameIndex(prepared, stored, await snapshot.chunksOf(stored)))
  }

  #touch(stat: ChangeSet['touch'][number]): void {
    this.#batch.touch.push(stat)
  }

  #forget(stat: DocumentStat, isStored: boolean): void {
    this.#vanished += 1
    if (!isStored) return
    this.#batch.remove.push(stat)
    this.#removed += 1
  }

  #put(prepared: PreparedDocument): void {
    this.#options.onPrepared?.(prepared)
    this.#batch.put.push(prepared)
    this.#batch.characters += prepared.characters
    this.#indexed += 1
    this.#chunks += prepared.chunks.length
  }

  get #isBatchFull(): boolean {
    const { characters, put, touch, sinceMs } = this.#batch
    const isLate = this.#context.now() - sinceMs >= BATCH_MS
    return isLate || characters >= BATCH_CHARACTERS || put.length + touch.length >= BATCH_DOCUMENTS
  }

  async #flush(): Promise<void> {
    await this.#write((work) => withWriteLease(this.#context, this.#options.signal, work))
  }

  /** Writes the documents that an aborted sync has read already, unless another process is writing. */
  async #keepLastBatch(): Promise<void> {
    const lease = { name: 'write', waitMs: LAST_BATCH_WAIT_MS } as const
    await this.#write((work) => withLease(this.#context, lease, work)).catch(() => {
      // The caller gets the abort reason, and the next sync reads these notes again.
    })
  }

  async #write(writing: Writing): Promise<void> {
    const batch = this.#batch
    if (!this.#options.isDryRun) await commit(this.#context, batch, writing)
    this.#remaining?.done([...batch.put.map(({ document }) => document), ...batch.touch])
    this.#batch = emptyBatch(this.#context.now())
  }

  async #rememberFailures(before: ReadonlyMap<string, FailedDocument>): Promise<void> {
    const looked = this.#options.paths && new Set(this.#options.paths.map(documentKey))
    const kept = looked ? [...before].filter(([id]) => !looked.has(id)).map(([, document]) => document) : []
    const { key, value } = encodeFailed([...kept, ...this.#failed])
    if (this.#options.isDryRun || value === encodeFailed(before.values()).value) return
    await withWriteLease(this.#context, this.#options.signal, (lease) => this.#context.store.settings.set(lease, key, value))
  }

  #report(phase: SyncProgress['phase'], done: number, total: number | null): void {
    this.#options.onProgress?.({ phase, done, total })
  }
}

/** Brings the text side of the index up to date. Rejects when the store fails or the signal aborts; a bad document never ends it. */
export function syncDocuments(context: SyncContext, options: TextSyncOptions = {}): Promise<TextReport> {
  return new TextSync(context, options).run()
}
