import { appendFileSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../test/make-folder.ts'
import { hashText } from './hash-text.ts'
import { openWorkspace } from './workspace.ts'

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
