import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import type { VectorSpace } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import { expect, onTestFinished, test } from 'vitest'
import { change, read, samplePut, take } from '../__fixtures__/sample.ts'
import { temporaryPath } from '../__fixtures__/temporary-path.ts'
import type { SqliteMemoryStore, SqliteStoreOptions } from '../index.ts'
import { openSqliteStore } from '../index.ts'

const space: VectorSpace = { provider: 'p', endpoint: null, model: 'm', requestedDimensions: null, variant: {} }
const BY_DISTANCE = `SELECT path, start_line AS line, round(vec_distance_cosine(vec_int8(int8), vec_int8(?)), 2) AS distance
  FROM embeddings ORDER BY distance`

async function filled(options: Omit<SqliteStoreOptions, 'path'> = {}): Promise<SqliteMemoryStore> {
  const store = await openSqliteStore({ path: temporaryPath(), ...options })
  onTestFinished(() => store.close())
  await change(store, { put: [samplePut('a.md', 2)] })
  const lease = await take(store, 'vectors')
  await store.putVectors(lease, space, [
    { hash: 'a.md 0', vector: new Float32Array([1, 0]) },
    { hash: 'a.md 1', vector: new Float32Array([0, 1]) },
  ])
  await lease.release()
  return store
}

function outcome(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'it ran',
    (error: unknown) => error,
  )
}

test('with sqlite-vec there people compare vectors with SQL', async () => {
  const store = await filled()
  expect((await store.describeScan()).extension).toMatch(/vec0/)
  expect(await store.query(BY_DISTANCE, [new Uint8Array([0, 127])])).toEqual([
    { path: 'a.md', line: 2, distance: 0 },
    { path: 'a.md', line: 1, distance: 1 },
  ])
})

test('switched off, it is missed by queries that need it and by nothing else', async () => {
  const store = await filled({ vectorExtension: { isEnabled: false } })
  const error = await outcome(store.query(BY_DISTANCE, [new Uint8Array([0, 127])]))
  expect(StoreError.isInstance(error) && [error.code, error.message]).toEqual([
    'engine-missing',
    expect.stringContaining('Install the npm package sqlite-vec'),
  ])
  expect(await store.query('SELECT count(*) AS vectors FROM embeddings')).toEqual([{ vectors: 2 }])
  expect((await store.describeScan()).extension).toBeNull()
})

test('a file that is no extension is named, and searches go on', async () => {
  const store = await filled({ vectorExtension: { path: '/nowhere/vec0' } })
  const error = await outcome(store.query('SELECT 1'))
  expect(StoreError.isInstance(error) && [error.code, error.message]).toEqual([
    'engine-missing',
    expect.stringContaining('/nowhere/vec0'),
  ])
  const [{ fingerprint = '' } = {}] = (await store.describeScan()).spaces
  const nearest = await read(store, (snapshot) => snapshot.nearest(fingerprint, new Float32Array([1, 0]), { limit: 1 }))
  expect(nearest).toEqual([{ chunkId: 1, similarity: 1 }])
})

test('queries only read, one statement each', async () => {
  const store = await filled()
  for (const sql of ['DELETE FROM vectors', 'SELECT 1; SELECT 2', 'CREATE TEMP TABLE t (a)', 'nonsense', 'SELECT * FROM nowhere'])
    expect(await outcome(store.query(sql))).toBeInstanceOf(TypeError)
  expect((await store.check()).isHealthy).toBe(true)
})

test('where the package is not installed the store works and says so', () => {
  const source = join(import.meta.dirname, '../index.ts')
  // Resolves everything but sqlite-vec, as on a machine without it.
  const script = `import { registerHooks } from 'node:module'
    registerHooks({
      resolve: (name, context, next) => {
        if (name === 'sqlite-vec') throw new Error('not installed')
        return next(name, context)
      },
    })
    const { openSqliteStore } = await import(${JSON.stringify(source)})
    const store = await openSqliteStore({ path: ':memory:' })
    const { extension } = await store.describeScan()
    const error = await store.query("SELECT vec_version()").catch((reason) => reason)
    await store.close()
    console.log(extension, error.code)`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=mnemark-source', '--no-warnings', '--input-type=module', '-e', script],
    { cwd: dirname(import.meta.dirname) },
  )
  expect(String(stderr)).toBe('')
  expect(String(stdout).trim()).toBe('null engine-missing')
})
