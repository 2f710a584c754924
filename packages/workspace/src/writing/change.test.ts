import { spawn } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { makeFolder } from '../../test/make-folder.ts'
import { changeText } from './change.ts'
import { hashText } from '../reading/hash-text.ts'
import { DEFAULT_IGNORE } from '../paths/indexable.ts'
import { KnownRoots } from '../paths/known-roots.ts'
import { snapshotRoots } from '../listing/roots-snapshot.ts'
import { openWorkspace } from '../workspace.ts'

const HISTORY = '.mnemark/history'

test('a function makes the new text; the version before is kept unless told not to; null changes nothing', async () => {
  const root = makeFolder({ 'MEMORY.md': 'tea\n' })
  const workspace = await openWorkspace({ root })
  const report = await workspace.change('MEMORY.md', (text) => `${text}milk\n`)
  expect(report).toMatchObject({ path: 'MEMORY.md', status: 'changed', hash: hashText('tea\nmilk\n'), conflict: null })
  expect(readFileSync(join(root, HISTORY, report.previous ?? ''), 'utf8')).toBe('tea\n')
  expect(await workspace.change('MEMORY.md', () => null)).toMatchObject({ status: 'unchanged', previous: null })
  expect(await workspace.change('MEMORY.md', () => 'tea\n', { keepsVersion: false })).toMatchObject({ previous: null })
  expect(readdirSync(join(root, HISTORY, 'MEMORY.md'))).toHaveLength(1)
  const missing = await workspace.change('memory/none.md', () => 'never asked')
  expect(missing).toEqual({ path: 'memory/none.md', status: 'not-found', hash: '', previous: null, conflict: null })
})

test.each([
  ['line feeds', 'a\nb\n', 'a\nb\n', 'a\nB\nc\n'],
  ['carriage returns and line feeds, after a byte-order mark', '\ufeffa\r\nb\r\n', 'a\nb\n', '\ufeffa\r\nB\r\nc\r\n'],
  ['carriage returns alone', 'a\rb\r', 'a\nb\n', 'a\rB\rc\r'],
  ['ends of both kinds, which stay where they are', 'a\r\nb\n', 'a\r\nb\n', 'a\r\nB\nc\n'],
])('the file keeps its line ends: %s', async (_case, file, seen, after) => {
  const root = makeFolder({ 'MEMORY.md': file })
  const workspace = await openWorkspace({ root })
  const change = (text: string): string => {
    expect(text).toBe(seen)
    return `${text.replace('b', 'B')}c\n`
  }
  await workspace.change('MEMORY.md', change)
  expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toBe(after)
})

test.each([
  ['writing into the file', (file: string) => appendFileSync(file, 'saved meanwhile\n')],
  [
    'putting a new file in its place',
    (file: string) => {
      writeFileSync(`${file}.new`, 'tea\nsaved meanwhile\n')
      renameSync(`${file}.new`, file)
    },
  ],
])('what an editor saves while the text is made is in it: %s', async (_how, save) => {
  const root = makeFolder({ 'MEMORY.md': 'tea\n' })
  const workspace = await openWorkspace({ root })
  let isSaved = false
  const change = (text: string): string => {
    if (!isSaved) save(join(root, 'MEMORY.md'))
    isSaved = true
    return `${text}milk\n`
  }
  expect(await workspace.change('MEMORY.md', change)).toMatchObject({ status: 'changed', conflict: null })
  expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toBe('tea\nsaved meanwhile\nmilk\n')
  const stale = workspace.change('MEMORY.md', () => 'lost', { expected: hashText('tea\n') })
  await expect(stale).rejects.toMatchObject({ code: 'conflict' })
})

test('a program that saves again and again is not fought with', async () => {
  const root = makeFolder({ 'MEMORY.md': 'tea\n' })
  const workspace = await openWorkspace({ root })
  let saves = 0
  const change = (text: string): string => {
    saves += 1
    appendFileSync(join(root, 'MEMORY.md'), `${saves}\n`)
    return `${text}milk\n`
  }
  await expect(workspace.change('MEMORY.md', change)).rejects.toMatchObject({ code: 'conflict' })
  expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toBe('tea\n1\n2\n3\n')
  expect(readdirSync(root).sort()).toEqual(['.mnemark', 'MEMORY.md'])
  expect(statSync(join(root, 'MEMORY.md')).nlink).toBe(1)
})

test('what an editor saves at the moment of writing is kept in the history, and the report names it', async () => {
  const root = makeFolder({ 'memory/a.md': 'tea\n' })
  const history = makeFolder()
  const rules = new Set(DEFAULT_IGNORE)
  const context = {
    snapshot: snapshotRoots(root, [], rules),
    settings: { rules, maxFileBytes: 1_000_000, stateFolder: null },
    known: new KnownRoots(),
    timeZone: 'UTC',
    historyFolder: history,
    beforeRename: () => writeFileSync(join(root, 'memory/a.md'), 'tea, saved by an editor\n'),
  }
  const report = await changeText('memory/a.md', (text) => `${text}milk\n`, { now: 0 }, context)
  expect(readFileSync(join(root, 'memory/a.md'), 'utf8')).toBe('tea\nmilk\n')
  expect(report.conflict).toBe('memory/a.md/1970-01-01T00-00-00.000Z.conflict.md')
  expect(readFileSync(join(history, report.conflict ?? ''), 'utf8')).toBe('tea, saved by an editor\n')
  expect(readFileSync(join(history, report.previous ?? ''), 'utf8')).toBe('tea\n')
})

test('two processes that edit and append to one note 200 times lose nothing', async () => {
  const root = makeFolder({ 'MEMORY.md': '# Counts\n\ncount 0\n\n' })
  const entry = JSON.stringify(fileURLToPath(new URL('../index.ts', import.meta.url)))
  const script = join(root, 'edit.ts')
  writeFileSync(
    script,
    `import { openWorkspace } from ${entry}
const notes = await openWorkspace({ root: ${JSON.stringify(root)} })
for (let index = 0; index < 50; index += 1) {
  await notes.change('MEMORY.md', (text) => text.replace(/count (\\d+)/u, (_, count) => 'count ' + (Number(count) + 1)))
  await notes.append(\`- process \${process.argv[2]} item \${index}\`, { to: 'memory' })
}`,
  )
  const ends = await Promise.all([1, 2].map((id) => ended(['--conditions=mnemark-source', script, String(id)])))
  expect(ends).toEqual([0, 0])
  const lines = readFileSync(join(root, 'MEMORY.md'), 'utf8').split('\n')
  expect(lines[2]).toBe('count 100')
  const expected = [1, 2].flatMap((id) => Array.from({ length: 50 }, (_, index) => `- process ${id} item ${index}`))
  expect(lines.filter((line) => line.startsWith('- ')).sort()).toEqual(expected.sort())
  expect(readdirSync(join(root, HISTORY, 'MEMORY.md')).filter((name) => !/^\d{4}-.*Z(?:-\d+)?\.md$/u.test(name))).toEqual([])
})

function ended(arguments_: readonly string[]): Promise<number | null> {
  return new Promise((resolve) => {
    spawn(process.execPath, arguments_, { stdio: 'inherit' }).on('close', resolve)
  })
}

test('a note that is not there is made where that is asked for, with its folders, and nothing where no text comes', async () => {
  const root = makeFolder({ 'MEMORY.md': 'tea\n' })
  const workspace = await openWorkspace({ root, timeZone: 'UTC' })
  const log = await workspace.dailyLog(Date.UTC(2026, 2, 1))
  expect(log).toBe('memory/2026-03-01.md')
  const before: string[] = []
  const change = (text: string): string => {
    before.push(text)
    return `${text}milk\n`
  }
  expect(await workspace.change(log, () => null, { creates: true })).toMatchObject({ status: 'unchanged' })
  expect(readdirSync(root).sort()).toEqual(['.mnemark', 'MEMORY.md'])
  const made = await workspace.change(log, change, { creates: true })
  expect(made).toEqual({ path: log, status: 'created', hash: hashText('milk\n'), previous: null, conflict: null })
  expect(await workspace.change(log, change, { creates: true })).toMatchObject({ status: 'changed' })
  expect(before).toEqual(['', 'milk\n'])
  expect(readFileSync(join(root, log), 'utf8')).toBe('milk\nmilk\n')
  for (const path of ['AGENTS.md', '../x.md', 'memory/x.txt'])
    await expect(workspace.change(path, change, { creates: true })).rejects.toMatchObject({ code: 'refused' })
})

test('writers that make one note at once lose nothing', async () => {
  const root = makeFolder({ 'MEMORY.md': 'tea\n' })
  const workspaces = await Promise.all(Array.from({ length: 8 }, () => openWorkspace({ root })))
  const add = (line: string) => (text: string) => `${text}${line}\n`
  await Promise.all(workspaces.map((workspace, at) => workspace.change('memory/a.md', add(`line ${at}`), { creates: true })))
  expect(readFileSync(join(root, 'memory/a.md'), 'utf8').trimEnd().split('\n').sort()).toEqual(
    Array.from({ length: 8 }, (_, at) => `line ${at}`),
  )
})
