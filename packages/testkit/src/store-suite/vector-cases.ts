import assert from 'node:assert/strict'
import type { MemoryStore, StoreSnapshot, TiedChunk, VectorCandidate, VectorSpace } from '@mnemark/spec'
import { compareTied, dayOfChunk, fingerprint } from '@mnemark/spec'
import { otherSpace, putOfInputs, randomVector, sampleChunk, sampleDocument, seededRandom, space } from './sample-data.ts'
import type { StoreCase } from './store-context.ts'
import { change, collect, isStoreError, isTypeError, read, withLease } from './store-context.ts'

const ID = fingerprint(space)
export const DIMENSIONS = 24

interface VectorEntry {
  readonly hash: string
  readonly vector: Float32Array | null
}

export function putVectors(store: MemoryStore, entries: readonly VectorEntry[], into: VectorSpace = space): Promise<void> {
  return withLease(store, 'vectors', (lease) => store.putVectors(lease, into, entries))
}

function cosine(left: Float32Array, right: Float32Array): number {
  let dot = 0
  for (const [index, value] of left.entries()) dot += value * (right[index] ?? 0)
  return dot / (Math.hypot(...left) * Math.hypot(...right))
}

/** 300 chunks in 30 documents, each with one to three inputs, some shared. */
async function fillSeeded(store: MemoryStore): Promise<Map<string, Float32Array>> {
  const random = seededRandom(42)
  const vectors = new Map<string, Float32Array>()
  const put = Array.from({ length: 30 }, (_, number) => {
    const document = sampleDocument(`${String(number).padStart(2, '0')}.md`)
    const chunks = Array.from({ length: 10 }, (_, ordinal) => {
      const inputs = Array.from({ length: 1 + Math.floor(random() * 3) }, () => `h${Math.floor(random() * 400)}`)
      for (const hash of inputs) vectors.set(hash, vectors.get(hash) ?? randomVector(random, DIMENSIONS))
      return sampleChunk(document, ordinal, { inputs, attributes: { kind: ordinal === 0 ? 'world' : 'opinion' } })
    })
    return { document, chunks }
  })
  await change(store, { put })
  await putVectors(
    store,
    [...vectors].map(([hash, vector]) => ({ hash, vector })),
  )
  return vectors
}

export async function bruteForce(
  snapshot: StoreSnapshot,
  vectors: ReadonlyMap<string, Float32Array>,
  query: Float32Array,
): Promise<RankedChunk[]> {
  const candidates: RankedChunk[] = []
  for await (const document of snapshot.documents()) {
    for (const { id, ordinal, inputs, attributes } of await snapshot.chunksOf(document)) {
      const similarity = Math.max(...inputs.map((hash) => cosine(vectors.get(hash) ?? query, query)))
      candidates.push({ chunkId: id, similarity, document, ordinal, day: dayOfChunk(attributes, document) })
    }
  }
  return candidates.sort((left, right) => right.similarity - left.similarity || compareTied(left, right))
}

export type RankedChunk = VectorCandidate & TiedChunk

/** Tolerance of a similarity, and of a vector's number as a share of the largest: a store may keep less than float32. */
export const PRECISION = 1e-3

/** The best `limit` of brute force, except for chunks that tie with the last one. */
export function assertNearest(actual: readonly VectorCandidate[], all: readonly RankedChunk[], limit: number): void {
  const expected = new Map(all.map((candidate) => [candidate.chunkId, candidate]))
  assert.equal(
    new Set(actual.map(({ chunkId }) => chunkId)).size,
    Math.min(limit, all.length),
    'each chunk once, as many as asked',
  )
  for (const [index, { chunkId, similarity }] of actual.entries()) {
    const difference = Math.abs(similarity - (expected.get(chunkId)?.similarity ?? Number.NaN))
    assert.ok(difference < PRECISION, `similarity ${index} is the cosine`)
    const before = actual[index - 1]
    const [left, right] = [before && expected.get(before.chunkId), expected.get(chunkId)]
    const isTie = before?.similarity === similarity && left && right
    assert.ok(!before || before.similarity > similarity || (isTie && compareTied(left, right) < 0), `the best first, at ${index}`)
  }
  const lowest = actual.at(-1)?.similarity ?? Number.POSITIVE_INFINITY
  const found = new Set(actual.map(({ chunkId }) => chunkId))
  const better = all.filter(({ chunkId, similarity }) => !found.has(chunkId) && similarity > lowest + PRECISION)
  assert.deepEqual(better, [], 'nothing better was left out')
}

function assertSameVector(actual: Float32Array | null | undefined, expected: Float32Array | null): void {
  if (!expected || !actual) return assert.equal(actual, expected)
  assert.equal(actual.length, expected.length)
  const peak = Math.max(...expected.map(Math.abs))
  for (const [index, value] of expected.entries()) assert.ok(Math.abs(value - (actual[index] ?? Number.NaN)) <= PRECISION * peak)
}

export const vectorCases: readonly StoreCase[] = [
  {
    id: 'V1',
    title: 'the nearest are those of brute force: cosine, the best input of a chunk',
    async run(context) {
      const store = await context.create()
      const vectors = await fillSeeded(store)
      const random = seededRandom(7)
      await read(store, async (snapshot) => {
        for (let round = 0; round < 5; round++) {
          const query = randomVector(random, DIMENSIONS).map((value) => value * (round + 1))
          const expected = await bruteForce(snapshot, vectors, query)
          assertNearest(await snapshot.nearest(ID, query, { limit: 20 }), expected, 20)
          assertNearest(await snapshot.nearest(ID, query, { limit: 1000 }), expected, 1000)
        }
        assert.deepEqual(await snapshot.nearest(ID, randomVector(random, DIMENSIONS), { limit: 0 }), [])
      })
    },
  },
  {
    id: 'V2',
    title: 'a filter does not starve the nearest: it comes before the cut',
    async run(context) {
      const store = await context.create()
      const vectors = await fillSeeded(store)
      const query = randomVector(seededRandom(3), DIMENSIONS)
      await read(store, async (snapshot) => {
        const filters = [{ kinds: ['world'] }, { paths: ['2[0-9].md'] }, { paths: ['05.md'], kinds: ['opinion'] }]
        for (const filter of filters) {
          const matching = await snapshot.filter(filter)
          const expected = (await bruteForce(snapshot, vectors, query)).filter(({ chunkId }) => matching.has(chunkId))
          assertNearest(await snapshot.nearest(ID, query, { limit: 10, filter }), expected, 10)
        }
        assert.deepEqual(await snapshot.nearest(ID, query, { limit: 10, filter: { kinds: ['absent'] } }), [])
      })
    },
  },
  {
    id: 'V3',
    title: 'null and zero vectors count as filled and never rank; a zero query finds nothing',
    async run(context) {
      const store = await context.create()
      await change(store, { put: [putOfInputs('a.md', ['null', 'zero', 'far'])] })
      const far = new Float32Array([-1, 0])
      await putVectors(store, [
        { hash: 'null', vector: null },
        { hash: 'zero', vector: new Float32Array(2) },
        { hash: 'far', vector: far },
      ])
      await read(store, async (snapshot) => {
        const nearest = await snapshot.nearest(ID, new Float32Array([1, 0]), { limit: 10 })
        assert.deepEqual(
          nearest.map(({ similarity }) => similarity),
          [-1],
        )
        assert.deepEqual(await snapshot.nearest(ID, new Float32Array(2), { limit: 10 }), [])
        const [coverage] = await snapshot.spaces()
        assert.equal(coverage?.filled, 3)
        assert.equal(coverage?.isComplete, true)
        const stored = await snapshot.vectors(ID, ['null', 'zero', 'unknown'])
        assert.deepEqual(
          stored,
          new Map([
            ['null', null],
            ['zero', new Float32Array(2)],
          ]),
        )
      })
    },
  },
  {
    id: 'V4',
    title: 'B69 a vector of another length is `space-mismatch` before any write, a query likewise',
    async run(context) {
      const store = await context.create()
      await change(store, { put: [putOfInputs('a.md', ['x', 'y'])] })
      await putVectors(store, [{ hash: 'x', vector: new Float32Array([1, 0, 0]) }])
      const wrong = [
        { hash: 'y', vector: new Float32Array([1, 0, 0]) },
        { hash: 'x', vector: new Float32Array([1, 0]) },
      ]
      await assert.rejects(() => putVectors(store, wrong), isStoreError('space-mismatch'))
      const uneven = [
        { hash: 'x', vector: new Float32Array(3) },
        { hash: 'y', vector: new Float32Array(4) },
      ]
      await assert.rejects(() => putVectors(store, uneven, otherSpace), isStoreError('space-mismatch'))
      await read(store, async (snapshot) => {
        assert.deepEqual(await snapshot.vectors(ID, ['x', 'y']), new Map([['x', new Float32Array([1, 0, 0])]]))
        assert.deepEqual(
          (await snapshot.spaces()).map(({ fingerprint: id, dimensions }) => [id, dimensions]),
          [[ID, 3]],
        )
        await assert.rejects(() => snapshot.nearest(ID, new Float32Array(2), { limit: 1 }), isStoreError('space-mismatch'))
      })
    },
  },
  {
    id: 'V5',
    title: 'B57 a requested length holds from the first vector on; an unset one is learnt',
    async run(context) {
      const store = await context.create()
      const asked = { ...space, requestedDimensions: 4 }
      const three = [{ hash: 'x', vector: new Float32Array([1, 2, 3]) }]
      await assert.rejects(() => putVectors(store, three, asked), isStoreError('space-mismatch'))
      assert.deepEqual(await read(store, (snapshot) => snapshot.spaces()), [])
      await putVectors(store, [{ hash: 'n', vector: null }])
      const dimensions = async (): Promise<unknown> => (await read(store, (snapshot) => snapshot.spaces()))[0]?.dimensions
      assert.equal(await dimensions(), null)
      await putVectors(store, three)
      assert.equal(await dimensions(), 3)
    },
  },
  {
    id: 'V6',
    title: 'numbers that are not finite are refused before any write, in a query too',
    async run(context) {
      const store = await context.create()
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
        const entries = [
          { hash: 'x', vector: new Float32Array([1, 0]) },
          { hash: 'y', vector: new Float32Array([0, bad]) },
        ]
        await assert.rejects(() => putVectors(store, entries), isTypeError)
        const search = (): Promise<unknown> =>
          read(store, (snapshot) => snapshot.nearest(ID, new Float32Array([bad, 0]), { limit: 1 }))
        await assert.rejects(search, isTypeError)
      }
      assert.deepEqual(await read(store, (snapshot) => collect(snapshot.exportVectors(ID))), [])
    },
  },
  {
    id: 'V7',
    title: 'a limit that is not a whole number from 0 is refused',
    async run(context) {
      const store = await context.create()
      for (const limit of [-1, 2.5, Number.NaN]) {
        await read(store, async (snapshot) => {
          await assert.rejects(() => snapshot.nearest(ID, new Float32Array(2), { limit }), isTypeError)
          await assert.rejects(() => snapshot.missingInputs(ID, { limit }), isTypeError)
        })
      }
    },
  },
  {
    id: 'V8',
    title: 'an aborted search rejects with the reason of its signal',
    async run(context) {
      const store = await context.create()
      await change(store, { put: [putOfInputs('a.md', ['x'])] })
      await putVectors(store, [{ hash: 'x', vector: new Float32Array([1, 0]) }])
      const reason = new Error('the user left')
      const search = (): Promise<unknown> =>
        read(store, (snapshot) => snapshot.nearest(ID, new Float32Array([1, 0]), { limit: 1, signal: AbortSignal.abort(reason) }))
      await assert.rejects(search, (error) => error === reason)
    },
  },
  {
    id: 'V9',
    title:
      'vectors come back, each number to a thousandth of the largest, through `vectors` and `exportVectors`, referenced or not',
    async run(context) {
      const store = await context.create()
      const random = seededRandom(11)
      const entries = Array.from({ length: 700 }, (_, index) => ({
        hash: `h${String(index).padStart(4, '0')}`,
        vector: index % 50 === 0 ? null : randomVector(random, 5),
      }))
      await change(store, { put: [putOfInputs('a.md', ['h0001'])] })
      await putVectors(store, entries)
      await read(store, async (snapshot) => {
        const exported = new Map((await collect(snapshot.exportVectors(ID))).map(({ hash, vector }) => [hash, vector]))
        const hashes = entries.map(({ hash }) => hash)
        const stored = await snapshot.vectors(ID, hashes)
        assert.deepEqual([...exported.keys()].sort(), hashes)
        assert.deepEqual([...stored.keys()].sort(), hashes)
        for (const { hash, vector } of entries) {
          assertSameVector(exported.get(hash), vector)
          assertSameVector(stored.get(hash), vector)
        }
        assert.deepEqual(await snapshot.vectors('unknown', hashes), new Map())
        assert.deepEqual(await collect(snapshot.exportVectors('unknown')), [])
        assert.deepEqual(await snapshot.nearest('unknown', new Float32Array(5), { limit: 3 }), [])
      })
    },
  },
  {
    id: 'V10',
    title: 'B45 a vector put again replaces the one before',
    async run(context) {
      const store = await context.create()
      await change(store, { put: [putOfInputs('a.md', ['x'])] })
      await putVectors(store, [{ hash: 'x', vector: new Float32Array([1, 0]) }])
      await putVectors(store, [
        { hash: 'x', vector: null },
        { hash: 'x', vector: new Float32Array([0, 1]) },
      ])
      await read(store, async (snapshot) => {
        const exported = await collect(snapshot.exportVectors(ID))
        assert.deepEqual(exported, [{ hash: 'x', vector: new Float32Array([0, 1]) }])
        const nearest = await snapshot.nearest(ID, new Float32Array([0, 1]), { limit: 5 })
        assert.deepEqual(
          nearest.map(({ similarity }) => similarity),
          [1],
        )
      })
    },
  },
]
