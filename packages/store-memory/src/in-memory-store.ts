import type {
  BatchJob,
  CallOptions,
  ChangeSet,
  KeywordBlock,
  KeywordSegment,
  Lease,
  LeaseName,
  MemoryStore,
  StoreSnapshot,
  VectorSpace,
} from '@mnemark/spec'
import { fingerprint as fingerprintOf } from '@mnemark/spec'
import {
  assertDimensions,
  assertFinite,
  assertLimit,
  assertText,
  compareJobs,
  frozenCopy,
  LeaseTable,
  OpenCalls,
} from '@mnemark/store-kit'
import { addSegments, applyChanges } from './change-set.ts'
import { InMemorySnapshot } from './in-memory-snapshot.ts'
import type { SpaceEntry, StoreState } from './store-state.ts'
import { emptyState, referencedInputs } from './store-state.ts'

/** Data that outlives a store: two stores on one disk are two connections, and a later store reopens the data. */
export class InMemoryDisk {
  state: StoreState = emptyState
  readonly leases: LeaseTable = new LeaseTable()
}

export interface InMemoryStoreOptions {
  /** Default: a new, empty disk. */
  readonly disk?: InMemoryDisk
}

/** The whole store contract in memory: the reference that other stores are compared with, and a store for tests and browsers. */
export function createInMemoryStore(options: InMemoryStoreOptions = {}): MemoryStore & AsyncDisposable {
  return new InMemoryStore(options.disk ?? new InMemoryDisk())
}

const NO_SPACE: SpaceEntry = { space: null, dimensions: null, vectors: new Map(), failures: new Map() }

class InMemoryStore implements MemoryStore, AsyncDisposable {
  readonly specVersion = 'v1'
  readonly kind = 'in-memory'
  readonly jobs: MemoryStore['jobs']
  readonly settings: MemoryStore['settings']
  readonly #disk: InMemoryDisk
  readonly #leases = new Set<Lease>()
  readonly #calls = new OpenCalls()

  constructor(disk: InMemoryDisk) {
    this.#disk = disk
    this.jobs = {
      put: (lease, job) => this.#write(lease, (state) => putJob(state, job)),
      remove: (lease, marker) => this.#write(lease, (state) => ({ ...state, jobs: without(state.jobs, marker) })),
      list: () => this.#calls.run(async () => [...this.#disk.state.jobs.values()].sort(compareJobs)),
    }
    this.settings = {
      get: (key) => this.#calls.run(async () => this.#disk.state.settings.get(key)),
      set: (lease, key, value) =>
        this.#write(lease, (state) => ({ ...state, settings: new Map(state.settings).set(assertText(key), assertText(value)) })),
    }
  }

  acquireLease(name: LeaseName, options: CallOptions = {}): Promise<Lease | null> {
    return this.#calls.run(async () => {
      const lease = await this.#disk.leases.acquire(name, options.signal, this.#calls.closing)
      if (lease) this.#leases.add(lease)
      return lease
    })
  }

  snapshot(): Promise<StoreSnapshot> {
    return this.#calls.run(async () => new InMemorySnapshot(this.#disk.state, () => this.#calls.assertOpen()))
  }

  apply(lease: Lease, changes: ChangeSet): Promise<void> {
    return this.#write(lease, (state) => applyChanges(state, changes), 'write')
  }

  replaceSegments(lease: Lease, drop: readonly string[], put: KeywordSegment): Promise<void> {
    return this.#calls.run(async () => {
      this.#disk.leases.assertHeld(lease, 'write')
      const blocks: KeywordBlock[] = []
      for await (const block of put.blocks) blocks.push(block)
      this.#disk.leases.assertHeld(lease, 'write')
      const state = this.#disk.state
      const segments = new Map(state.segments)
      for (const id of drop) {
        if (!segments.delete(id)) throw new TypeError(`There is no segment ${JSON.stringify(id)} to drop.`)
      }
      this.#disk.state = addSegments({ ...state, segments }, [{ id: put.id, header: put.header, blocks }])
    })
  }

  putVectors(
    lease: Lease,
    space: VectorSpace,
    entries: readonly { readonly hash: string; readonly vector: Float32Array | null }[],
  ): Promise<void> {
    return this.#write(lease, (state) => putVectors(state, space, entries))
  }

  markFailed(
    lease: Lease,
    fingerprint: string,
    failures: readonly { readonly hash: string; readonly reason: string }[],
  ): Promise<void> {
    return this.#write(lease, (state) => {
      const entry = state.spaces.get(fingerprint) ?? NO_SPACE
      const marked = new Map(entry.failures)
      for (const { hash, reason } of failures) marked.set(hash, reason)
      return { ...state, spaces: new Map(state.spaces).set(fingerprint, { ...entry, failures: marked }) }
    })
  }

  dropSpace(lease: Lease, fingerprint: string): Promise<void> {
    return this.#write(lease, (state) => ({ ...state, spaces: without(state.spaces, fingerprint) }))
  }

  check(): Promise<{ readonly isHealthy: boolean; readonly problems: readonly string[]; readonly repaired: readonly string[] }> {
    return this.#calls.run(async () => {
      const { documents, chunks } = this.#disk.state
      const listed = new Set([...documents.values()].flatMap((entry) => entry.chunkIds))
      const problems = [...chunks.keys()].filter((id) => !listed.has(id)).map((id) => `chunk ${id} belongs to no document`)
      return { isHealthy: problems.length === 0, problems, repaired: [] }
    })
  }

  maintain(lease: Lease, options: { readonly maxUnreferencedVectors: number }): Promise<void> {
    return this.#write(lease, (state) => evict(state, options.maxUnreferencedVectors))
  }

  close(): Promise<void> {
    return this.#calls.close(() => {
      for (const lease of this.#leases) this.#disk.leases.release(lease)
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #write(lease: Lease, change: (state: StoreState) => StoreState, needed?: LeaseName): Promise<void> {
    return this.#calls.run(async () => {
      this.#disk.leases.assertHeld(lease, needed)
      this.#disk.state = change(this.#disk.state)
    })
  }
}

function putVectors(
  state: StoreState,
  space: VectorSpace,
  entries: readonly { readonly hash: string; readonly vector: Float32Array | null }[],
): StoreState {
  const id = fingerprintOf(space)
  const entry = state.spaces.get(id) ?? NO_SPACE
  let dimensions = entry.dimensions ?? space.requestedDimensions
  const vectors = new Map(entry.vectors)
  const failures = new Map(entry.failures)
  const uses = new Map(state.uses)
  for (const { hash, vector } of entries) {
    if (vector) {
      dimensions ??= vector.length
      assertDimensions(dimensions, vector.length)
      assertFinite(vector)
    }
    vectors.set(assertText(hash), vector && vector.slice())
    failures.delete(hash)
    uses.set(hash, state.lastUse + 1)
  }
  const spaces = new Map(state.spaces).set(id, { space: frozenCopy(space), dimensions, vectors, failures })
  return { ...state, spaces, uses, lastUse: state.lastUse + 1 }
}

function evict(state: StoreState, maxUnreferencedVectors: number): StoreState {
  assertLimit(maxUnreferencedVectors)
  const referenced = referencedInputs(state)
  const used = (hash: string): number => state.uses.get(hash) ?? 0
  const unreferenced = [...state.spaces].flatMap(([id, { vectors }]) =>
    [...vectors.keys()].filter((hash) => !referenced.has(hash)).map((hash) => ({ id, hash })),
  )
  unreferenced.sort((left, right) => used(right.hash) - used(left.hash))
  const spaces = new Map(state.spaces)
  for (const { id, hash } of unreferenced.slice(maxUnreferencedVectors)) {
    const entry = spaces.get(id) ?? NO_SPACE
    spaces.set(id, { ...entry, vectors: without(entry.vectors, hash) })
  }
  return { ...state, spaces }
}

function putJob(state: StoreState, job: BatchJob): StoreState {
  return { ...state, jobs: new Map(state.jobs).set(assertText(job.marker), frozenCopy(job)) }
}

function without<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): ReadonlyMap<Key, Value> {
  const copy = new Map(map)
  copy.delete(key)
  return copy
}
