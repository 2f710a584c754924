import type {
  ChangeSet,
  ChunkFilter,
  KeywordBlock,
  Lease,
  MemoryStore,
  SelectedChunk,
  StoredChunk,
  StoreSnapshot,
} from '@mnemark/spec'
import { compareTied, StoreError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { createInMemoryStore, InMemoryDisk } from '@mnemark/store-memory'
import { memoryStoreCases } from './memory-store-cases.ts'
import type { MemoryStoreTarget } from './store-context.ts'
import { collect } from './store-context.ts'

// The suite tested by stores that each break one rule: the case meant for that rule must fail.

type Break = (store: MemoryStore) => Partial<MemoryStore>

/** The store with some members replaced; the rest keeps its own `this`. */
function replacing<T extends object>(whole: T, members: Partial<T>): T {
  return new Proxy(whole, {
    get(target, key) {
      const member: unknown = Reflect.get(key in members ? members : target, key)
      return typeof member === 'function' && !(key in members) ? member.bind(target) : member
    },
  })
}

function targetOf(mutate: Break): MemoryStoreTarget {
  const disks = new WeakMap<MemoryStore, InMemoryDisk>()
  const open = (disk: InMemoryDisk): MemoryStore => {
    const store = createInMemoryStore({ disk })
    const mutant = replacing(store, mutate(store))
    disks.set(mutant, disk)
    return mutant
  }
  const openAgain = (store: MemoryStore): MemoryStore => open(disks.get(store) ?? new InMemoryDisk())
  return { create: () => open(new InMemoryDisk()), reopen: openAgain, openSecond: openAgain }
}

/** Breaks the answers of every snapshot. */
function inSnapshots(mutate: (snapshot: StoreSnapshot, store: MemoryStore) => Partial<StoreSnapshot>): Break {
  return (store) => ({
    snapshot: async () => {
      const snapshot = await store.snapshot()
      return replacing(snapshot, mutate(snapshot, store))
    },
  })
}

function inChanges(mutate: (changes: ChangeSet) => ChangeSet): Break {
  return (store) => ({ apply: (lease, changes) => store.apply(lease, mutate(changes)) })
}

function ignoring(field: keyof ChunkFilter): Break {
  return inSnapshots((snapshot) => ({ filter: (filter) => snapshot.filter({ ...filter, [field]: undefined }) }))
}

function inSelections(mutate: (select: StoreSnapshot['select']) => StoreSnapshot['select']): Break {
  return inSnapshots((snapshot) => ({ select: mutate((filter, options) => snapshot.select(filter, options)) }))
}

/** Sorts as JavaScript compares strings: emoji before characters after the surrogates. */
function byUnitsOfPath(selected: readonly SelectedChunk[]): readonly SelectedChunk[] {
  const pathOf = ({ document: { source, path } }: SelectedChunk): string => `${path}\0${source}`
  return selected.toSorted((left, right) => (pathOf(left) < pathOf(right) ? -1 : pathOf(left) > pathOf(right) ? 1 : 0))
}

function withPaths(changes: ChangeSet, rename: (path: string) => string): ChangeSet {
  const renamed = <T extends { readonly path: string }>(id: T): T => ({ ...id, path: rename(id.path) })
  const put = changes.put.map(({ document, chunks }) => ({
    document: renamed(document),
    chunks: chunks.map((chunk) => ({ ...chunk, document: renamed(chunk.document) })),
  }))
  return {
    ...changes,
    put: [...new Map(put.map((one) => [one.document.path, one])).values()],
    remove: changes.remove.map(renamed),
  }
}

const silent = async (): Promise<void> => {}

/** Broken rule, the case that must catch it, and the break. */
const MUTANTS: readonly (readonly [name: string, caughtBy: string, mutate: Break])[] = [
  ['shares its data with every other store', 'L1', () => sharing.members],
  ['claims an own full-text search it does not have', 'L2', () => ({ nativeKeywords: async () => [{ chunkId: 1, score: 1 }] })],
  ['does not say what it keeps', 'L10', () => ({ levels: ['documents', 'keywords'] })],
  ['loses jobs on closing', 'L3', (store) => ({ close: async () => void (await loseJobs(store)) })],
  ['fails in `check`', 'L4', () => ({ check: () => Promise.reject(new Error('not there')) })],
  ['answers after closing', 'L5', (store) => ({ settings: { ...store.settings, get: async () => undefined } })],
  ['cannot be closed twice', 'L6', (store) => ({ close: closingOnce(store) })],
  [
    'drops work in flight when it closes',
    'L7',
    (store) => ({ apply: async (lease, changes) => void (await silent(), await store.apply(lease, changes).catch(silent)) }),
  ],
  [
    'finds damage where there is none',
    'L8',
    () => ({ check: async () => ({ isHealthy: false, problems: ['?'], repaired: [] }) }),
  ],
  [
    'loses attributes',
    'D1',
    inChanges((changes) => ({
      ...changes,
      put: changes.put.map((put) => ({ ...put, chunks: put.chunks.map((chunk) => ({ ...chunk, attributes: {} })) })),
    })),
  ],
  ['keeps half a change set', 'D2', (store) => ({ apply: (lease, changes) => applyInHalves(store, lease, changes) })],
  [
    'keeps the part of a change set that can be kept',
    'D3',
    (store) => ({ apply: (lease, changes) => applyOneByOne(store, lease, changes) }),
  ],
  [
    'takes a promise for segments',
    'D5',
    inChanges(({ segments, ...changes }) => ({
      ...changes,
      segments: (ids, removed) => [segments?.(ids, removed) ?? []].flat().filter((one) => 'id' in one),
    })),
  ],
  ['leaves orphan chunks', 'D6', keepingChunks()],
  [
    'uses chunk ids again',
    'D7',
    inChanges(({ segments, ...changes }) => ({
      ...changes,
      segments: (ids, removed) => segments?.(new Map([...ids].map(([chunk, id]) => [chunk, (id % 9) + 1])), removed) ?? [],
    })),
  ],
  [
    'ignores the recipe of a touch',
    'D17',
    inChanges((changes) => ({ ...changes, touch: changes.touch?.map(({ recipe: _recipe, ...stat }) => stat) ?? [] })),
  ],
  ['ignores touches', 'D8', inChanges((changes) => ({ ...changes, touch: [] }))],
  ['ignores removals', 'D9', inChanges((changes) => ({ ...changes, remove: [] }))],
  [
    'squeezes names into slugs',
    'D10',
    inChanges((changes) => withPaths(changes, (path) => path.toLowerCase().replaceAll(/[^a-z.]/g, '-'))),
  ],
  ['composes names', 'D10', inChanges((changes) => withPaths(changes, (path) => path.normalize('NFC')))],
  ['mixes sources', 'D11', inSnapshots((snapshot) => ({ documents: () => snapshot.documents() }))],
  [
    'calls `segments` twice',
    'D12',
    inChanges(({ segments, ...changes }) => ({
      ...changes,
      segments: (ids, removed) => (segments?.(ids, removed), segments?.(ids, removed) ?? []),
    })),
  ],
  [
    'does not tell what was removed',
    'D12',
    inChanges(({ segments, ...changes }) => ({ ...changes, segments: (ids) => segments?.(ids, []) ?? [] })),
  ],
  [
    'cuts text at NUL',
    'D14',
    inChanges((changes) => ({
      ...changes,
      put: changes.put.map((put) => ({
        ...put,
        chunks: put.chunks.map((chunk) => ({ ...chunk, text: chunk.text.split('\0')[0] ?? '' })),
      })),
    })),
  ],
  [
    'counts stubs',
    'D15',
    inSnapshots((snapshot) => ({
      counts: async () => ({ ...(await snapshot.counts()), chunks: (await snapshot.filter({})).size }),
    })),
  ],
  [
    'sorts chunks by id',
    'D16',
    inSnapshots((snapshot) => ({ chunks: async (ids) => snapshot.chunks([...ids].sort((left, right) => left - right)) })),
  ],
  [
    'finds the block after the key',
    'G1',
    inSnapshots((snapshot) => ({
      blocks: async (requests) =>
        snapshot.blocks(requests.map(({ segment, keys }) => ({ segment, keys: keys.map((key) => `${key}\uffff`) }))),
    })),
  ],
  [
    'orders keys by UTF-16 units',
    'G2',
    inSnapshots((snapshot) => ({
      blocks: (requests) =>
        Promise.all(requests.map(async ({ segment, keys }) => byUnits(await collect(snapshot.scan(segment)), keys))),
    })),
  ],
  [
    'answers the first segment only',
    'G1',
    inSnapshots((snapshot) => ({ blocks: (requests) => snapshot.blocks(requests.slice(0, 1)) })),
  ],
  ['forgets segments', 'G3', inChanges(({ segments: _segments, ...changes }) => changes)],
  ['starts every scan at the beginning', 'G3', inSnapshots((snapshot) => ({ scan: (id) => snapshot.scan(id) }))],
  [
    'keeps merged segments beside the merge',
    'G5',
    (store) => ({ replaceSegments: (lease, _drop, put) => store.replaceSegments(lease, [], put) }),
  ],
  [
    'drops segments that are not there',
    'G7',
    (store) => ({
      replaceSegments: (lease, drop, put) =>
        store.replaceSegments(
          lease,
          drop.filter((id) => id !== 'absent'),
          put,
        ),
    }),
  ],
  ['uses segment ids again', 'G8', (store) => ({ apply: (lease, changes) => store.apply(lease, changes).catch(silent) })],
  [
    'answers for segments it does not know',
    'G10',
    inSnapshots((snapshot) => ({ blocks: (requests) => snapshot.blocks(requests).catch(() => []) })),
  ],
  ['moves its snapshots', 'N1', movingSnapshots()],
  [
    'fixes a snapshot with its first read',
    'N2',
    inSnapshots((_, store) => ({ counts: async () => (await store.snapshot()).counts() })),
  ],
  ['reads from released snapshots', 'N4', inSnapshots((_, store) => ({ counts: async () => (await store.snapshot()).counts() }))],
  ["keeps the caller's arrays", 'N6', keepingArrays()],
  [
    'takes an empty list for no condition',
    'F1',
    inSnapshots((snapshot) => ({
      filter: (filter) => snapshot.filter(Object.fromEntries(Object.entries(filter).filter(([, listed]) => listed.length > 0))),
    })),
  ],
  ['ignores `all`', 'F11', ignoring('all')],
  [
    'folds labels once more',
    'F9',
    inChanges(({ put, ...changes }) => ({
      ...changes,
      put: put.map(({ document, chunks }) => ({
        document,
        chunks: chunks.map(({ labels, ...chunk }) => ({
          ...chunk,
          ...(labels && {
            labels: { ...labels, entities: labels.entities?.flatMap((label) => [label, label.toUpperCase()]) ?? [] },
          }),
        })),
      })),
    })),
  ],
  ['lists without a filter', 'F12', inSelections((select) => (_, options) => select({}, options))],
  [
    'lists by UTF-16 units',
    'F12',
    inSelections((select) => async (filter, options) => byUnitsOfPath(await select(filter, options))),
  ],
  ['knows one order only', 'F13', inSelections((select) => (filter, options) => select(filter, { ...options, order: 'path' }))],
  [
    'does not look at the time of day',
    'F13',
    inChanges(({ put, ...changes }) => ({
      ...changes,
      put: put.map(({ document, chunks }) => ({
        document,
        chunks: chunks.map(({ attributes, ...chunk }) => ({ ...chunk, attributes: { ...attributes, time: '00:00' } })),
      })),
    })),
  ],
  [
    'begins every page anew',
    'F14',
    inSelections(
      (select) =>
        (filter, { order, limit }) =>
          select(filter, { order, limit }),
    ),
  ],
  [
    'ends a list at a chunk it does not know',
    'F14',
    inSelections(
      (select) => (filter, options) => (options.limit < 0 ? select(filter, options) : select(filter, options).catch(() => [])),
    ),
  ],
  ['ignores sources', 'F2', ignoring('sources')],
  ['ignores paths', 'F3', ignoring('paths')],
  ['ignores excluded paths', 'F4', ignoring('excludePaths')],
  ['ignores `since`', 'F5', ignoring('since')],
  ['ignores `until`', 'F5', ignoring('until')],
  ['ignores `asOf`', 'F6', ignoring('asOf')],
  ['ignores kinds', 'F8', ignoring('kinds')],
  ['ignores sessions', 'F8', ignoring('sessions')],
  ['ignores audiences', 'F8', ignoring('audiences')],
  ['ignores entities', 'F9', ignoring('entities')],
  ['ignores tags', 'F9', ignoring('tags')],
  [
    'finds the farthest',
    'V1',
    inSnapshots((snapshot) => ({
      nearest: (id, query, options) =>
        snapshot.nearest(
          id,
          query.map((value) => -value),
          options,
        ),
    })),
  ],
  [
    'filters after the cut',
    'V2',
    inSnapshots((snapshot) => ({
      nearest: async (id, query, { filter, ...options }) => {
        const matching = await snapshot.filter(filter ?? {})
        return (await snapshot.nearest(id, query, options)).filter(({ chunkId }) => matching.has(chunkId))
      },
    })),
  ],
  [
    'takes null for missing',
    'V3',
    (store) => ({
      putVectors: (lease, space, entries) =>
        store.putVectors(
          lease,
          space,
          entries.filter(({ vector }) => vector),
        ),
    }),
  ],
  [
    'writes what fits before it refuses',
    'V4',
    (store) => ({
      putVectors: async (lease, space, entries) => {
        for (const entry of entries) await store.putVectors(lease, space, [entry])
      },
    }),
  ],
  [
    'takes vectors of any length for a requested one',
    'V5',
    (store) => ({
      putVectors: (lease, space, entries) => store.putVectors(lease, { ...space, requestedDimensions: null }, entries),
    }),
  ],
  [
    'leaves out what is not finite',
    'V6',
    (store) => ({
      putVectors: (lease, space, entries) =>
        store.putVectors(
          lease,
          space,
          entries.filter(({ vector }) => vector?.every(Number.isFinite) ?? true),
        ),
    }),
  ],
  [
    'does not look at the signal',
    'V8',
    inSnapshots((snapshot) => ({
      nearest: (id, query, { signal: _signal, ...options }) => snapshot.nearest(id, query, options),
    })),
  ],
  [
    'exports only what chunks refer to',
    'V9',
    inSnapshots((snapshot) => ({ exportVectors: (id) => firstOf(snapshot.exportVectors(id), 1) })),
  ],
  [
    'keeps the first vector',
    'V10',
    (store) => ({ putVectors: (lease, space, entries) => store.putVectors(lease, space, [...entries].reverse()) }),
  ],
  ['counts failures as missing', 'V11', () => ({ markFailed: silent })],
  [
    'pages from the beginning',
    'V12',
    inSnapshots((snapshot) => ({ missingInputs: (id, { after: _after, ...options }) => snapshot.missingInputs(id, options) })),
  ],
  [
    'asks again for what is in a job',
    'V13',
    (store) => ({ jobs: { ...store.jobs, put: (lease, job) => store.jobs.put(lease, { ...job, inputs: [] }) } }),
  ],
  [
    'asks again for what failed',
    'V14',
    inSnapshots((snapshot) => ({
      missingInputs: (id, options) => snapshot.missingInputs(id, { ...options, retryFailed: true }),
    })),
  ],
  ['drops no space', 'V15', () => ({ dropSpace: silent })],
  [
    'evicts with every removal',
    'V16',
    (store) => ({
      apply: async (lease, changes) => {
        await store.apply(lease, changes)
        await store.maintain(lease, { maxUnreferencedVectors: 0 })
      },
    }),
  ],
  ['evicts nothing', 'V17', () => ({ maintain: silent })],
  ['evicts everything', 'V17', (store) => ({ maintain: (lease) => store.maintain(lease, { maxUnreferencedVectors: 0 }) })],
  [
    'bounds each space by itself',
    'V19',
    (store) => ({
      maintain: (lease, options) => store.maintain(lease, { maxUnreferencedVectors: 2 * options.maxUnreferencedVectors }),
    }),
  ],
  [
    'looks at every third vector',
    'V20',
    (store) => ({
      putVectors: (lease, space, entries) =>
        store.putVectors(
          lease,
          space,
          entries.map((entry, index) => (index % 3 === 2 ? { ...entry, vector: null } : entry)),
        ),
    }),
  ],
  [
    'filters among the first hundred',
    'V21',
    inSnapshots((snapshot) => ({
      nearest: async (id, query, { filter, limit, ...options }) => {
        const matching = await snapshot.filter(filter ?? {})
        const nearest = await snapshot.nearest(id, query, { ...options, limit: 100 })
        return nearest.filter(({ chunkId }) => matching.has(chunkId)).slice(0, limit)
      },
    })),
  ],
  ['counts inputs instead of chunks', 'V22', inSnapshots(countingInputs)],
  ['remembers its first answer', 'V23', rememberingNearest()],
  ['does not see other connections', 'V24', rememberingNearest()],
  [
    'turns ties round',
    'V25',
    inSnapshots((snapshot) => ({
      nearest: async (id, query, options) =>
        (await snapshot.nearest(id, query, { ...options, limit: 1_000 })).toReversed().slice(0, options.limit),
    })),
  ],
  [
    'breaks ties by id',
    'V25',
    inSnapshots((snapshot) => ({
      nearest: async (id, query, options) => {
        const all = await snapshot.nearest(id, query, { ...options, limit: 1_000 })
        const byId = all.toSorted((left, right) => right.similarity - left.similarity || left.chunkId - right.chunkId)
        return byId.slice(0, options.limit)
      },
    })),
  ],
  [
    'takes no day from the document',
    'V25',
    inSnapshots((snapshot) => ({
      nearest: async (id, query, options) => {
        const all = await snapshot.nearest(id, query, { ...options, limit: 1_000 })
        const chunks = new Map((await snapshot.chunks(all.map(({ chunkId }) => chunkId))).map((chunk) => [chunk.id, chunk]))
        const tied = all.flatMap((candidate) => {
          const chunk = chunks.get(candidate.chunkId)
          return chunk ? [{ ...candidate, ...chunk, day: chunk.attributes.from }] : []
        })
        tied.sort((left, right) => right.similarity - left.similarity || compareTied(left, right))
        return tied.slice(0, options.limit).map(({ chunkId, similarity }) => ({ chunkId, similarity }))
      },
    })),
  ],
  ['gives a lease twice', 'E1', (store) => ({ acquireLease: async (name) => freeLease(store, name) })],
  ['refuses at once where it should wait', 'E2', (store) => ({ acquireLease: (name) => leaseWithoutWaiting(store, name) })],
  [
    'has one lease for all',
    'E3',
    (store) => ({
      acquireLease: (_name, options) =>
        store.acquireLease('write', {
          signal: AbortSignal.any([options?.signal ?? AbortSignal.timeout(5), AbortSignal.timeout(5)]),
        }),
    }),
  ],
  [
    'writes without a lease',
    'E4',
    (store) => ({ apply: async (lease, changes) => withFreshLease(store, lease, (fresh) => store.apply(fresh, changes)) }),
  ],
  [
    'takes any lease for documents',
    'E5',
    (store) => ({
      apply: async (_lease, changes) => {
        const fresh = await store.acquireLease('write')
        if (fresh) await store.apply(fresh, changes)
      },
    }),
  ],
  [
    'takes a lease for an ended signal',
    'E7',
    (store) => ({ acquireLease: (name, options) => store.acquireLease(name, options?.signal?.aborted ? {} : options) }),
  ],
  [
    'reads at the first state for ever',
    'C1',
    (store) => {
      const first = store.snapshot()
      return { snapshot: async () => replacing(await first, { release: () => {} }) }
    },
  ],
  ['keeps leases after closing', 'C4', () => ({ close: silent })],
  [
    'lists jobs newest first',
    'J1',
    (store) => ({ jobs: { ...store.jobs, list: async () => [...(await store.jobs.list())].reverse() } }),
  ],
  [
    'folds setting keys',
    'J2',
    (store) => ({
      settings: {
        get: (key) => store.settings.get(key.toLowerCase()),
        set: (lease, key, value) => store.settings.set(lease, key.toLowerCase(), value),
      },
    }),
  ],
  ['is moved by the writes of another connection', 'C2', movingSnapshots()],
  ['gives each connection a lease of its own', 'C3', (store) => ({ acquireLease: async (name) => freeLease(store, name) })],
  [
    'takes the last of two puts of one document',
    'D4',
    inChanges((changes) => ({
      ...changes,
      put: [...new Map(changes.put.map((put) => [put.document.path, put])).values()],
    })),
  ],
  [
    'removes after it has put',
    'D13',
    (store) => ({
      apply: async (lease, { remove, ...changes }) => {
        await store.apply(lease, { ...changes, remove: [] })
        await store.apply(lease, { put: [], touch: [], remove })
      },
    }),
  ],
  [
    'renews released leases',
    'E6',
    (store) => ({
      acquireLease: async (name, options) => {
        const lease = await store.acquireLease(name, options)
        return lease && { ...lease, renew: silent }
      },
    }),
  ],
  [
    'gives those that wait nothing when it closes',
    'E8',
    (store) => ({ acquireLease: (name, options) => store.acquireLease(name, options).catch(() => null) }),
  ],
  ['looks at the name of a lease only', 'E9', takingAnyLease()],
  [
    'takes any text for a day',
    'F7',
    inSnapshots((snapshot) => ({ filter: (filter) => snapshot.filter(filter).catch(() => ({ has: () => false, size: 0 })) })),
  ],
  [
    'takes what passes one of the conditions',
    'F10',
    inSnapshots((snapshot) => ({ filter: (filter) => anyOf(snapshot, filter) })),
  ],
  [
    'cuts blocks at 64 kilobytes',
    'G4',
    inBlocks((blocks) => blocks.map((block) => ({ ...block, bytes: block.bytes.slice(0, 65_536) }))),
  ],
  [
    'shows a merge while it is written',
    'G6',
    (store) => ({
      replaceSegments: async (lease, drop, put) => {
        await store.replaceSegments(lease, drop, { ...put, blocks: nothing() })
        await collect(put.blocks)
      },
    }),
  ],
  ['puts blocks in order itself', 'G9', inBlocks((blocks) => [...blocks].sort(byFirstKey))],
  [
    'goes on with an iteration after it was closed',
    'L9',
    inSnapshots((snapshot) => ({ documents: (source) => all(() => collect(snapshot.documents(source))) })),
  ],
  ['has three states at most', 'N3', sharingSnapshots(4)],
  [
    'iterates over what others change meanwhile',
    'N5',
    inSnapshots((_, store) => ({
      documents: (source) => oneByOne(async () => collect((await store.snapshot()).documents(source))),
    })),
  ],
  [
    'takes any limit',
    'V7',
    inSnapshots((snapshot) => ({
      nearest: (id, query, options) => snapshot.nearest(id, query, { ...options, limit: wholeLimit(options.limit) }),
      missingInputs: (id, options) => snapshot.missingInputs(id, { ...options, limit: wholeLimit(options.limit) }),
    })),
  ],
  ['drops a vector with the first of two documents', 'V18', droppingSharedVectors()],
]

const sharing = { members: sharedMembers() }

function sharedMembers(): Partial<MemoryStore> {
  const shared = createInMemoryStore()
  const bound = ['acquireLease', 'snapshot', 'apply'] as const
  return { ...Object.fromEntries(bound.map((name) => [name, shared[name].bind(shared)])), settings: shared.settings }
}

async function loseJobs(store: MemoryStore): Promise<void> {
  const lease = await store.acquireLease('vectors', { signal: AbortSignal.timeout(5) }).catch(() => null)
  if (lease) for (const { marker } of await store.jobs.list()) await store.jobs.remove(lease, marker)
  await store.close()
}

function closingOnce(store: MemoryStore): () => Promise<void> {
  let isClosed = false
  return async () => {
    if (isClosed) throw new StoreError('closed', 'closed before')
    isClosed = true
    await store.close()
  }
}

async function applyInHalves(store: MemoryStore, lease: Lease, { segments, ...changes }: ChangeSet): Promise<void> {
  await store.apply(lease, changes)
  if (segments) await store.apply(lease, { put: [], touch: [], remove: [], segments })
}

async function applyOneByOne(store: MemoryStore, lease: Lease, changes: ChangeSet): Promise<void> {
  for (const put of changes.put) await store.apply(lease, { put: [put], touch: [], remove: [] })
  await store.apply(lease, { ...changes, put: [] })
}

function keepingChunks(): Break {
  const seen = new Map<number, StoredChunk>()
  return inSnapshots((snapshot) => ({
    chunksOf: async (id) => {
      const chunks = await snapshot.chunksOf(id)
      for (const chunk of chunks) seen.set(chunk.id, chunk)
      return chunks
    },
    chunks: async (ids) => ids.flatMap((id) => seen.get(id) ?? []),
  }))
}

function movingSnapshots(): Break {
  return inSnapshots((_, store) => ({
    counts: async () => (await store.snapshot()).counts(),
    chunksOf: async (id) => (await store.snapshot()).chunksOf(id),
    segments: async () => (await store.snapshot()).segments(),
  }))
}

function keepingArrays(): Break {
  const kept = new Map<string, Float32Array | null>()
  return (store) => ({
    putVectors: async (lease, space, entries) => {
      for (const { hash, vector } of entries) kept.set(hash, vector)
      await store.putVectors(lease, space, entries)
    },
    snapshot: async () => replacing(await store.snapshot(), { vectors: async () => kept }),
  })
}

function byUnits(blocks: readonly KeywordBlock[], keys: readonly string[]): KeywordBlock[] {
  const sorted = [...blocks].sort((left, right) => (left.firstKey < right.firstKey ? -1 : 1))
  return keys.flatMap((key) => sorted.findLast(({ firstKey }) => firstKey <= key) ?? [])
}

async function* firstOf<T>(items: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  let left = count
  for await (const item of items) if (left-- > 0) yield item
}

function leaseWithoutWaiting(store: MemoryStore, name: Lease['name']): Promise<Lease | null> {
  const controller = new AbortController()
  const lease = store.acquireLease(name, { signal: controller.signal })
  controller.abort()
  return lease
}

async function freeLease(store: MemoryStore, name: Lease['name']): Promise<Lease> {
  const lease = await leaseWithoutWaiting(store, name)
  return lease ?? { name, owner: 'second', renew: silent, release: silent }
}

async function withFreshLease(store: MemoryStore, lease: Lease, work: (fresh: Lease) => Promise<void>): Promise<void> {
  const fresh = await leaseWithoutWaiting(store, lease.name)
  await work(fresh ?? lease)
  await fresh?.release()
}

function takingAnyLease(): Break {
  return (store) => {
    let own: Lease | null = null
    return {
      acquireLease: async (name, options) => {
        own = await store.acquireLease(name, options)
        return own
      },
      apply: (lease, changes) => store.apply(own ?? lease, changes),
    }
  }
}

async function anyOf(snapshot: StoreSnapshot, filter: ChunkFilter): Promise<{ has(chunkId: number): boolean; size: number }> {
  const parts = await Promise.all(Object.entries(filter).map(([field, value]) => snapshot.filter({ [field]: value })))
  return { has: (chunkId) => parts.some((part) => part.has(chunkId)), size: Math.max(0, ...parts.map(({ size }) => size)) }
}

function inBlocks(mutate: (blocks: readonly KeywordBlock[]) => readonly KeywordBlock[]): Break {
  return inChanges(({ segments, ...changes }) => ({
    ...changes,
    segments: (ids, removed) =>
      (segments?.(ids, removed) ?? []).map((segment) => ({ ...segment, blocks: mutate(segment.blocks) })),
  }))
}

/** In order, and each key once. */
function byFirstKey(left: KeywordBlock, right: KeywordBlock): number {
  return Buffer.compare(Buffer.from(left.firstKey), Buffer.from(right.firstKey))
}

async function* nothing(): AsyncGenerator<never> {}

async function* all<T>(load: () => Promise<readonly T[]>): AsyncGenerator<T> {
  yield* await load()
}

async function* oneByOne<T>(load: () => Promise<readonly T[]>): AsyncGenerator<T> {
  for (let position = 0; ; position++) {
    const item = (await load())[position]
    if (item === undefined) return
    yield item
  }
}

function sharingSnapshots(users: number): Break {
  return (store) => {
    let count = 0
    let shared: Promise<StoreSnapshot> | undefined
    return {
      snapshot: async () => {
        if (count++ % users === 0) shared = store.snapshot()
        return replacing(await (shared ?? store.snapshot()), { release: () => {} })
      },
    }
  }
}

function wholeLimit(limit: number): number {
  return Math.max(0, Math.floor(limit) || 0)
}

function droppingSharedVectors(): Break {
  const gone = new Set<string>()
  return (store) => ({
    apply: async (lease, changes) => {
      const snapshot = await store.snapshot()
      const chunks = (await Promise.all(changes.remove.map((id) => snapshot.chunksOf(id)))).flat()
      for (const input of chunks.flatMap(({ inputs }) => inputs)) gone.add(input)
      await store.apply(lease, changes)
    },
    snapshot: async () => {
      const snapshot = await store.snapshot()
      return replacing(snapshot, {
        vectors: async (id, hashes) =>
          snapshot.vectors(
            id,
            hashes.filter((hash) => !gone.has(hash)),
          ),
      })
    },
  })
}

/** Cuts after `limit` inputs, and only then joins those of one chunk. */
function countingInputs(snapshot: StoreSnapshot): Partial<StoreSnapshot> {
  return {
    nearest: async (id, query, options) => {
      const nearest = await snapshot.nearest(id, query, options)
      const chunks = await snapshot.chunks(nearest.map(({ chunkId }) => chunkId))
      let inputs = 0
      return nearest.filter((_, index) => {
        const isWithin = inputs < options.limit
        inputs += chunks[index]?.inputs.length ?? 0
        return isWithin
      })
    },
  }
}

function rememberingNearest(): Break {
  let first: Awaited<ReturnType<StoreSnapshot['nearest']>> | undefined
  return inSnapshots((snapshot) => ({
    nearest: async (id, query, options) => (first ??= await snapshot.nearest(id, query, options)),
  }))
}

function caseOf(id: string, target: MemoryStoreTarget): Promise<void> {
  const found = memoryStoreCases(target).find((candidate) => candidate.id === id)
  if (!found) throw new Error(`no case ${id}`)
  return found.run()
}

test.each(MUTANTS)('a store that %s is caught by %s', async (_, caughtBy, mutate) => {
  await expect(
    caseOf(
      caughtBy,
      targetOf(() => ({})),
    ),
  ).resolves.toBeUndefined()
  await expect(caseOf(caughtBy, targetOf(mutate))).rejects.toBeInstanceOf(Error)
})

test('every case of the suite is known to fail for a store that breaks its rule', () => {
  const caught = new Set(MUTANTS.map(([, caughtBy]) => caughtBy))
  const cases = memoryStoreCases(targetOf(() => ({})))
  expect(cases.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([])
})
