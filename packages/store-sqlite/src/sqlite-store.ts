import type {
  BatchJob,
  CallOptions,
  ChangeSet,
  KeywordSegment,
  Lease,
  LeaseName,
  MemoryStore,
  StoreSnapshot,
  VectorSpace,
} from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import { applyChanges } from './rows/change-set.ts'
import type { Connection, Value } from './connection/connection.ts'
import type { Connections } from './file/connections.ts'
import type { Erased } from './upkeep/erase.ts'
import { eraseInputs } from './upkeep/erase.ts'
import { damagedPages, inspect, repair } from './upkeep/health.ts'
import { listJobs, putJob, removeJob } from './rows/jobs.ts'
import { Leases } from './rows/leases.ts'
import type { WritePiece } from './rows/segments.ts'
import { replaceSegments } from './rows/segments.ts'
import { SqliteSnapshot } from './rows/snapshot.ts'
import { maintain } from './upkeep/upkeep.ts'
import type { VectorExtensionOptions } from './vectors/vector-extension.ts'
import { EMBEDDINGS, extensionUnusable, findExtension, queryError } from './vectors/vector-extension.ts'
import type { VectorEntry } from './vectors/vectors.ts'
import type { ScanDescription } from './scan/vector-search.ts'
import { VectorSearch } from './scan/vector-search.ts'
import { readSetting, writeSetting } from './connection/stored-settings.ts'
import { dropSpace, markFailed, putVectors } from './vectors/vectors.ts'

interface HealthReport {
  readonly isHealthy: boolean
  readonly problems: readonly string[]
  readonly repaired: readonly string[]
}

/** The store, with methods that only this one has. */
export interface SqliteMemoryStore extends MemoryStore {
  [Symbol.asyncDispose](): Promise<void>
  /**
   * Removes the vectors of inputs that no chunk refers to any more, whatever the limit of the cache, and discards those
   * still on their way from a service. Needs any held lease. With `isErasing` their bytes are overwritten too.
   */
  eraseInputs(lease: Lease, hashes: readonly string[]): Promise<Erased>
  /** Describes how `nearest` works, space by space, for a status page. */
  describeScan(): Promise<ScanDescription & { readonly extension: string | null }>
  /**
   * The rows of one read-only statement with `values` for each `?`: for people who query the index with SQL. The view
   * `embeddings` (space, source, path, start_line, end_line, chunk, input, int8) holds the vectors; with sqlite-vec
   * there, `vec_distance_cosine(vec_int8(int8), vec_int8(?))` compares them. Tables and columns may change with a
   * version; the view stays.
   *
   * Rejects with TypeError for an invalid statement, with StoreError `engine-missing` where the extension is needed or
   * cannot be loaded.
   */
  query(sql: string, values?: readonly Value[]): Promise<readonly Readonly<Record<string, unknown>>[]>
}

export interface StoreTuning {
  readonly nowMs: () => number
  readonly scanMemoryBytes: number
  readonly vectorExtension: VectorExtensionOptions
}

export class SqliteStore implements SqliteMemoryStore {
  readonly specVersion = 'v1'
  readonly kind = 'sqlite'
  readonly jobs: MemoryStore['jobs']
  readonly settings: MemoryStore['settings']
  readonly #connections: Connections
  readonly #leases: Leases
  readonly #search: VectorSearch
  readonly #vectorExtension: VectorExtensionOptions
  readonly #nowMs: () => number
  readonly #snapshots = new Set<SqliteSnapshot>()
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  #merges = 0
  #closed: Promise<void> | undefined

  constructor(connections: Connections, { nowMs, scanMemoryBytes, vectorExtension }: StoreTuning) {
    this.#connections = connections
    this.#leases = new Leases(connections, nowMs)
    this.#search = new VectorSearch(connections, scanMemoryBytes)
    this.#vectorExtension = vectorExtension
    this.#nowMs = nowMs
    this.jobs = {
      put: (lease, job: BatchJob) => this.#write(lease, (connection) => putJob(connection, job)),
      remove: (lease, marker) => this.#write(lease, (connection) => removeJob(connection, marker)),
      list: () => this.#run(() => this.#connections.direct(listJobs)),
    }
    this.settings = {
      get: (key) => this.#run(() => this.#connections.direct((connection) => readSetting(connection, key))),
      set: (lease, key, value) => this.#write(lease, (connection) => writeSetting(connection, key, value)),
    }
  }

  acquireLease(name: LeaseName, options: CallOptions = {}): Promise<Lease | null> {
    return this.#run(() => this.#leases.acquire(name, options.signal, this.#closing.signal))
  }

  snapshot(): Promise<StoreSnapshot> {
    return this.#run(async () => {
      const connection = await this.#connections.lendReader()
      const onRelease = (released: SqliteSnapshot): boolean => this.#snapshots.delete(released)
      const snapshot = new SqliteSnapshot(connection, { connections: this.#connections, search: this.#search, onRelease })
      this.#snapshots.add(snapshot)
      if (this.#closed) snapshot.release()
      return snapshot
    })
  }

  apply(lease: Lease, changes: ChangeSet): Promise<void> {
    return this.#write(lease, (connection) => applyChanges(connection, changes), 'write')
  }

  replaceSegments(lease: Lease, drop: readonly string[], put: KeywordSegment): Promise<void> {
    return this.#run(async () => {
      const isPendingGone = this.#merges === 0
      this.#merges++
      try {
        const write: WritePiece = (work) => this.#transaction(lease, work, 'write')
        await replaceSegments({ write, isPendingGone, isDue: () => this.#leases.isDue(lease) }, drop, put)
      } finally {
        this.#merges--
      }
    })
  }

  putVectors(lease: Lease, space: VectorSpace, entries: readonly VectorEntry[]): Promise<void> {
    return this.#write(lease, (connection) => putVectors(connection, space, entries))
  }

  markFailed(
    lease: Lease,
    fingerprint: string,
    failures: readonly { readonly hash: string; readonly reason: string }[],
  ): Promise<void> {
    return this.#write(lease, (connection) => markFailed(connection, fingerprint, failures))
  }

  dropSpace(lease: Lease, fingerprint: string): Promise<void> {
    return this.#write(lease, (connection) => dropSpace(connection, fingerprint))
  }

  eraseInputs(lease: Lease, hashes: readonly string[]): Promise<Erased> {
    return this.#run(() => this.#transaction(lease, (connection) => eraseInputs(connection, hashes, this.#nowMs())))
  }

  describeScan(): Promise<ScanDescription & { readonly extension: string | null }> {
    return this.#run(async () => {
      const extension = await findExtension(this.#vectorExtension)
      return this.#connections.direct((connection) => ({ ...this.#search.describe(connection), extension }))
    })
  }

  query(sql: string, values: readonly Value[] = []): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return this.#run(async () => {
      const extension = await findExtension(this.#vectorExtension)
      return this.#connections.guest((connection) => queryWith(connection, extension, [sql, values]))
    })
  }

  check(options: { readonly repair?: boolean } = {}): Promise<HealthReport> {
    return this.#run(() => (options.repair === true ? this.#repair() : this.#inspect()))
  }

  maintain(lease: Lease, options: { readonly maxUnreferencedVectors: number }): Promise<void> {
    return this.#run(() => {
      // Only the holder of the write lease may merge, so any other merge found under it is that of a dead process.
      const isPendingGone = lease.name === 'write' && this.#merges === 0
      return maintain(this.#connections, (work) => this.#transaction(lease, work), { ...options, isPendingGone })
    })
  }

  close(): Promise<void> {
    this.#closed ??= this.#finish()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #finish(): Promise<void> {
    this.#closing.abort()
    for (const snapshot of this.#snapshots) snapshot.release()
    await Promise.allSettled(this.#running)
    await this.#search.close()
    try {
      await this.#leases.releaseAll()
    } finally {
      this.#connections.close()
    }
  }

  async #inspect(): Promise<HealthReport> {
    try {
      const problems = await this.#connections.direct((connection) => {
        const pages = damagedPages(connection)
        return pages.length > 0 ? pages : inspect(connection, false).map(({ problem }) => problem)
      })
      return { isHealthy: problems.length === 0, problems, repaired: [] }
    } catch (error) {
      if (!(StoreError.isInstance(error) && error.code === 'corrupt')) throw error
      return { isHealthy: false, problems: [error.message], repaired: [] }
    }
  }

  /** Indexes can be rebuilt from their tables; lost pages cannot, and are left until the file is quarantined. */
  async #repair(): Promise<HealthReport> {
    const before = await this.#inspect()
    if (before.isHealthy) return before
    const repaired = await this.#tryRepair()
    const { isHealthy } = await this.#inspect()
    return { isHealthy, problems: before.problems, repaired }
  }

  async #tryRepair(): Promise<readonly string[]> {
    try {
      return await this.#connections.write(repair)
    } catch (error) {
      if (StoreError.isInstance(error) && error.code === 'corrupt') return []
      throw error
    }
  }

  #write(lease: Lease, work: (connection: Connection) => void, needed?: LeaseName): Promise<void> {
    return this.#run(() => this.#transaction(lease, work, needed))
  }

  #transaction<T>(lease: Lease, work: (connection: Connection) => T, needed?: LeaseName): Promise<T> {
    return this.#connections.write((connection) => {
      this.#leases.assertHeld(connection, lease, needed)
      return work(connection)
    })
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreError('closed', 'The store is closed.'))
    const running = work()
    this.#running.add(running)
    const done = (): boolean => this.#running.delete(running)
    running.then(done, done)
    return running
  }
}

function queryWith(
  connection: Connection,
  extension: string | null,
  [sql, values]: readonly [sql: string, values: readonly Value[]],
): readonly Readonly<Record<string, unknown>>[] {
  if (extension !== null) {
    try {
      connection.loadExtension(extension)
    } catch (error) {
      throw extensionUnusable(extension, error)
    }
  }
  connection.addView('embeddings', EMBEDDINGS)
  try {
    return connection.query(sql, values)
  } catch (error) {
    throw queryError(error, extension)
  }
}
