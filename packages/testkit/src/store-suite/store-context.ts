import assert from 'node:assert/strict'
import type {
  ChangeSet,
  KeywordBlock,
  Lease,
  LeaseName,
  MemoryStore,
  StoreErrorCode,
  StoreLevel,
  StoreSnapshot,
} from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'

/** How the suite makes and opens the store under test. */
export interface MemoryStoreTarget {
  /** The levels of the store, as in its own `levels`; cases of other levels are left out. Default: all. */
  readonly levels?: readonly StoreLevel[] | undefined
  /** A new, empty store that shares nothing with others. The suite closes it. */
  create(): MemoryStore | Promise<MemoryStore>
  /** Opens the data of a closed store again. A store without persistence declares the cases that need it as deviations. */
  reopen?(closed: MemoryStore): MemoryStore | Promise<MemoryStore>
  /** A second connection to the data of an open store, like another process's. */
  openSecond?(open: MemoryStore): MemoryStore | Promise<MemoryStore>
}

export type StoreCase = {
  readonly id: string
  readonly title: string
  /** Levels needed beside `documents`. */
  readonly needs?: readonly StoreLevel[]
  readonly timeLimitMs?: number
  readonly run: (context: StoreContext) => Promise<void>
}

export const LEVELS: readonly StoreLevel[] = ['documents', 'keywords', 'vectors', 'jobs']

export function levelsOf({ levels = LEVELS }: Pick<MemoryStoreTarget, 'levels'>): readonly StoreLevel[] {
  return levels
}

/** The stores of one case; closed when it ends, even by a failure. */
export class StoreContext {
  readonly #target: MemoryStoreTarget
  readonly #stores: MemoryStore[] = []

  constructor(target: MemoryStoreTarget) {
    this.#target = target
  }

  has(level: StoreLevel): boolean {
    return levelsOf(this.#target).includes(level)
  }

  get levels(): readonly StoreLevel[] {
    return levelsOf(this.#target)
  }

  async create(): Promise<MemoryStore> {
    return this.#keep(await this.#target.create())
  }

  async reopen(store: MemoryStore): Promise<MemoryStore> {
    assert.ok(this.#target.reopen, 'this store cannot be reopened: give `reopen`, or declare a deviation')
    await store.close()
    return this.#keep(await this.#target.reopen(store))
  }

  async openSecond(store: MemoryStore): Promise<MemoryStore> {
    assert.ok(this.#target.openSecond, 'this store has one connection only: give `openSecond`, or declare a deviation')
    return this.#keep(await this.#target.openSecond(store))
  }

  async closeAll(): Promise<void> {
    for (const store of this.#stores) await store.close()
  }

  #keep(store: MemoryStore): MemoryStore {
    this.#stores.push(store)
    return store
  }
}

/** Long enough for a store that polls, short enough to show which case hangs. */
const LEASE_WAIT_MS = 3_000

/** Takes a lease that is free, so that it must be granted. */
export async function takeLease(store: MemoryStore, name: LeaseName): Promise<Lease> {
  const lease = await store.acquireLease(name, { signal: AbortSignal.timeout(LEASE_WAIT_MS) })
  assert.ok(lease, `the ${name} lease is free, so it must be given`)
  return lease
}

export async function withLease<T>(store: MemoryStore, name: LeaseName, work: (lease: Lease) => Promise<T>): Promise<T> {
  const lease = await takeLease(store, name)
  try {
    return await work(lease)
  } finally {
    await lease.release()
  }
}

export function change(store: MemoryStore, changes: Partial<ChangeSet>): Promise<void> {
  return withLease(store, 'write', (lease) => store.apply(lease, { put: [], touch: [], remove: [], ...changes }))
}

export async function read<T>(store: MemoryStore, work: (snapshot: StoreSnapshot) => Promise<T>): Promise<T> {
  const snapshot = await store.snapshot()
  try {
    return await work(snapshot)
  } finally {
    snapshot.release()
  }
}

/** The blocks of one segment that would hold these keys. */
export async function blocksOf(
  snapshot: StoreSnapshot,
  segment: string,
  keys: readonly string[],
): Promise<readonly KeywordBlock[]> {
  const answers = await snapshot.blocks([{ segment, keys }])
  assert.equal(answers.length, 1, 'one answer for each request')
  return answers[0] ?? []
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

export function isStoreError(code: StoreErrorCode): (error: unknown) => boolean {
  return (error) => {
    assert.ok(StoreError.isInstance(error), `expected a StoreError, got ${String(error)}`)
    assert.ok(error.code === code, `expected a StoreError of code ${code}, got ${error.code}: ${error.message}`)
    return true
  }
}

/** The reaction to a wrong argument: TypeError, as everywhere in these contracts. */
export function isTypeError(error: unknown): boolean {
  assert.ok(error instanceof TypeError, `expected a TypeError, got ${String(error)}`)
  return true
}
