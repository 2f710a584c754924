import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { dirname, join } from 'node:path'
import { createMemory } from '@mnemark/core'
import type { MemoryBackend, SearchHit } from '@mnemark/spec'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { openWorkspace, type Workspace, type WorkspaceOptions } from '@mnemark/workspace'
import { onTestFinished } from 'vitest'
import { expect, test } from 'vitest'

interface Live {
  readonly root: string
  readonly notes: Workspace
  readonly memory: MemoryBackend
  write(path: string, text: string): Promise<void>
  find(text: string): Promise<readonly SearchHit[]>
  paths(text: string): Promise<readonly string[]>
}

/** A workspace of real files with a real index, removed with the test. */
async function open(files: Readonly<Record<string, string>>, options: Omit<WorkspaceOptions, 'root'> = {}): Promise<Live> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mnemark-live-')))
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, text] of Object.entries(files)) await write(path, text)
  await mkdir(join(root, '.mnemark'))
  const notes = await openWorkspace({ root, ...options })
  const store = await openSqliteStore({ path: join(root, '.mnemark/main.sqlite') })
  const memory = await createMemory({ store, sources: [notes.source], reader: notes.reader })
  onTestFinished(async () => {
    await memory.close()
    rmSync(root, { recursive: true, force: true })
  })
  const find = async (text: string): Promise<readonly SearchHit[]> =>
    (await memory.search({ text, limit: 50, caller: { agentId: 'main' } })).hits
  return { root, notes, memory, write, find, paths: async (text) => (await find(text)).map(({ path }) => path) }
}

/** A word for each number that has no part in common with the others. */
function wordOf(number: number): string {
  return hash('sha256', `word ${number}`, 'hex')
    .slice(0, 16)
    .replace(/\d/gu, (digit) => 'ghijklmnop'.charAt(Number(digit)))
}

test('B39: through fifty saves by renaming, watched and searched throughout, the constant word is found at every moment', async () => {
  const { root, notes, memory, write, paths } = await open(
    { 'memory/a.md': 'constantword\n', 'memory/b.md': 'other\n' },
    {
      watch: { debounceMs: 0 },
    },
  )
  await memory.sync()
  let synced = Promise.resolve()
  const inPlace = Promise.withResolvers<void>()
  const watch = notes.source.watch?.((changed) => {
    if (changed.length === 0) return inPlace.resolve()
    synced = synced.then(async () => void (await memory.sync({ reason: 'watch', paths: changed })))
  })
  await inPlace.promise
  let isSaving = true
  const missed: number[] = []
  let searches = 0
  const searching = (async () => {
    while (isSaving) {
      searches += 1
      if (!(await paths('constantword')).includes('memory/a.md')) missed.push(searches)
      await nextTurn()
    }
  })()
  try {
    for (let round = 1; round <= 50; round += 1) {
      await write('memory/.a.md.swp', `constantword ${wordOf(round)}\n`)
      // Half of the renames meet a search in the middle, half come between two.
      const during = round % 2 === 0 ? paths('constantword') : undefined
      renameSync(join(root, 'memory/.a.md.swp'), join(root, 'memory/a.md'))
      expect((await during) ?? ['memory/a.md']).toEqual(['memory/a.md'])
      expect(await paths(wordOf(round))).toEqual(['memory/a.md'])
    }
  } finally {
    isSaving = false
  }
  await searching
  await watch?.close()
  await synced
  expect(missed).toEqual([])
  expect(searches).toBeGreaterThan(50)
  expect(await paths(wordOf(49))).toEqual([])
  expect(await paths(wordOf(50))).toEqual(['memory/a.md'])
  expect(await memory.status()).toMatchObject({ documents: 2, isDirty: false })
})

test('a change that keeps the size and sets an older time is found, by a look at everything and by its path', async () => {
  const { root, memory, write, paths } = await open({ 'memory/a.md': 'velvet\n' })
  await memory.sync()
  await write('memory/a.md', 'indigo\n')
  utimesSync(join(root, 'memory/a.md'), 1_000_000_000, 1_000_000_000)
  expect(await paths('indigo')).toEqual(['memory/a.md'])
  await write('memory/a.md', 'walnut\n')
  utimesSync(join(root, 'memory/a.md'), 999_999_999, 999_999_999)
  await memory.sync({ paths: [{ source: 'memory', path: 'memory/a.md' }] })
  expect(await paths('walnut')).toEqual(['memory/a.md'])
})

test('a file put back with its old size and time, but another inode, is read again', async () => {
  const { root, memory, write, paths } = await open({ 'memory/a.md': 'velvet\n' })
  await memory.sync()
  const { atimeMs, mtimeMs } = statSync(join(root, 'memory/a.md'))
  await write('memory/restored.tmp', 'indigo\n')
  utimesSync(join(root, 'memory/restored.tmp'), atimeMs / 1000, mtimeMs / 1000)
  renameSync(join(root, 'memory/restored.tmp'), join(root, 'memory/a.md'))
  expect(await paths('indigo')).toEqual(['memory/a.md'])
})

test('B35: a sync of one folder’s change keeps the notes of the extra root', async () => {
  const vault = await open({ 'c.md': 'copper\n' })
  const { memory, write, paths } = await open(
    { 'memory/a.md': 'velvet\n', 'memory/b.md': 'marble\n' },
    { extraPaths: [vault.root] },
  )
  await memory.sync()
  await write('memory/a.md', 'indigo\n')
  await memory.sync({ reason: 'watch', paths: [{ source: 'memory', path: 'memory/a.md' }] })
  const extra = `extra/${vault.root.split('/').at(-1)}/c.md`
  expect(await paths('copper')).toEqual([extra])
  expect(await paths('marble')).toEqual(['memory/b.md'])
})

test('B40: a fact is found right after it was written, a note and its text are gone right after it was deleted', async () => {
  const { root, memory, write, paths } = await open({ 'memory/a.md': 'velvet\n' })
  await memory.sync()
  await write('memory/2026-08-01.md', 'codeword ZEBRA-COMET\n')
  expect(await memory.status()).toMatchObject({ isDirty: true })
  expect(await paths('ZEBRA-COMET')).toEqual(['memory/2026-08-01.md'])
  rmSync(join(root, 'memory/a.md'))
  expect(await memory.status()).toMatchObject({ isDirty: true })
  expect(await paths('velvet')).toEqual([])
  expect(await memory.status()).toMatchObject({ isDirty: false, documents: 1 })
})

const LONG_NAME = `${'n'.repeat(240)}-longest.md`

test('names that differ in case only, hold %XX or ___, or are 255 bytes long are notes of their own, and each path opens its file', async () => {
  const names = ['Plan.md', 'plan.md', 'a%3Ab.md', 'a:b.md', 'Area___Sub___Page.md', LONG_NAME, 'café.md']
  const files = Object.fromEntries(names.map((name, index) => [`memory/${name}`, `lamp ${wordOf(index)}\n`]))
  const { root, notes, memory, paths } = await open(files)
  expect(Buffer.byteLength(LONG_NAME)).toBeLessThanOrEqual(255)
  // A disk that ignores case holds one of the two plans.
  const onDisk = readdirSync(join(root, 'memory'))
  await memory.sync()
  expect([...(await paths('lamp'))].sort()).toEqual(onDisk.map((name) => `memory/${name}`).sort())
  for (const name of onDisk) {
    const path = `memory/${name}`
    const { text } = await notes.reader.read({ path, caller: { agentId: 'main' } })
    expect(text).toBe(files[path])
    await memory.sync({ paths: [{ source: 'memory', path }] })
  }
  expect(await memory.status()).toMatchObject({ documents: onDisk.length, isDirty: false })
})

test('a note whose name is all it has is found by its name, also where the name is written with %XX or ___', async () => {
  const { memory, paths } = await open({
    'memory/Quarterly Velvet.md': '',
    'memory/Area___Walnut.md': '',
    'memory/what%3F indigo.md': '# \n',
  })
  await memory.sync()
  expect(await paths('quarterly velvet')).toEqual(['memory/Quarterly Velvet.md'])
  expect(await paths('walnut')).toEqual(['memory/Area___Walnut.md'])
  expect(await paths('indigo')).toEqual(['memory/what%3F indigo.md'])
})
