import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { change, countDocuments, open, samplePut, take } from './__fixtures__/sample.ts'
import { temporaryPath } from './__fixtures__/temporary-path.ts'
import { Connection } from './connection/connection.ts'
import { mapError } from './connection/error-mapping.ts'

/** Another program that keeps the file locked. */
function lock(path: string): { unlock(): void } {
  const database = new Database(path)
  database.exec('BEGIN IMMEDIATE')
  onTestFinished(() => {
    database.close()
  })
  return { unlock: () => database.exec('COMMIT') }
}

test('a write waits for another writer without blocking, and then goes through', async () => {
  const path = temporaryPath()
  const store = await open(path)
  const lease = await take(store)
  const other = lock(path)
  const written = store.apply(lease, { put: [samplePut('a.md')], touch: [], remove: [] })
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(await countDocuments(store), 'reading goes on').toBe(0)
  other.unlock()
  await written
  expect(await countDocuments(store)).toBe(1)
})

test('a write that waited long enough is `busy`, with the name of the file', async () => {
  const path = temporaryPath()
  const store = await open(path, { busyTimeoutMs: 30 })
  const lease = await take(store)
  lock(path)
  const written = store.apply(lease, { put: [samplePut('a.md')], touch: [], remove: [] })
  await expect(written).rejects.toMatchObject({ code: 'busy', message: expect.stringContaining(path) })
})

test('a full disk is `full`, undoes the write, and later writes go on', async () => {
  const path = temporaryPath()
  await change(await open(path), { put: [samplePut('a.md')] })
  const connection = new Connection(path, false)
  onTestFinished(() => connection.close())
  const pages = connection.value<number>('PRAGMA page_count') ?? 0
  connection.value(`PRAGMA max_page_count = ${pages + 2}`)
  const grow = (): void =>
    connection.transaction(() => {
      for (let key = 0; key < 100; key++)
        connection.run('INSERT INTO settings (key, value) VALUES (?, ?)', `${key}`, 'x'.repeat(4_000))
    })
  const attempt = (): void => {
    try {
      grow()
    } catch (error) {
      throw mapError(error, path)
    }
  }
  expect(attempt).toThrow(expect.objectContaining({ code: 'full', message: expect.stringContaining(path) }))
  expect(connection.value('SELECT count(*) FROM settings')).toBe(0)
  connection.value('PRAGMA max_page_count = 1000000')
  grow()
  expect(connection.value('SELECT count(*) FROM settings')).toBe(100)
})
