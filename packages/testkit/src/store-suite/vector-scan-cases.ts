import assert from 'node:assert/strict'
import type { MemoryStore, StoreSnapshot, VectorCandidate } from '@mnemark/spec'
import { compareTied, dayOfChunk, fingerprint } from '@mnemark/spec'
import { putOfInputs, randomVector, sampleChunk, sampleDocument, seededRandom, space } from './sample-data.ts'
import type { StoreCase } from './store-context.ts'
import { change, read } from './store-context.ts'
import { assertNearest, bruteForce, DIMENSIONS, putVectors } from './vector-cases.ts'

const ID = fingerprint(space)

/** Enough vectors that a store should not read each row. */
const MANY = 3_000
/** Time for a slow store to read each vector more than once. */
const LONG_MS = 600_000

async function fillMany(store: MemoryStore): Promise<Map<string, Float32Array>> {
  const random = seededRandom(20)
  const centres = Array.from({ length: 60 }, () => randomVector(random, DIMENSIONS))
  const vectors = new Map<string, Float32Array>()
  for (let number = 0; number < MANY; number++) {
    const noise = randomVector(random, DIMENSIONS)
    const centre = centres[number % centres.length] ?? noise
    vectors.set(
      `h${number}`,
      noise.map((value, index) => 0.6 * value + (centre[index] ?? 0)),
    )
  }
  const hashes = [...vectors.keys()]
  const put = Array.from({ length: MANY / 100 }, (_, page) =>
    putOfInputs(`${page}.md`, hashes.slice(100 * page, 100 * page + 100)),
  )
  await change(store, { put })
  await putVectors(
    store,
    [...vectors].map(([hash, vector]) => ({ hash, vector })),
  )
  return vectors
}

async function assertRecall(
  snapshot: StoreSnapshot,
  vectors: ReadonlyMap<string, Float32Array>,
  { queries, seed }: { readonly queries: number; readonly seed: number },
): Promise<void> {
  const random = seededRandom(seed)
  let found = 0
  for (let round = 0; round < queries; round++) {
    const query = randomVector(random, DIMENSIONS)
    const best = new Set((await bruteForce(snapshot, vectors, query)).slice(0, 10).map(({ chunkId }) => chunkId))
    const nearest = await snapshot.nearest(ID, query, { limit: 10 })
    found += nearest.filter(({ chunkId }) => best.has(chunkId)).length
  }
  assert.ok(found / (10 * queries) >= 0.99, `recall@10 is ${found / (10 * queries)}, expected .99 and more`)
}

function similaritiesOf(store: MemoryStore, query: Float32Array): Promise<number[]> {
  return read(store, async (snapshot) => {
    const nearest = await snapshot.nearest(ID, query, { limit: 9 })
    return nearest.map(({ similarity }) => Math.round(similarity * 100) / 100)
  })
}

async function ordinals(snapshot: StoreSnapshot, nearest: readonly VectorCandidate[]): Promise<(number | undefined)[]> {
  const chunks = await snapshot.chunks(nearest.map(({ chunkId }) => chunkId))
  return nearest.map(({ chunkId }) => chunks.find(({ id }) => id === chunkId)?.ordinal)
}

const EAST = new Float32Array([1, 0])
const NORTH = new Float32Array([0, 1])
const WEST = new Float32Array([-1, 0])

export const vectorScanCases: readonly StoreCase[] = [
  {
    id: 'V20',
    title: 'of some thousand vectors 99 of 100 of the ten nearest are found, by the first search and by later ones',
    timeLimitMs: LONG_MS,
    async run(context) {
      const store = await context.create()
      const vectors = await fillMany(store)
      await read(store, (snapshot) => assertRecall(snapshot, vectors, { queries: 8, seed: 1 }))
      await read(store, (snapshot) => assertRecall(snapshot, vectors, { queries: 8, seed: 2 }))
    },
  },
  {
    id: 'V21',
    title: 'a filter that lets a third, a hundredth or a single chunk pass gets its nearest',
    timeLimitMs: LONG_MS,
    async run(context) {
      const store = await context.create()
      const vectors = await fillMany(store)
      const query = randomVector(seededRandom(4), DIMENSIONS)
      await read(store, async (snapshot) => {
        const all = await bruteForce(snapshot, vectors, query)
        for (const paths of [['1*.md'], ['7.md', '8.md'], ['9.md']]) {
          const matching = await snapshot.filter({ paths })
          const expected = all.filter(({ chunkId }) => matching.has(chunkId))
          assertNearest(await snapshot.nearest(ID, query, { limit: 10, filter: { paths } }), expected, 10)
        }
      })
    },
  },
  {
    id: 'V22',
    title: 'the limit counts chunks: many inputs of one chunk, and one input of many, take no place from others',
    async run(context) {
      const store = await context.create()
      const document = sampleDocument('a.md')
      const wordy = Array.from({ length: 200 }, (_, index) => `near ${index}`)
      const shared = Array.from({ length: 50 }, (_, ordinal) => sampleChunk(document, ordinal + 1, { inputs: ['shared'] }))
      const chunks = [sampleChunk(document, 0, { inputs: wordy }), ...shared, sampleChunk(document, 51, { inputs: ['far'] })]
      await change(store, { put: [{ document, chunks }] })
      const near = wordy.map((hash, index) => ({ hash, vector: new Float32Array([1, index / 1_000]) }))
      const rest = { shared: new Float32Array([1, 1]), far: WEST }
      await putVectors(store, [...near, ...Object.entries(rest).map(([hash, vector]) => ({ hash, vector }))])
      await read(store, async (snapshot) => {
        const ordinalsOf = async (limit: number) => ordinals(snapshot, await snapshot.nearest(ID, EAST, { limit }))
        const equals = shared.toSorted(compareTied).map(({ ordinal }) => ordinal)
        assert.deepEqual(await ordinalsOf(3), [0, ...equals.slice(0, 2)])
        assert.deepEqual(await ordinalsOf(52), [0, ...equals, 51])
      })
    },
  },
  {
    id: 'V23',
    title: 'vectors that come, change and go are seen at once, and by no snapshot that was there before',
    async run(context) {
      const store = await context.create()
      await change(store, { put: [putOfInputs('a.md', ['x', 'y']), putOfInputs('b.md', ['z'])] })
      await putVectors(store, [{ hash: 'x', vector: EAST }])
      assert.deepEqual(await similaritiesOf(store, EAST), [1])
      const before = await store.snapshot()
      await putVectors(store, [
        { hash: 'x', vector: NORTH },
        { hash: 'z', vector: WEST },
      ])
      assert.deepEqual(await similaritiesOf(store, EAST), [0, -1])
      await change(store, { remove: [sampleDocument('b.md')] })
      assert.deepEqual(await similaritiesOf(store, EAST), [0])
      await putVectors(store, [{ hash: 'x', vector: null }])
      assert.deepEqual(await similaritiesOf(store, EAST), [])
      await change(store, { put: [putOfInputs('c.md', ['z'])] })
      assert.deepEqual(await similaritiesOf(store, EAST), [-1])
      const old = await before.nearest(ID, EAST, { limit: 9 })
      assert.deepEqual(
        old.map(({ similarity }) => similarity),
        [1],
      )
      before.release()
    },
  },
  {
    id: 'V24',
    title: 'what another connection puts, changes and removes is seen by a store that has searched before',
    async run(context) {
      const store = await context.create()
      await change(store, { put: [putOfInputs('a.md', ['x', 'y'])] })
      await putVectors(store, [{ hash: 'x', vector: EAST }])
      assert.deepEqual(await similaritiesOf(store, EAST), [1])
      const other = await context.openSecond(store)
      await putVectors(other, [
        { hash: 'x', vector: NORTH },
        { hash: 'y', vector: WEST },
      ])
      assert.deepEqual(await similaritiesOf(store, EAST), [0, -1])
      await change(other, { remove: [sampleDocument('a.md')] })
      assert.deepEqual(await similaritiesOf(store, EAST), [])
    },
  },
  {
    id: 'V25',
    title:
      'of vectors that are all the same the newest chunks come first, then those of the smallest hash, however many there are',
    timeLimitMs: LONG_MS,
    async run(context) {
      const days = ['2026-03-02', undefined, '2026-03-01'] as const
      const document = sampleDocument('a.md', { from: '2026-03-01' })
      const bare = sampleDocument('b.md')
      const chunks = [document, bare].map((of) => ({
        document: of,
        chunks: Array.from({ length: 450 }, (_, ordinal) => {
          const from = days[ordinal % days.length]
          return sampleChunk(of, ordinal, { inputs: [`${of.path} ${ordinal}`], attributes: from === undefined ? {} : { from } })
        }),
      }))
      const tied = chunks.flatMap((put) =>
        put.chunks.map((chunk) => ({ ...chunk, day: dayOfChunk(chunk.attributes, put.document) })),
      )
      const expected = tied.toSorted(compareTied).map(({ document: { path }, ordinal }) => `${path} ${ordinal}`)
      const hashes = tied.flatMap(({ inputs }) => inputs)
      for (const history of [chunks, chunks.toReversed()]) {
        const store = await context.create()
        for (const put of history) await change(store, { put: [put] })
        await putVectors(
          store,
          hashes.toReversed().map((hash) => ({ hash, vector: NORTH })),
        )
        for (let search = 0; search < 3; search++) {
          await read(store, async (snapshot) => {
            for (const limit of [20, 700, 900]) {
              const nearest = await snapshot.nearest(ID, NORTH, { limit })
              const found = new Map(
                (await snapshot.chunks(nearest.map(({ chunkId }) => chunkId))).map((chunk) => [chunk.id, chunk]),
              )
              assert.deepEqual(
                nearest.map(({ chunkId }) => found.get(chunkId)?.inputs[0]),
                expected.slice(0, limit),
              )
            }
          })
        }
      }
    },
  },
]
