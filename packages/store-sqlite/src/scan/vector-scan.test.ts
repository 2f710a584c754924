import type { MemoryStore, VectorCandidate, VectorSpace } from '@mnemark/spec'
import { fingerprint } from '@mnemark/spec'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { change, read, samplePut, take } from '../__fixtures__/sample.ts'
import { temporaryPath } from '../__fixtures__/temporary-path.ts'
import type { SpaceScan, SqliteMemoryStore, SqliteStoreOptions } from '../index.ts'
import { openSqliteStore } from '../index.ts'
import { setAsideDamagedStore } from '../repair.ts'

const space: VectorSpace = { provider: 'p', endpoint: null, model: 'm', requestedDimensions: null, variant: {} }
const ID = fingerprint(space)
const DIMENSIONS = 96
const CHUNKS_A_NOTE = 100

async function open(path: string, options: Omit<SqliteStoreOptions, 'path'> = {}): Promise<SqliteMemoryStore> {
  const store = await openSqliteStore({ path, ...options })
  onTestFinished(() => store.close())
  return store
}

/** Equal for equal seeds; neighbours have adjacent seeds. */
function made(seed: number): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, (_, index) => Math.sin(seed * 0.37 + index * (1 + (seed % 40))) + 0.1)
}

async function putVectors(store: MemoryStore, vectors: ReadonlyMap<string, Float32Array | null>): Promise<void> {
  const lease = await take(store, 'vectors')
  await store.putVectors(
    lease,
    space,
    [...vectors].map(([hash, vector]) => ({ hash, vector })),
  )
  await lease.release()
}

function vectorsOf(notes: number, seed = 0): Map<string, Float32Array> {
  const names = Array.from({ length: notes }, (_, note) => `${note}.md`)
  const hashes = names.flatMap((path) => Array.from({ length: CHUNKS_A_NOTE }, (_, ordinal) => `${path} ${ordinal}`))
  return new Map(hashes.map((hash, index) => [hash, made(seed + index)]))
}

async function fill(store: MemoryStore, notes: number): Promise<Map<string, Float32Array>> {
  await change(store, { put: Array.from({ length: notes }, (_, note) => samplePut(`${note}.md`, CHUNKS_A_NOTE)) })
  const vectors = vectorsOf(notes)
  await putVectors(store, vectors)
  return vectors
}

function nearest(store: MemoryStore, query: Float32Array, limit = 10): Promise<readonly VectorCandidate[]> {
  return read(store, (snapshot) => snapshot.nearest(ID, query, { limit }))
}

async function scanOf(store: SqliteMemoryStore): Promise<SpaceScan | undefined> {
  return (await store.describeScan()).spaces[0]
}

async function warmed(store: SqliteMemoryStore): Promise<void> {
  for (let search = 0; search < 2; search++) await nearest(store, made(1))
  await expect.poll(async () => (await scanOf(store))?.warm, { interval: 5 }).toBe((await scanOf(store))?.vectors)
}

/** Changes rows behind the store's back, like a fault. */
function damage(path: string, sql: string): void {
  const database = new Database(path)
  database.exec(sql)
  database.close()
}

test('the first search reads 1-bit codes, later ones have int8 codes too, and all give the same answers', async () => {
  const store = await open(temporaryPath())
  await fill(store, 12)
  expect(await store.describeScan()).toMatchObject({ kernel: null, spaces: [{ vectors: 1_200, inMemory: 0, warm: 0 }] })
  const first = await nearest(store, made(3))
  expect(first[0]).toEqual({ chunkId: 4, similarity: expect.closeTo(1, 5) })
  expect(await store.describeScan()).toMatchObject({
    kernel: 'wasm',
    spaces: [{ strategy: 'codes', codes: 'int8', inMemory: 1_200, warm: 0 }],
  })
  await warmed(store)
  expect(await nearest(store, made(3))).toEqual(first)
})

test('without memory for int8 codes, 1-bit codes alone are used', async () => {
  const store = await open(temporaryPath(), { scanMemoryBytes: 0 })
  await fill(store, 3)
  const answers = []
  for (let search = 0; search < 3; search++) answers.push(await nearest(store, made(3)))
  expect(answers[2]).toEqual(answers[0])
  expect(await scanOf(store)).toMatchObject({ codes: '1-bit', inMemory: 300, warm: 0 })
})

test('one changed vector leaves the int8 codes of the others where they are', async () => {
  const store = await open(temporaryPath())
  await fill(store, 6)
  await warmed(store)
  await putVectors(store, new Map([['2.md 7', made(5_000)]]))
  expect((await nearest(store, made(5_000)))[0]).toEqual({ chunkId: 208, similarity: expect.closeTo(1, 5) })
  expect(await scanOf(store)).toMatchObject({ vectors: 600, warm: 600 })
})

test('B47 slots are used again, and upkeep brings few vectors in many blocks together', async () => {
  const store = await open(temporaryPath())
  await fill(store, 12)
  const blocks = async (): Promise<unknown> => (await store.query('SELECT count(*) AS blocks FROM vector_blocks'))[0]?.['blocks']
  expect(await blocks()).toBe(5)
  for (let round = 1; round <= 10; round++) {
    const put = [samplePut(`again ${round}.md`, CHUNKS_A_NOTE)]
    await change(store, { put, remove: [{ source: 'memory', path: round === 1 ? '0.md' : `again ${round - 1}.md` }] })
    await putVectors(store, new Map(put.flatMap(({ chunks }) => chunks.map(({ inputs }) => [inputs[0] ?? '', made(round)]))))
  }
  expect(await blocks()).toBe(5)
  // Every other note, so that no block is empty.
  const remove = Array.from({ length: 10 }, (_, note) => ({ source: 'memory', path: `${note + 1}.md` }))
  await change(store, { remove: remove.filter((_, index) => index % 4 > 0) })
  const before = await nearest(store, made(1_150))
  const lease = await take(store)
  await store.maintain(lease, { maxUnreferencedVectors: 0 })
  await lease.release()
  expect(Number(await blocks())).toBeLessThan(5)
  expect(await nearest(store, made(1_150))).toEqual(before)
  expect((await store.check()).problems).toEqual([])
})

test('vectors that no chunk refers to take no place in the scan', async () => {
  const store = await open(temporaryPath())
  await fill(store, 2)
  await change(store, { remove: [{ source: 'memory', path: '0.md' }] })
  expect(await scanOf(store)).toMatchObject({ vectors: 100 })
  await change(store, { put: [samplePut('0.md', CHUNKS_A_NOTE)] })
  expect(await scanOf(store)).toMatchObject({ vectors: 200 })
  expect((await nearest(store, made(3)))[0]?.similarity).toBeCloseTo(1, 5)
})

test('a changed vector is left out of answers, named and embedded again', async () => {
  const path = temporaryPath()
  const store = await open(path)
  await fill(store, 3)
  damage(path, 'UPDATE vectors SET bytes = randomblob(length(bytes)) WHERE id = 4')
  const found = await nearest(store, made(3), 300)
  expect(found.some(({ chunkId }) => chunkId === 4)).toBe(false)
  expect(found).toHaveLength(299)
  expect(await scanOf(store)).toMatchObject({ damagedVectors: 1, areBlocksDamaged: false })
  expect((await store.check()).problems[0]).toContain('1 vectors')
  expect((await store.check({ repair: true })).isHealthy).toBe(true)
  const missing = await read(store, (snapshot) => snapshot.missingInputs(ID, { limit: 9 }))
  expect(missing.map(({ hash }) => hash)).toEqual(['0.md 3'])
})

test('a lost vector is left out and named, in a store that holds its codes as well', async () => {
  const path = temporaryPath()
  const store = await open(path)
  await fill(store, 3)
  await warmed(store)
  damage(path, 'DELETE FROM vectors WHERE id = 4')
  expect((await nearest(store, made(3), 300)).some(({ chunkId }) => chunkId === 4)).toBe(false)
  expect(await scanOf(store)).toMatchObject({ damagedVectors: 1 })
})

test.each([
  ['changed', 'UPDATE vector_blocks SET bytes = randomblob(length(bytes)) WHERE block = 1'],
  ['lost', 'DELETE FROM vector_blocks WHERE block = 1'],
  ['cut', 'UPDATE vector_blocks SET bytes = substr(bytes, 1, 100) WHERE block = 0'],
])('where a block is %s the rows answer, and the blocks are made again', async (_, fault) => {
  const path = temporaryPath()
  const before = await open(path)
  await fill(before, 6)
  const expected = await nearest(before, made(300))
  await before.close()
  damage(path, fault)
  const store = await open(path)
  expect(await nearest(store, made(300))).toEqual(expected)
  expect(await scanOf(store)).toMatchObject({ areBlocksDamaged: true, strategy: 'rows' })
  expect((await store.check()).problems).toEqual(['the blocks of 1 vector spaces do not hold what they should'])
  expect(await store.check({ repair: true })).toMatchObject({ isHealthy: true })
  expect(await nearest(store, made(300))).toEqual(expected)
  expect(await scanOf(store)).toMatchObject({ areBlocksDamaged: false, strategy: 'codes' })
})

test('a long search lets others run, and ends when it is told to', async () => {
  const path = temporaryPath()
  const store = await open(path)
  await fill(store, 30)
  damage(path, 'DELETE FROM vector_blocks WHERE block = 1')
  const controller = new AbortController()
  const search = read(store, (snapshot) => snapshot.nearest(ID, made(1), { limit: 10, signal: controller.signal }))
  // Runs only because the search yields.
  setImmediate(() => controller.abort(new Error('enough')))
  await expect(search).rejects.toThrow('enough')
})

test('a snapshot that is released ends its search as `closed`', async () => {
  const store = await open(temporaryPath())
  await fill(store, 90)
  const snapshot = await store.snapshot()
  const search = snapshot.nearest(ID, made(1), { limit: 10 })
  snapshot.release()
  await expect(search).rejects.toMatchObject({ code: 'closed' })
  expect(await nearest(store, made(1))).toHaveLength(10)
})

test('searches at the same time do not disturb each other', async () => {
  const store = await open(temporaryPath())
  await fill(store, 12)
  const queries = Array.from({ length: 12 }, (_, index) => made(index * 90))
  const alone = []
  for (const query of queries) alone.push(await nearest(store, query))
  expect(await Promise.all(queries.map((query) => nearest(store, query)))).toEqual(alone)
})

test('B43 codes of a file that was set aside are never taken for those of the next one', async () => {
  const path = temporaryPath()
  const store = await open(path)
  await fill(store, 3)
  await nearest(store, made(3))
  setAsideDamagedStore(path)
  const other = await open(path)
  await change(other, { put: Array.from({ length: 3 }, (_, note) => samplePut(`${note}.md`, CHUNKS_A_NOTE)) })
  await putVectors(other, vectorsOf(3, 7_000))
  expect(await nearest(store, made(7_003))).toEqual(await nearest(other, made(7_003)))
  expect((await nearest(store, made(7_003)))[0]?.similarity).toBeCloseTo(1, 5)
})

test('B69 spaces of two lengths answer each for itself, with codes of both in memory', async () => {
  const store = await open(temporaryPath())
  await fill(store, 3)
  const short: VectorSpace = { ...space, model: 'short' }
  const lease = await take(store, 'vectors')
  const entries = Array.from({ length: 100 }, (_, ordinal) => ({
    hash: `1.md ${ordinal}`,
    vector: new Float32Array([1, ordinal]),
  }))
  await store.putVectors(lease, short, entries)
  await lease.release()
  for (let search = 0; search < 3; search++) {
    expect((await nearest(store, made(3)))[0]?.chunkId).toBe(4)
    const [best] = await read(store, (snapshot) => snapshot.nearest(fingerprint(short), new Float32Array([1, 0]), { limit: 1 }))
    expect(best).toEqual({ chunkId: 101, similarity: 1 })
  }
  expect((await store.describeScan()).spaces.map(({ vectors }) => vectors)).toEqual([300, 100])
})

test.each([1, 3, 127, 129, 4_096, 10_000])('vectors of %i numbers are found by both kinds of codes', async (dimensions) => {
  const store = await open(temporaryPath())
  const inputs = ['0.md 0', '0.md 1', '0.md 2']
  await change(store, { put: [samplePut('0.md', 3)] })
  const waves = inputs.map((_, wave) =>
    Float32Array.from({ length: dimensions }, (_number, index) => Math.cos(wave * (index + 2))),
  )
  await putVectors(store, new Map(inputs.map((hash, index) => [hash, waves[index] ?? null])))
  for (let search = 0; search < 3; search++) {
    const [best] = await nearest(store, waves[1] ?? new Float32Array(dimensions), 1)
    expect(best?.similarity).toBeCloseTo(1, 4)
    await expect(nearest(store, new Float32Array(dimensions + 1))).rejects.toMatchObject({ code: 'space-mismatch' })
  }
  await expect.poll(async () => (await scanOf(store))?.warm, { interval: 5 }).toBe(3)
})
