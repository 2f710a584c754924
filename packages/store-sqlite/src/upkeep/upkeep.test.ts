import { readFileSync, statSync } from 'node:fs'
import type { MemoryStore, StoreSnapshot, VectorSpace } from '@mnemark/spec'
import { fingerprint } from '@mnemark/spec'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { change, open, read, samplePut, sampleSegment, take } from '../__fixtures__/sample.ts'
import { temporaryPath } from '../__fixtures__/temporary-path.ts'
import { openSqliteStore } from '../index.ts'

const space: VectorSpace = { provider: 'p', endpoint: null, model: 'm', requestedDimensions: null, variant: {} }

async function putVectors(store: MemoryStore, hashes: readonly string[]): Promise<void> {
  const lease = await take(store, 'vectors')
  await store.putVectors(
    lease,
    space,
    hashes.map((hash, index) => ({ hash, vector: new Float32Array([1, index]) })),
  )
  await lease.release()
}

async function maintain(store: MemoryStore, maxUnreferencedVectors: number): Promise<void> {
  const lease = await take(store)
  await store.maintain(lease, { maxUnreferencedVectors })
  await lease.release()
}

/** Changes rows behind the store's back, like a fault. */
function damage(path: string, sql: string): void {
  const database = new Database(path)
  database.unsafeMode()
  database.exec(sql)
  database.close()
}

test('B47 after twenty rounds of indexing and deleting 500 chunks, upkeep brings the file near its first size', async () => {
  const path = temporaryPath()
  const store = await open(path)
  await maintain(store, 0)
  const first = statSync(path).size
  for (let round = 0; round < 20; round++) {
    const put = Array.from({ length: 50 }, (_, index) => samplePut(`${round}-${index}.md`, 10))
    await change(store, {
      put,
      segments: () => [
        sampleSegment(
          `s${round}`,
          Array.from({ length: 50 }, (_, key) => `k${100 + key}`),
        ),
      ],
    })
    await putVectors(
      store,
      put.flatMap(({ chunks }) => chunks.flatMap(({ inputs }) => inputs)),
    )
    await change(store, { remove: put.map(({ document }) => document) })
    const lease = await take(store)
    await store.replaceSegments(lease, [`s${round}`], { id: `m${round}`, header: new Uint8Array(0), blocks: none() })
    await lease.release()
  }
  const grown = statSync(path).size
  await maintain(store, 0)
  expect(grown).toBeGreaterThan(3 * first)
  expect(statSync(path).size).toBeLessThan(first + 60_000)
})

async function* none(): AsyncGenerator<never> {}

test('B47 a cache limit of 100 leaves 100 of 1,000 texts that no chunk refers to', async () => {
  const path = temporaryPath()
  const store = await open(path)
  await putVectors(
    store,
    Array.from({ length: 1_000 }, (_, index) => `h${index}`),
  )
  await maintain(store, 100)
  const left: string[] = []
  await read(store, async (snapshot) => {
    for await (const { hash } of snapshot.exportVectors(fingerprint(space))) left.push(hash)
  })
  expect(left).toHaveLength(100)
})

test('a merge leaves no blocks of the segments it replaced', async () => {
  const path = temporaryPath()
  const store = await open(path)
  const keys = Array.from({ length: 1_200 }, (_, key) => `k${1_000 + key}`)
  await change(store, { segments: () => [sampleSegment('big', keys), sampleSegment('small', ['a'])] })
  const lease = await take(store)
  await store.replaceSegments(lease, ['big', 'small'], { id: 'merged', header: new Uint8Array(0), blocks: none() })
  const database = new Database(path, { readonly: true })
  expect(database.prepare('SELECT count(*) FROM segment_blocks').pluck().get()).toBe(0)
  database.close()
})

test('B45 a vector whose row was lost in a crash is missing again, so that the text is embedded', async () => {
  const path = temporaryPath()
  const store = await open(path)
  await change(store, { put: [samplePut('a.md', 2)] })
  await putVectors(store, ['a.md 0', 'a.md 1'])
  damage(path, 'DELETE FROM vectors WHERE id = 1')
  expect((await store.check()).problems).toContain('1 kept counts are wrong')
  expect(await store.check({ repair: true })).toMatchObject({ isHealthy: true })
  const missing = await read(store, (snapshot) => snapshot.missingInputs(fingerprint(space), { limit: 9 }))
  expect(missing.map(({ hash }) => hash)).toEqual(['a.md 0'])
  await putVectors(store, ['a.md 0'])
  expect((await read(store, (snapshot) => snapshot.spaces()))[0]?.isComplete).toBe(true)
})

test('B48 lost keyword blocks are found, all segments dropped, and every document read again', async () => {
  const path = temporaryPath()
  const store = await open(path)
  await change(store, {
    put: [samplePut('a.md', 2)],
    segments: () => [sampleSegment('s', ['a', 'b']), sampleSegment('t', ['a'])],
  })
  damage(path, "DELETE FROM segment_blocks WHERE first_key = 'b'")
  expect(await store.check()).toEqual({
    isHealthy: false,
    problems: ['1 keyword segments have lost blocks, or hold changed ones'],
    repaired: [],
  })
  const report = await store.check({ repair: true })
  expect(report.isHealthy).toBe(true)
  expect(report.repaired).toHaveLength(1)
  await read(store, async (snapshot) => {
    expect(await snapshot.segments()).toEqual([])
    const [document] = await snapshot.documentsOf([{ source: 'memory', path: 'a.md' }])
    expect(document?.recipe, 'no recipe is the empty one: out of date').toBe('')
    expect((await snapshot.counts()).chunks, 'texts stay').toBe(2)
  })
})

const FAULTS: Readonly<Record<string, string>> = {
  'chunks have lost their text': 'DELETE FROM chunk_texts WHERE id = 1',
  'chunks belong to no document': 'DELETE FROM documents WHERE id = 1',
  'texts belong to no chunk': 'DELETE FROM chunks WHERE id = 1',
  'references to inputs lead nowhere': 'DELETE FROM inputs WHERE id = 2',
  'vectors belong to no input or space, or are not as they were written': "UPDATE vectors SET bytes = x'0011' WHERE id = 1",
  '2 vectors belong to no input or space': 'UPDATE spaces SET space = NULL, dimensions = NULL',
  'are not as they were written': 'UPDATE vectors SET bytes = zeroblob(length(bytes)) WHERE id = 1',
  'vector spaces do not hold what they should': 'UPDATE vector_blocks SET bytes = zeroblob(length(bytes))',
  'of 1 vector spaces do not hold': 'DELETE FROM vector_blocks',
  'blocks of 1 vector spaces': 'UPDATE vectors SET slot = 1 - slot',
  'marks of failed inputs belong to no input or space': "INSERT INTO failures (space, input, reason) VALUES (99, 99, 'r')",
  'chunks more or fewer than were put': 'DELETE FROM chunks WHERE id = 2',
  'chunks are not as they were written': "UPDATE chunk_texts SET text = replace(text, 'line', 'lime') WHERE id = 1",
  'segments have lost blocks, or hold changed ones': "UPDATE segment_blocks SET bytes = x'08'",
  'segments more or fewer than were put': 'DELETE FROM segments; DELETE FROM segment_blocks',
  'blocks belong to no keyword segment': "INSERT INTO segment_blocks (segment, first_key, bytes) VALUES (99, 'k', x'00')",
  'kept counts are wrong': "UPDATE counters SET value = 40 WHERE name = 'referenced inputs'",
}

test.each(Object.entries(FAULTS))('a fault is found and repaired: %s', async (problem, fault) => {
  const path = temporaryPath()
  const store = await open(path)
  await change(store, { put: [samplePut('a.md', 2), samplePut('b.md', 1)], segments: () => [sampleSegment('s', ['a'])] })
  await putVectors(store, ['a.md 0', 'b.md 0'])
  damage(path, fault)
  const found = await store.check()
  expect(found.isHealthy).toBe(false)
  expect(found.problems.join('\n')).toContain(problem)
  expect((await store.check({ repair: true })).isHealthy).toBe(true)
  expect(await store.check()).toEqual({ isHealthy: true, problems: [], repaired: [] })
  await change(store, { put: [samplePut('a.md', 2), samplePut('b.md', 1)] })
  expect(await store.check()).toEqual({ isHealthy: true, problems: [], repaired: [] })
})

const LOST_IDENTITY: Readonly<Record<string, string>> = {
  'what a space stands for': 'UPDATE spaces SET space = NULL, dimensions = NULL',
  'how many vectors it has': 'UPDATE spaces SET filled = 0',
  'how many inputs there are': "UPDATE counters SET value = 0 WHERE name = 'referenced inputs'",
}

test.each(Object.entries(LOST_IDENTITY))('B69 lost: %s: it is noticed when a sync looks, and mended', async (_, fault) => {
  const path = temporaryPath()
  const store = await open(path)
  const look = () =>
    read(store, async (snapshot) => [
      (await snapshot.spaces()).map(({ dimensions, missing }) => [dimensions, missing]),
      (await snapshot.missingInputs(fingerprint(space), { limit: 9 })).length,
    ])
  await change(store, { put: [samplePut('a.md', 2)] })
  await putVectors(store, ['a.md 0', 'a.md 1'])
  expect(await look()).toEqual([[[2, 0]], 0])
  damage(path, fault)
  await expect(look()).rejects.toMatchObject({ code: 'corrupt' })
  expect((await store.check({ repair: true })).isHealthy).toBe(true)
  await putVectors(store, ['a.md 0', 'a.md 1'])
  expect(await look()).toEqual([[[2, 0]], 0])
})

test('an index of SQLite that disagrees with its table is made again', async () => {
  const path = temporaryPath()
  const store = await open(path)
  await change(store, { put: [samplePut('a.md', 3)] })
  await store.close()
  const sql = 'CREATE INDEX chunks_by_document ON chunks (ordinal)'
  damage(path, `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '${sql}' WHERE name = 'chunks_by_document'`)
  const reopened = await open(path)
  const found = await reopened.check()
  expect(found.isHealthy).toBe(false)
  expect(found.problems.join('\n')).toContain('chunks_by_document')
  expect(await reopened.check({ repair: true })).toMatchObject({ isHealthy: true, repaired: ['made the indexes again'] })
})

/** Faults behind the store's back in data that search reads, with the read that must detect them. */
const READ_FAULTS: Readonly<Record<string, readonly [fault: string, read: (snapshot: StoreSnapshot) => Promise<unknown>]>> = {
  'the text of a chunk': ["UPDATE chunk_texts SET text = replace(text, 'line', 'lime')", (snapshot) => snapshot.chunks([1])],
  'the lines of a chunk': ['UPDATE chunks SET start_line = 7', (snapshot) => snapshot.chunks([1])],
  'the row of a text': ['DELETE FROM chunk_texts', (snapshot) => snapshot.chunks([1])],
  'the row of a document': ['DELETE FROM documents', (snapshot) => snapshot.chunks([1])],
  'rows of chunks': ['DELETE FROM chunks WHERE id = 2', (snapshot) => snapshot.counts()],
  'the bytes of a block': [
    "UPDATE segment_blocks SET bytes = x'08'",
    (snapshot) => snapshot.blocks([{ segment: 's', keys: ['a'] }]),
  ],
  'the bytes of a scanned block': ["UPDATE segment_blocks SET bytes = x'08'", (snapshot) => first(snapshot.scan('s'))],
  'the row of a block': ["DELETE FROM segment_blocks WHERE first_key = 'b'", (snapshot) => snapshot.segments()],
  'the row of a segment': ['DELETE FROM segments', (snapshot) => snapshot.segments()],
  'the head of a segment': ["UPDATE segments SET header = x'02'", (snapshot) => snapshot.segments()],
}

async function first<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item
  return undefined
}

test.each(Object.entries(READ_FAULTS))(
  'B48 a fault in %s is `corrupt` when it is read, never less text',
  async (_, [fault, look]) => {
    const path = temporaryPath()
    const store = await openSqliteStore({ path })
    await change(store, { put: [samplePut('a.md', 2)], segments: () => [sampleSegment('s', ['a', 'b'])] })
    await read(store, look)
    await store.close()
    damage(path, fault)
    const reopened = await open(path)
    await expect(read(reopened, look)).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('check({ repair: true })'),
    })
    expect((await reopened.check({ repair: true })).isHealthy).toBe(true)
  },
)

test('B79 a vector that was on its way when its text was erased is left out, unless a chunk has the text again', async () => {
  const path = temporaryPath()
  let nowMs = Date.UTC(2026, 2, 14)
  const store = await openSqliteStore({ path, nowMs: () => nowMs })
  await change(store, { put: [samplePut('secret.md', 2)] })
  await change(store, { remove: [{ source: 'memory', path: 'secret.md' }] })
  const erase = await take(store)
  await store.eraseInputs(erase, ['secret.md 0', 'never seen'])
  await erase.release()
  const arrived = ['secret.md 0', 'secret.md 1', 'never seen']
  const kept = () => read(store, async (snapshot) => [...(await snapshot.vectors(fingerprint(space), arrived)).keys()].sort())
  await putVectors(store, arrived)
  expect(await kept()).toEqual(['secret.md 1'])

  await change(store, { put: [samplePut('secret.md', 2)] })
  await putVectors(store, arrived)
  expect(await kept()).toEqual(['secret.md 0', 'secret.md 1'])

  nowMs += 31 * 86_400_000
  const later = await take(store)
  await store.eraseInputs(later, ['something else'])
  await later.release()
  await putVectors(store, arrived)
  expect(await kept()).toEqual(['never seen', 'secret.md 0', 'secret.md 1'])
})

test('B79 erasing takes the vectors of texts that no chunk has any more, and leaves none of their bytes', async () => {
  const path = temporaryPath()
  const store = await openSqliteStore({ path, isErasing: true })
  await change(store, { put: [samplePut('kept.md', 1), samplePut('secret.md', 2)] })
  await putVectors(store, ['kept.md 0', 'secret.md 0', 'secret.md 1'])
  await change(store, { remove: [{ source: 'memory', path: 'secret.md' }] })
  const lease = await take(store)
  expect(await store.eraseInputs(lease, ['secret.md 0', 'secret.md 1', 'kept.md 0', 'unknown'])).toEqual({
    vectors: 2,
    shared: ['kept.md 0'],
  })
  await store.maintain(lease, { maxUnreferencedVectors: 100 })
  expect((await store.check()).problems).toEqual([])
  await store.close()
  const bytes = readFileSync(path).toString('latin1')
  expect([bytes.includes('kept.md'), bytes.includes('secret.md')]).toEqual([true, false])
})
