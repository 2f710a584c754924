import { openSync, readFileSync, statSync, writeFileSync, writeSync, closeSync } from 'node:fs'
import type { MemoryStore, VectorSpace } from '@mnemark/spec'
import { fingerprint } from '@mnemark/spec'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { change, open, read, samplePut, take } from '../__fixtures__/sample.ts'
import { temporaryPath } from '../__fixtures__/temporary-path.ts'
import type { Rescued } from '../repair.ts'
import { openSqliteStore } from '../index.ts'
import { rescueVectors, setAsideDamagedStore } from '../repair.ts'

const space: VectorSpace = { provider: 'p', endpoint: null, model: 'm', requestedDimensions: null, variant: {} }
const ID = fingerprint(space)
const CHUNKS = 1_200

const hashes = Array.from({ length: CHUNKS }, (_, index) => `a.md ${index}`)
const vectorOf = (index: number): Float32Array =>
  index % 100 === 5 ? new Float32Array(64) : Float32Array.from({ length: 64 }, (_, at) => Math.sin(index * (at + 1)))

async function filledFile(): Promise<string> {
  const path = temporaryPath()
  const store = await openSqliteStore({ path })
  await change(store, { put: [samplePut('a.md', CHUNKS)] })
  const lease = await take(store, 'vectors')
  await store.putVectors(
    lease,
    space,
    hashes.map((hash, index) => ({ hash, vector: index % 100 === 7 ? null : vectorOf(index) })),
  )
  await lease.release()
  await store.close()
  return path
}

async function rescued(path: string): Promise<{ readonly store: MemoryStore; readonly result: Rescued }> {
  const [aside = ''] = setAsideDamagedStore(path).filter((file) => /damaged-\d+$/.test(file))
  const store = await open(path)
  await change(store, { put: [samplePut('a.md', CHUNKS)] })
  const lease = await take(store)
  const result = await rescueVectors(aside, store, lease)
  await lease.release()
  return { store, result }
}

async function assertRight(store: MemoryStore, expected: number): Promise<void> {
  const original = await openSqliteStore({ path: await filledFile() })
  const [truth, found] = [await vectorsIn(original), await vectorsIn(store)]
  await original.close()
  expect(found.size).toBe(expected)
  for (const [hash, vector] of found) expect(vector).toEqual(truth.get(hash))
}

function vectorsIn(store: MemoryStore): Promise<ReadonlyMap<string, Float32Array | null>> {
  return read(store, (snapshot) => snapshot.vectors(ID, hashes))
}

test('every vector of an index that was set aside comes into the next one', async () => {
  const { store, result } = await rescued(await filledFile())
  expect(result).toEqual({ vectors: CHUNKS, lost: 0 })
  await assertRight(store, CHUNKS)
  expect(await read(store, (snapshot) => snapshot.missingInputs(ID, { limit: 9 }))).toEqual([])
  expect((await store.check()).problems).toEqual([])
})

/** Overwrites every `nth` page that holds vectors. */
function spoilPages(path: string, nth: number): void {
  const database = new Database(path, { readonly: true })
  const sql = "SELECT pageno FROM dbstat WHERE name = 'vectors' AND pagetype = 'leaf' ORDER BY pageno"
  const pages = database.prepare(sql).pluck().all().map(Number)
  database.close()
  const file = openSync(path, 'r+')
  for (const [index, page] of pages.entries())
    if (index % nth === 0) writeSync(file, Buffer.alloc(4_096, 0xa5), 0, 4_096, (page - 1) * 4_096)
  closeSync(file)
}

test('what stands on damaged pages stays behind, the rest comes', async () => {
  const path = await filledFile()
  spoilPages(path, 10)
  const { store, result } = await rescued(path)
  expect(result.vectors).toBeGreaterThan(0.8 * CHUNKS)
  expect(result.vectors).toBeLessThan(CHUNKS)
  await assertRight(store, result.vectors)
})

test('changed bytes and changed references are never taken for vectors', async () => {
  const path = await filledFile()
  const database = new Database(path)
  database.exec(`UPDATE vectors SET bytes = randomblob(length(bytes)) WHERE id % 10 = 0;
    UPDATE vectors SET input = -input WHERE id % 10 IN (1, 4);
    UPDATE vectors SET input = 3 - input WHERE input < 0 AND id % 10 = 1;
    UPDATE vectors SET input = -3 - input WHERE input < 0;
    UPDATE inputs SET hash = hash || 'x' WHERE id % 10 = 2`)
  database.close()
  const { store, result } = await rescued(path)
  expect(result.vectors).toBe(0.7 * CHUNKS)
  await assertRight(store, 0.6 * CHUNKS)
})

test.each([
  ['is no database', (path: string): void => writeFileSync(path, 'no database at all')],
  ['is cut to its first page', (path: string): void => writeFileSync(path, readFileSync(path).subarray(0, 4_096))],
  ['is empty', (path: string): void => writeFileSync(path, '')],
])('of a file that %s nothing comes, and nothing fails', async (_, spoil) => {
  const path = await filledFile()
  spoil(path)
  expect(statSync(path).size).toBeLessThan(5_000)
  expect((await rescued(path)).result.vectors).toBe(0)
})
