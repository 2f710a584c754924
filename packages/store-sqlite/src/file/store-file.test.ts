import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { fingerprint, StoreError } from '@mnemark/spec'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { change, countDocuments, open, read, samplePut, take } from '../__fixtures__/sample.ts'
import { temporaryPath } from '../__fixtures__/temporary-path.ts'
import { openSqliteStore } from '../index.ts'
import { setAsideDamagedStore } from '../repair.ts'

async function filled(path: string, documents: number): Promise<void> {
  const store = await openSqliteStore({ path })
  await change(store, { put: Array.from({ length: documents }, (_, index) => samplePut(`${index}.md`, 3)) })
  await store.close()
}

async function refusal(path: string): Promise<StoreError> {
  const error: unknown = await openSqliteStore({ path }).then(
    () => 'it opened',
    (reason) => reason,
  )
  if (!StoreError.isInstance(error)) throw new Error(`expected a StoreError, got ${String(error)}`)
  expect(error.message).toContain(path)
  return error
}

/** The administrator may write anywhere, so the test drops those rights. */
function asOrdinaryUser(): void {
  if (process.geteuid?.() !== 0) return
  process.seteuid?.(65_534)
  onTestFinished(() => {
    process.seteuid?.(0)
  })
}

/** Everybody may read, nobody may write. */
function makeReadOnly(path: string): void {
  for (const name of readdirSync(dirname(path))) chmodSync(join(dirname(path), name), 0o444)
  chmodSync(dirname(path), 0o555)
  onTestFinished(() => chmodSync(dirname(path), 0o755))
  asOrdinaryUser()
}

test('makes the folder, and files only their owner may read', async () => {
  const path = join(dirname(temporaryPath()), 'deep', 'er', 'index.sqlite')
  const store = await open(path)
  await change(store, { put: [samplePut('a.md')] })
  expect(['', '-wal', '-shm'].map((suffix) => statSync(path + suffix).mode & 0o777)).toEqual([0o600, 0o600, 0o600])
})

test('takes the rights of others away from an index that has them', async () => {
  const path = temporaryPath()
  await filled(path, 1)
  chmodSync(path, 0o644)
  await open(path)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('B42 a file of no bytes is a fresh index', async () => {
  const path = temporaryPath()
  writeFileSync(path, '')
  const store = await open(path)
  await change(store, { put: [samplePut('a.md')] })
  expect(await countDocuments(store)).toBe(1)
})

test('a file that is no database is `corrupt`, says what to do, and is left as it is', async () => {
  const path = temporaryPath()
  const bytes = Buffer.from('# A note, not an index\n'.repeat(300))
  writeFileSync(path, bytes)
  const error = await refusal(path)
  expect(error.code).toBe('corrupt')
  expect(error.message).toContain('Move it away')
  expect(readFileSync(path)).toEqual(bytes)
})

test("another program's database is refused and not written to", async () => {
  const path = temporaryPath()
  const database = new Database(path)
  database.exec('CREATE TABLE bookmarks (url TEXT); PRAGMA user_version = 1')
  database.close()
  const bytes = readFileSync(path)
  const error = await refusal(path)
  expect(error.code).toBe('corrupt')
  expect(error.message).toContain('another program')
  expect(readFileSync(path)).toEqual(bytes)
})

test('P108: of a file that is not ours neither content nor mode changes, named or through a link', async () => {
  const path = temporaryPath()
  const makers: Readonly<Record<string, () => void>> = {
    'a database of another program': () => new Database(path).exec('CREATE TABLE bookmarks (url TEXT)').close(),
    'a text': () => writeFileSync(path, 'my diary\n'),
  }
  for (const [what, make] of Object.entries(makers)) {
    rmSync(path, { force: true })
    make()
    chmodSync(path, 0o644)
    const bytes = readFileSync(path)
    const link = `${path}.${what.length}`
    symlinkSync(path, link)
    for (const name of [path, link]) {
      expect([what, (await refusal(name)).code]).toEqual([what, 'corrupt'])
      expect([what, readFileSync(path), statSync(path).mode & 0o777]).toEqual([what, bytes, 0o644])
    }
  }
})

test('P108: through a link nothing is made, and no empty file becomes an index', async () => {
  const path = temporaryPath()
  symlinkSync(`${path}.elsewhere`, path)
  expect((await refusal(path)).code).toBe('corrupt')
  expect(existsSync(`${path}.elsewhere`)).toBe(false)
  writeFileSync(`${path}.elsewhere`, '', { mode: 0o644 })
  expect((await refusal(path)).code).toBe('corrupt')
  expect([statSync(`${path}.elsewhere`).size, statSync(`${path}.elsewhere`).mode & 0o777]).toEqual([0, 0o644])
})

test('an index of a newer version is `schema-too-new`', async () => {
  const path = temporaryPath()
  await filled(path, 1)
  const database = new Database(path)
  database.exec('PRAGMA user_version = 4711')
  database.close()
  const error = await refusal(path)
  expect(error.code).toBe('schema-too-new')
  expect(error.message).toContain('4711')
})

test('an index cut short is `corrupt`', async () => {
  const path = temporaryPath()
  await filled(path, 300)
  truncateSync(path, 40_960)
  expect((await refusal(path)).code).toBe('corrupt')
})

test('a page of rubbish is `corrupt` when read, and the check reports it instead of throwing', async () => {
  const path = temporaryPath()
  await filled(path, 300)
  const bytes = readFileSync(path)
  for (let page = 40; page < bytes.length / 4096; page += 3) bytes.fill(0xa5, page * 4096, (page + 1) * 4096)
  writeFileSync(path, bytes)
  const store = await open(path)
  const report = await store.check({ repair: true })
  expect(report).toMatchObject({ isHealthy: false, repaired: [] })
  expect(report.problems.join('')).not.toBe('')
  const snapshot = await store.snapshot()
  const readAll = async (): Promise<void> => {
    for await (const document of snapshot.documents()) await snapshot.chunksOf(document)
  }
  await expect(readAll()).rejects.toMatchObject({ code: 'corrupt', message: expect.stringContaining(path) })
})

test('a path that is a folder, or lies under a file, is refused by name', async () => {
  const path = temporaryPath()
  mkdirSync(path)
  expect((await refusal(path)).code).toBe('corrupt')
  const file = join(dirname(path), 'file')
  writeFileSync(file, '')
  expect((await refusal(join(file, 'index.sqlite'))).code).toBe('read-only')
})

test('a path that names no file is a mistake', async () => {
  for (const path of ['', 'a\0b', 'blank at the end ']) await expect(openSqliteStore({ path })).rejects.toThrow(TypeError)
  await expect(openSqliteStore({ path: temporaryPath(), busyTimeoutMs: Number.NaN })).rejects.toThrow(TypeError)
})

test('odd characters in the path mean nothing', async () => {
  const path = join(dirname(temporaryPath()), `file:a?mode=ro&%41 #'"ü🐘.sqlite`)
  await filled(path, 2)
  expect(existsSync(path)).toBe(true)
  expect(await countDocuments(await open(path))).toBe(2)
})

test('`:memory:` is a store of its own that leaves nothing behind', async () => {
  const first = await openSqliteStore({ path: ':memory:' })
  const second = await openSqliteStore({ path: ':memory:' })
  await change(first, { put: [samplePut('a.md')] })
  expect(await countDocuments(first)).toBe(1)
  expect(await countDocuments(second)).toBe(0)
  await first.close()
  await second.close()
  expect(existsSync(':memory:')).toBe(false)
})

test('B43 a damaged index is set aside with all its side files as one set', async () => {
  const path = temporaryPath()
  const store = await openSqliteStore({ path })
  await change(store, { put: [samplePut('a.md')] })
  // Copied while open: the journal still holds rows, as after a crash.
  const crashed = join(dirname(path), 'crashed.sqlite')
  for (const suffix of ['', '-wal', '-shm']) copyFileSync(path + suffix, crashed + suffix)
  await store.close()
  const moved = setAsideDamagedStore(crashed)
  expect(moved).toEqual(['-wal', '-shm', ''].map((suffix) => `${crashed}.damaged-1${suffix}`))
  expect(readdirSync(dirname(path)).filter((name) => name.startsWith('crashed.sqlite') && !name.includes('damaged'))).toEqual([])
  expect(await countDocuments(await open(crashed)), 'the next one is empty').toBe(0)
  expect(await countDocuments(await open(`${crashed}.damaged-1`)), 'and the old one whole').toBe(1)
  expect(setAsideDamagedStore(join(dirname(path), 'absent.sqlite'))).toEqual([])
})

test('B43 a second damaged index does not overwrite the first', async () => {
  const path = temporaryPath()
  for (const text of ['first', 'second']) {
    writeFileSync(path, text)
    setAsideDamagedStore(path)
  }
  expect(readFileSync(`${path}.damaged-1`, 'utf8')).toBe('first')
  expect(readFileSync(`${path}.damaged-2`, 'utf8')).toBe('second')
})

test('B43 a journal of an older file beside a fresh one is not replayed', async () => {
  const path = temporaryPath()
  const store = await openSqliteStore({ path })
  await change(store, { put: [samplePut('old.md')] })
  const other = join(dirname(path), 'other.sqlite')
  copyFileSync(`${path}-wal`, `${other}-wal`)
  await store.close()
  const fresh = await open(other)
  expect(await countDocuments(fresh)).toBe(0)
  await change(fresh, { put: [samplePut('new.md'), samplePut('newer.md')] })
  expect(await countDocuments(fresh)).toBe(2)
  expect((await fresh.check()).isHealthy).toBe(true)
})

test('B43 an open store follows when another process sets the file aside and builds a new one', async () => {
  const path = temporaryPath()
  const store = await open(path)
  await change(store, { put: [samplePut('old.md')] })
  const older = await store.snapshot()
  setAsideDamagedStore(path)
  await filled(path, 5)
  expect(await countDocuments(store)).toBe(5)
  expect((await older.counts()).documents, 'an older snapshot keeps its state').toBe(1)
  older.release()
  await change(store, { put: [samplePut('more.md')] })
  expect(await countDocuments(await open(path))).toBe(6)
})

test('an index that somebody deleted is made again, since it can be at any time', async () => {
  const path = temporaryPath()
  const store = await open(path)
  await change(store, { put: [samplePut('old.md')] })
  setAsideDamagedStore(path)
  expect(await countDocuments(store)).toBe(0)
  await change(store, { put: [samplePut('new.md')] })
  expect(await countDocuments(store)).toBe(1)
})

test('an index in a read-only folder is read, and writing is `read-only`', async () => {
  const path = temporaryPath()
  await filled(path, 4)
  makeReadOnly(path)
  const store = await open(path)
  expect(await countDocuments(store)).toBe(4)
  expect((await store.check()).isHealthy).toBe(true)
  await expect(store.acquireLease('write')).rejects.toMatchObject({ code: 'read-only', message: expect.stringContaining(path) })
  const foreign = { name: 'write' as const, owner: 'x', renew: async () => {}, release: async () => {} }
  await expect(store.apply(foreign, { put: [], touch: [], remove: [] })).rejects.toMatchObject({ code: 'read-only' })
})

test('rows that are still in the journal are read from a read-only folder too', async () => {
  const path = temporaryPath()
  const store = await openSqliteStore({ path })
  await change(store, { put: [samplePut('a.md'), samplePut('b.md')] })
  const crashed = join(dirname(path), 'crashed.sqlite')
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, crashed + suffix)
  await store.close()
  makeReadOnly(crashed)
  expect(await countDocuments(await open(crashed))).toBe(2)
})

test.each([1, 2])('an index of schema version %i in a read-only folder is read as one of today', async (version) => {
  const path = temporaryPath()
  writeFileSync(path, gunzipSync(readFileSync(join(import.meta.dirname, '../__fixtures__', `schema-${version}.sqlite.gz`))))
  makeReadOnly(path)
  const store = await open(path)
  expect(await countDocuments(store)).toBe(1)
  const space = { provider: 'p', endpoint: null, model: 'm', requestedDimensions: null, variant: {} }
  const query = new Float32Array([0.6, 0.8])
  const nearest = await read(store, (snapshot) => snapshot.nearest(fingerprint(space), query, { limit: 3 }))
  expect(nearest).toEqual([{ chunkId: 1, similarity: expect.closeTo(1, 5) }])
})

test('a fresh index cannot be made in a read-only folder, and the error says where', async () => {
  const path = temporaryPath()
  makeReadOnly(path)
  expect((await refusal(path)).code).toBe('read-only')
  expect((await refusal(join(dirname(path), 'sub', 'index.sqlite'))).code).toBe('read-only')
})

test('a store held open by a long snapshot goes on writing, and its journal shrinks afterwards', async () => {
  const path = temporaryPath()
  const store = await open(path)
  const snapshot = await store.snapshot()
  for (let round = 0; round < 8; round++) {
    await change(store, { put: Array.from({ length: 100 }, (_, index) => samplePut(`${round}-${index}.md`, 5)) })
  }
  expect((await snapshot.counts()).documents).toBe(0)
  expect(await countDocuments(store)).toBe(800)
  snapshot.release()
  await store.maintain(await take(store), { maxUnreferencedVectors: 0 })
  expect(statSync(`${path}-wal`).size).toBeLessThan(100_000)
})
