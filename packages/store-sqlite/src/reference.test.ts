import type { BatchJob, ChunkFilter, MemoryStore, StoreSnapshot, VectorSpace } from '@mnemark/spec'
import { fingerprint } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { read, take } from './__fixtures__/sample.ts'
import { openSqliteStore } from './index.ts'

// Any series of changes must leave this store and the reference store with the same answers.

const space: VectorSpace = { provider: 'p', endpoint: null, model: 'm', requestedDimensions: 2, variant: {} }
const HASHES = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const DAYS = ['2026-03-13', '2026-03-14', '2026-03-15']
const PATHS = ['a.md', 'A.md', 'memory/b.md', 'memory/x/[c].md', 'e\u0301.md', '\u00e9.md', "o'b.md"]
const LABELS = ['ann', 'ANN', 'stra\u00dfe', '100%', 'x', 'x/y']

const optional = <T>(values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.option(fc.constantFrom(...values), { nil: undefined })
const list = <T>(values: readonly T[]): fc.Arbitrary<T[]> => fc.array(fc.constantFrom(...values), { maxLength: 3 })
const someLabels = (): fc.Arbitrary<string[] | undefined> =>
  fc.option(fc.array(fc.constantFrom(...LABELS), { minLength: 1, maxLength: 3 }), { nil: undefined })

const attributes = fc
  .record({
    kind: optional(['world', 'opinion']),
    from: optional(DAYS),
    to: optional(DAYS),
    time: optional(['08:00', '12:00']),
    session: optional(['s1', 's2']),
  })
  .map(compact)
const labels = fc.record({ entities: someLabels(), tags: someLabels() }).map(compact)
const documentId = fc
  .record({ source: fc.constantFrom('memory', 'sessions'), path: fc.constantFrom(...PATHS), part: optional([0, 1]) })
  .map(compact)
const chunk = fc
  .record({ inputs: list(HASHES), attributes, labels })
  .map(({ labels: some, ...rest }) => (Object.keys(some).length === 0 ? rest : { ...rest, labels: some }))

type Change = (store: MemoryStore) => Promise<void>

const put = fc.tuple(documentId, fc.array(chunk, { maxLength: 4 }), fc.nat(9)).map(
  ([id, chunks, size]): Change =>
    async (store) => {
      const document = { ...id, size, modifiedAtMs: size + 0.5, contentHash: `${size}`, recipe: 'r', isEvergreen: size > 5 }
      const made = chunks.map((part, ordinal) => ({
        ...part,
        document: id,
        ordinal,
        startLine: 1,
        endLine: 2,
        text: `${ordinal}`,
        headingTrail: [],
      }))
      const lease = await take(store)
      await store.apply(lease, { put: [{ document, chunks: made }], touch: [], remove: [] })
      await lease.release()
    },
)
const remove = documentId.map(
  (id): Change =>
    async (store) => {
      const lease = await take(store)
      await store.apply(lease, { put: [], touch: [{ ...id, size: 1, modifiedAtMs: 2, inode: '3' }], remove: [] })
      await store.apply(lease, { put: [], touch: [], remove: [id] })
      await lease.release()
    },
)
const vector = fc.option(
  fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })).map((numbers) => new Float32Array(numbers)),
)
const fill = fc.array(fc.record({ hash: fc.constantFrom(...HASHES), vector }), { maxLength: 4 }).map(
  (entries): Change =>
    async (store) => {
      const lease = await take(store, 'vectors')
      await store.putVectors(lease, space, entries)
      await lease.release()
    },
)
const fail = fc.constantFrom(...HASHES).map(
  (hash): Change =>
    async (store) => {
      const lease = await take(store, 'vectors')
      await store.markFailed(lease, fingerprint(space), [{ hash, reason: 'r' }])
      await lease.release()
    },
)
const job = fc.tuple(fc.constantFrom('intended', 'collected'), list(HASHES)).map(
  ([state, inputs]): Change =>
    async (store) => {
      const lease = await take(store, 'vectors')
      // The constants above are states of the type.
      await store.jobs.put(lease, { marker: 'm', space, state: state as BatchJob['state'], inputs, createdAt: '' })
      await lease.release()
    },
)
const upkeep = fc.nat(3).map(
  (max): Change =>
    async (store) => {
      const lease = await take(store)
      await store.maintain(lease, { maxUnreferencedVectors: max })
      await lease.release()
    },
)
const drop = fc.constant<Change>(async (store) => {
  const lease = await take(store, 'vectors')
  await store.dropSpace(lease, fingerprint(space))
  await lease.release()
})
const change = fc.oneof({ weight: 6, arbitrary: put }, { weight: 3, arbitrary: fill }, remove, fail, job, upkeep, drop)

const filter = fc
  .record({
    sources: optional([['memory'], []]),
    paths: optional([['*.md'], ['memory/**'], ['memory/x/[c].md'], ['{a,A}.md', '\u00e9.md'], []]),
    excludePaths: optional([['**/x/**'], []]),
    since: optional(DAYS),
    until: optional(DAYS),
    asOf: optional(DAYS),
    kinds: optional([['world'], ['world', 'opinion'], ['note']]),
    sessions: optional([['s1']]),
    entities: optional([['ann'], ['stra\u00dfe', 'x'], []]),
    tags: optional([['100%'], ['1%'], ['x']]),
    all: optional([[{ kinds: ['world'] }], [{ until: '2026-03-14' }, { tags: ['x'] }], []]),
  })
  .map(compact)

/** Without `undefined` members, which these types do not allow. */
function compact<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // Only absent members are left out, and every one of them is optional where the result is used.
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

async function answers(snapshot: StoreSnapshot, filters: readonly ChunkFilter[]): Promise<unknown> {
  const id = fingerprint(space)
  const chunks = await Promise.all(Array.from({ length: 60 }, (_, index) => snapshot.chunks([index])))
  const filtered = []
  for (const one of filters) {
    const matching = await snapshot.filter(one)
    const nearest = await snapshot.nearest(id, new Float32Array([1, 0.5]), { limit: 4, filter: one })
    const newest = await snapshot.select(one, { order: 'newest', limit: 3 })
    const after = newest.at(-1)?.id
    filtered.push({
      newest,
      rest: await snapshot.select(one, { order: 'newest', limit: 9, ...(after !== undefined && { after }) }),
      byPath: await snapshot.select(one, { order: 'path', limit: 9 }),
      size: matching.size,
      ids: [...chunks.keys()].filter((index) => matching.has(index)),
      nearest: nearest.map(({ chunkId, similarity }) => [chunkId, Math.fround(similarity)]),
    })
  }
  const documents: string[] = []
  for await (const document of snapshot.documents()) documents.push(JSON.stringify(document, Object.keys(document).sort()))
  const exported = []
  for await (const entry of snapshot.exportVectors(id)) exported.push(entry)
  return {
    counts: await snapshot.counts(),
    documents: documents.sort(),
    chunks,
    filtered,
    spaces: await snapshot.spaces(),
    missing: await snapshot.missingInputs(id, { limit: 4 }),
    retried: await snapshot.missingInputs(id, { limit: 9, after: 'h1', retryFailed: true }),
    exported: exported.sort((left, right) => (left.hash < right.hash ? -1 : 1)),
  }
}

test('answers like the reference store after any series of changes, and stays healthy', async () => {
  const property = fc.asyncProperty(
    fc.array(change, { minLength: 1, maxLength: 12 }),
    fc.array(filter, { maxLength: 3 }),
    async (changes, filters) => {
      const reference = createInMemoryStore()
      const store = await openSqliteStore({ path: ':memory:' })
      try {
        for (const apply of changes) {
          await apply(reference)
          await apply(store)
        }
        const expected = await read(reference, (snapshot) => answers(snapshot, filters))
        expect(await read(store, (snapshot) => answers(snapshot, filters))).toEqual(expected)
        expect(await store.check()).toEqual({ isHealthy: true, problems: [], repaired: [] })
      } finally {
        await store.close()
      }
    },
  )
  await fc.assert(property, { seed: 20_260_314, numRuns: 120 })
})
