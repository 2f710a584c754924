import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { setAsideDamagedStore } from '@mnemark/store-sqlite/repair'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { runBeside } from '../harness/run-beside.ts'
import { nameProvider } from './named-provider.ts'

const QUERY = 'attic'
const NOTES = 12

function notes(): Sandbox {
  const box = new Sandbox({ 'MEMORY.md': '# Memory\n\nThe router is in the attic.\n' })
  for (let number = 1; number < NOTES; number++) box.write(`memory/${number}.md`, `${'abcdefghijkl'[number]} is its letter\n`)
  return box
}

const fileOf = (box: Sandbox): string => join(box.workspace, '.mnemark/main.sqlite')

function change(box: Sandbox, sql: string): void {
  const database = new Database(fileOf(box))
  database.unsafeMode()
  database.exec(sql)
  database.close()
}

/** Long values go on elsewhere in the file: so many bytes stand together in any case. */
const TOGETHER = 40

/** Flips a byte of a value where it stands in the file, behind SQLite's back. */
function flipByte(box: Sandbox, sql: string): void {
  const database = new Database(fileOf(box))
  database.pragma('wal_checkpoint(TRUNCATE)')
  const value = Buffer.from(database.prepare<[], Buffer>(sql).pluck().get() ?? []).subarray(0, TOGETHER)
  database.close()
  const bytes = readFileSync(fileOf(box))
  const at = bytes.indexOf(value)
  expect(value.length === TOGETHER && at > 0).toBe(true)
  const last = at + TOGETHER - 1
  bytes[last] = (bytes[last] ?? 0) ^ 0x55
  writeFileSync(fileOf(box), bytes)
}

describe('an index that is set aside', () => {
  test('pays for nothing twice: its vectors are taken over', async () => {
    const box = notes()
    await using provider = await nameProvider(box)
    await provider.run('index')
    change(box, 'DROP TABLE chunks')
    const { document } = await provider.run('search', QUERY)
    expect(document).toMatchObject({ mode: 'hybrid', hits: { 0: { path: 'MEMORY.md' } } })
    expect(document.degraded).toEqual([
      {
        code: 'index-repaired',
        message: expect.stringContaining(`Its ${NOTES} vectors were taken over, so no text is embedded twice`),
      },
    ])
    expect((await provider.run('status')).document).toMatchObject({ queue: { missing: 0 }, spaces: { 0: { filled: NOTES } } })
    expect(provider.sentBeside(QUERY)).toBe(NOTES)
  })

  test('what cannot be read in it is told and embedded again, and no more than that', async () => {
    const box = notes()
    await using provider = await nameProvider(box)
    await provider.run('index')
    change(box, 'DROP TABLE chunks; UPDATE vectors SET bytes = randomblob(length(bytes)) WHERE id IN (2, 3)')
    const { document } = await provider.run('index')
    expect(JSON.stringify(document.degraded)).toContain(
      `${NOTES - 2} of its vectors were taken over; 2 could not be read, and their texts are embedded again`,
    )
    expect((await provider.run('status')).document).toMatchObject({ queue: { missing: 0 } })
    expect(provider.sentBeside(QUERY)).toBe(NOTES + 2)
  })

  test('a process that is killed before it took them over leaves that to the next one', async () => {
    const box = notes()
    await using provider = await nameProvider(box)
    await provider.run('index')
    setAsideDamagedStore(fileOf(box))
    expect(JSON.stringify((await provider.run('index')).document.degraded)).toContain(`Its ${NOTES} vectors were taken over`)
    expect((await provider.run('index')).document.degraded).toBeUndefined()
    expect(provider.sentBeside(QUERY)).toBe(NOTES)
  })

  test('doctor --fix takes them over before it removes the copy', async () => {
    const box = notes()
    await using provider = await nameProvider(box)
    await provider.run('index')
    setAsideDamagedStore(fileOf(box))
    await (await openSqliteStore({ path: fileOf(box) })).close()
    expect((await provider.run('doctor', '--fix')).document).toMatchObject({
      fixed: { 0: expect.stringContaining('removed 1 files') },
    })
    expect(existsSync(`${fileOf(box)}.damaged-1`)).toBe(false)
    const asked = provider.sentBeside(QUERY)
    await provider.run('index')
    expect((await provider.run('status')).document).toMatchObject({ spaces: { 0: { filled: NOTES } } })
    expect(provider.sentBeside(QUERY)).toBe(asked)
  })
})

const A_VECTOR = `SELECT bytes FROM vectors WHERE id = 3`
const A_BLOCK = `SELECT bytes FROM vector_blocks`
const REPAIRED = { code: 'index-repaired', message: expect.stringContaining('It was repaired from the notes') }

describe('a byte that flips in the file', () => {
  test.each([
    ['of a vector', A_VECTOR, 1],
    ['of a block', A_BLOCK, 0],
  ])('%s is mended by the next index, which embeds what was lost and no more', async (_, sql, lost) => {
    const box = notes()
    await using provider = await nameProvider(box)
    await provider.run('index')
    flipByte(box, sql)
    expect((await provider.run('index')).document.degraded).toEqual([REPAIRED])
    expect(provider.sentBeside(QUERY)).toBe(NOTES + lost)
    expect((await provider.run('index')).document.degraded).toBeUndefined()
    const { document } = await provider.run('status')
    expect(document).toMatchObject({ queue: { missing: 0 }, degraded: [] })
    expect(document.details?.scan?.spaces?.['0']).toMatchObject({ vectors: NOTES, damagedVectors: 0, areBlocksDamaged: false })
  })

  test.each([
    ['of a vector', A_VECTOR, 1],
    ['of a block', A_BLOCK, 0],
  ])('%s is mended by the next search, whose answer is whole', async (_, sql, lost) => {
    const box = notes()
    await using provider = await nameProvider(box)
    await provider.run('index')
    const before = (await provider.run('search', QUERY)).document
    flipByte(box, sql)
    const { document } = await provider.run('search', QUERY)
    expect(document).toMatchObject({ mode: 'hybrid', degraded: [REPAIRED], hits: before.hits })
    expect(provider.sentBeside(QUERY)).toBe(NOTES + lost)
    expect((await provider.run('search', QUERY)).document).toMatchObject({ mode: 'hybrid', degraded: [], hits: before.hits })
  })

  test('is shown by status and doctor, which touch nothing, and mended by doctor --fix', async () => {
    const box = notes()
    await using provider = await nameProvider(box)
    await provider.run('index')
    flipByte(box, A_BLOCK)
    flipByte(box, A_VECTOR)
    const { document } = await provider.run('status')
    expect(document.details?.scan?.spaces?.['0']).toMatchObject({ strategy: 'rows', areBlocksDamaged: true })
    expect(document.degraded?.['0']).toMatchObject({ code: 'space-incomplete', message: expect.stringContaining('doctor --fix') })
    expect(await provider.run('doctor')).toMatchObject({ code: 1, output: expect.stringContaining('not as they were written') })
    const asked = provider.sentBeside(QUERY)
    expect((await provider.run('doctor', '--fix')).code).toBe(0)
    expect((await provider.run('status')).document).toMatchObject({ degraded: [], spaces: { 0: { filled: NOTES } } })
    // One for the lost vector, and the one by which doctor asks the provider.
    expect(provider.sentBeside(QUERY)).toBe(asked + 2)
  })
})

test('status says how each space is searched, in words and as JSON', async () => {
  const box = notes()
  await using provider = await nameProvider(box)
  await provider.run('index')
  const { document } = await provider.run('status')
  expect(document.details).toMatchObject({
    scan: {
      kernel: 'wasm',
      spaces: { 0: { vectors: NOTES, strategy: 'codes', codes: 'int8', inMemory: NOTES, damagedVectors: 0 } },
      extension: { version: expect.stringMatching(/^v\d/) },
    },
  })
  const { stdout } = await runBeside(box, ['status'], provider.environment)
  expect(stdout).toMatch(/scan +text-embedding-3-small: 12 vectors, int8 codes, 12 in memory, wasm\n +sqlite-vec v\S+ for SQL/)
})
