import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BackendError } from '@mnemark/spec'
import { compareListings, type Listing, type ListingDifference, listFiles } from '../collections/list-files.ts'
import type { QmdCollection } from '../collections/qmd-collection.ts'
import { isFolder, NOTHING, registerCollections } from '../collections/register-collections.ts'
import { type Environment, prepareHome, type QmdHome } from '../home.ts'
import type { UpdateCounts } from '../parse/parse-reports.ts'
import type { QmdProgram, SearchMode } from '../program/qmd-program.ts'
import { modelState } from './models.ts'
import { readRecord, recordStamp, type UpkeepRecord, writeRecord } from './upkeep-record.ts'

export interface UpkeepOptions {
  readonly program: QmdProgram
  readonly home: QmdHome
  readonly environment: Environment
  readonly collections: readonly QmdCollection[]
  readonly mode: SearchMode
  readonly now: () => number
}
export interface UpdateReport extends UpdateCounts {
  /** Collections whose folder cannot be listed. */
  readonly missing: readonly string[]
}

/** Search text that makes the program download its models; unrelated to any note. */
const WARM_UP_TEXT = 'warm up'

/** Keeps one agent's QMD in step with the files. Commands run one at a time, since the program cannot run them in parallel. */
export class Upkeep {
  readonly #options: UpkeepOptions
  #last: Promise<unknown> = Promise.resolve()
  #record: UpkeepRecord | null = null
  #recordStamp: string | null = null
  #hasVectors = false

  constructor(options: UpkeepOptions) {
    this.#options = options
  }

  /** The record of the last update, by this process or another; null before the first. */
  get record(): UpkeepRecord | null {
    const stamp = recordStamp(this.#options.home)
    if (stamp !== this.#recordStamp) this.#record = readRecord(this.#options.home)
    this.#recordStamp = stamp
    return this.#record
  }

  /** False until a first update succeeded: there is nothing to search. */
  get hasIndex(): boolean {
    return this.record !== null && existsSync(this.#options.home.index)
  }

  /** Changes since the last update. */
  async difference(signal?: AbortSignal): Promise<ListingDifference & Listing> {
    const listing = await listFiles(this.#options.collections, signal)
    return { ...listing, ...compareListings(this.record?.files ?? new Map(), listing.files) }
  }

  update(signal?: AbortSignal): Promise<UpdateReport> {
    return this.#queue(async () => {
      const { program, home, environment, collections, now } = this.#options
      await prepareHome(home, environment)
      // Listed before, so that a file that changes while the program reads counts as changed.
      const { files, missing } = await listFiles(collections, signal)
      const { collections: registered, counts: found, isAllNew } = await this.#register(signal)
      const counts = isAllNew ? found : ((await program.update(signal)) ?? this.#estimate(files))
      await this.#write({ collections: registered, files, updatedAtMs: now() })
      if (isAllNew) return { ...found, missing }
      return { ...counts, added: found.added + counts.added, unchanged: Math.max(0, counts.unchanged - found.added), missing }
    })
  }

  embed(options: { readonly isForced?: boolean; readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return this.#queue(async () => {
      const { program, now } = this.#options
      await program.embed(options)
      if (this.record !== null) await this.#write({ embeddedAtMs: now() })
    })
  }

  /** Lets the program download its models: it does so on the first search, which would take too long for a user. */
  fetchModels({ timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined }): Promise<void> {
    return this.#queue(async () => {
      const { program, home, environment, mode } = this.#options
      const { needed, present } = modelState(mode, home, environment)
      if (present < needed) await program.search({ text: WARM_UP_TEXT, mode, limit: 1, timeoutMs, signal })
    })
  }

  /** Null when the mode can be used, else what it waits for. */
  async waitsFor(signal?: AbortSignal): Promise<string | null> {
    const { program, home, environment, mode } = this.#options
    const { needed, present, isDownloading } = modelState(mode, home, environment)
    if (present < needed) return `${present} of ${needed} models are there${isDownloading ? ', more are being downloaded' : ''}`
    if (needed === 0 || this.#hasVectors) return null
    this.#hasVectors = (this.record?.embeddedAtMs ?? null) !== null || ((await program.status(signal)).vectors ?? 0) > 0
    return this.#hasVectors ? null : 'no text has been embedded yet'
  }

  /** Resolves when everything queued so far has ended. */
  async idle(): Promise<void> {
    await this.#last
  }

  #queue<Result>(job: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(job)
    this.#last = result.catch(() => {})
    return result
  }

  async #register(signal: AbortSignal | undefined): ReturnType<typeof registerCollections> {
    const { program, collections, home } = this.#options
    const earlier = this.record?.collections ?? []
    const wanted = collections.filter(({ folder }) => isFolder(folder))
    const isSettled =
      existsSync(home.index) &&
      earlier.length === wanted.length &&
      wanted.every(({ name, folder, pattern }) =>
        earlier.some((known) => known.name === name && known.folder === folder && known.pattern === pattern),
      )
    if (isSettled) return { collections: earlier, counts: NOTHING, isAllNew: false }
    if (collections.length === 0) throw new BackendError('bad-output', 'QMD has no collection to search; see memory.qmd.paths.')
    return registerCollections(program, { wanted: collections, earlier, isFresh: !existsSync(join(home.config, 'qmd')), signal })
  }

  /** Used for versions that print no counts. */
  #estimate(files: ReadonlyMap<string, string>): UpdateCounts {
    const { changed, removed } = compareListings(this.record?.files ?? new Map(), files)
    return { added: 0, updated: changed, unchanged: files.size - changed, removed }
  }

  async #write(changes: Partial<UpkeepRecord>): Promise<void> {
    const empty: UpkeepRecord = { collections: [], files: new Map(), updatedAtMs: 0, embeddedAtMs: null }
    await writeRecord(this.#options.home, { ...(this.record ?? empty), ...changes })
  }
}
