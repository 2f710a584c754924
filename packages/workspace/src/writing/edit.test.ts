import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addFile, asOrdinaryUser, makeFolder } from '../../test/make-folder.ts'
import { hashText } from '../reading/hash-text.ts'
import { quoteHash } from '@mnemark/spec'
import { openWorkspace, type Workspace } from '../workspace.ts'

const caller = { agentId: 'main' }

function replace(workspace: Workspace, old: string, to: string, path = 'MEMORY.md'): ReturnType<Workspace['edit']> {
  return workspace.edit(path, { replace: { old, new: to } })
}

test('a replacement keeps all other bytes, the mode and the byte-order mark, and says where the new text stands', async () => {
  const text = '\ufeff# Memory\r\n\r\n- Tea at five\r\n- Router 10.0.0.1\n'
  const root = makeFolder({ 'MEMORY.md': text })
  chmodSync(join(root, 'MEMORY.md'), 0o640)
  const workspace = await openWorkspace({ root })
  const report = await replace(workspace, 'five', 'six\n- No milk')
  const after = '\ufeff# Memory\r\n\r\n- Tea at six\r\n- No milk\r\n- Router 10.0.0.1\n'
  expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toBe(after)
  expect(statSync(join(root, 'MEMORY.md')).mode & 0o777).toBe(0o640)
  expect(report).toMatchObject({ path: 'MEMORY.md', status: 'edited', startLine: 3, endLine: 4 })
  expect(readdirSync(root).sort()).toEqual(['.mnemark', 'MEMORY.md'])
  const read = await workspace.reader.read({ path: 'MEMORY.md', from: 3, lines: 2, caller })
  expect(read.text).toBe('- Tea at six\r\n- No milk')
})

test('the version before is kept, at most twenty of each note, out of sight of the search and of git', async () => {
  const root = makeFolder({ 'memory/a.md': 'count 0\n', 'memory/b.md': 'b\n' })
  const workspace = await openWorkspace({ root })
  const first = await replace(workspace, 'b', 'c', 'memory/b.md')
  expect(readFileSync(join(root, '.mnemark/history', first.previous ?? ''), 'utf8')).toBe('b\n')
  for (let count = 0; count < 25; count += 1) {
    const now = Date.UTC(2026, 2, 16, 12, 0, count)
    await workspace.edit('memory/a.md', { replace: { old: `count ${count}`, new: `count ${count + 1}` }, now })
  }
  const kept = readdirSync(join(root, '.mnemark/history/memory/a.md')).sort()
  expect(kept).toHaveLength(20)
  expect(readFileSync(join(root, '.mnemark/history/memory/a.md', kept[0] ?? ''), 'utf8')).toBe('count 5\n')
  expect(readdirSync(join(root, '.mnemark/history/memory/b.md'))).toHaveLength(1)
  expect(readFileSync(join(root, '.mnemark/.gitignore'), 'utf8')).toBe('*\n')
  const listed: string[] = []
  for await (const item of workspace.source.list()) listed.push(item.path)
  expect(listed).toEqual(['memory/a.md', 'memory/b.md'])
})

test('two edits at one instant keep both versions', async () => {
  const root = makeFolder({ 'MEMORY.md': 'one\n' })
  const history = makeFolder()
  const workspace = await openWorkspace({ root, historyDir: history })
  await workspace.edit('MEMORY.md', { replace: { old: 'one', new: 'two' }, now: 0 })
  await workspace.edit('MEMORY.md', { replace: { old: 'two', new: 'three' }, now: 0 })
  const kept = readdirSync(join(history, 'MEMORY.md')).map((name) => readFileSync(join(history, 'MEMORY.md', name), 'utf8'))
  expect(kept.sort()).toEqual(['one\n', 'two\n'])
  expect(readdirSync(root)).toEqual(['MEMORY.md'])
})

test('a note that changed since it was read is not edited, though the old text still stands there', async () => {
  const root = makeFolder({ 'MEMORY.md': '- tea\n' })
  const workspace = await openWorkspace({ root })
  const read = await workspace.reader.read({ path: 'MEMORY.md', caller })
  const expected = hashText(read.text)
  writeFileSync(join(root, 'MEMORY.md'), '- tea\n- written by another\n')
  const change = { replace: { old: 'tea', new: 'coffee' }, expected }
  await expect(workspace.edit('MEMORY.md', change)).rejects.toMatchObject({ code: 'conflict' })
  expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toBe('- tea\n- written by another\n')
  writeFileSync(join(root, 'MEMORY.md'), '- tea\n')
  const edited = await workspace.edit('MEMORY.md', change)
  expect(edited.hash).toBe(hashText('- coffee\n'))
  // The hash that an edit reports is the one the next edit expects.
  const next = { insert: { afterLine: 1, text: '- milk' }, expected: edited.hash }
  expect(await workspace.edit('MEMORY.md', next)).toMatchObject({ status: 'edited', startLine: 2, endLine: 2 })
})

test('the expected hash is that of the text the reader gives, byte-order mark and line ends included or not as it does', async () => {
  const root = makeFolder({ 'MEMORY.md': '\ufefftea\r\nmilk\r\n' })
  const workspace = await openWorkspace({ root })
  const { text } = await workspace.reader.read({ path: 'MEMORY.md', caller })
  const change = { replace: { old: 'tea', new: 'coffee' }, expected: hashText(text) }
  expect(await workspace.edit('MEMORY.md', change)).toMatchObject({ status: 'edited' })
})

test('an old text that is not there, or there twice, is a conflict; equal texts change nothing; a missing note is no error', async () => {
  const root = makeFolder({ 'MEMORY.md': 'tea tea milk\n' })
  utimesSync(join(root, 'MEMORY.md'), 1, 1)
  const workspace = await openWorkspace({ root })
  await expect(replace(workspace, 'coffee', 'x')).rejects.toMatchObject({ code: 'conflict' })
  await expect(replace(workspace, 'tea', 'x')).rejects.toMatchObject({ code: 'conflict' })
  expect(await replace(workspace, 'milk', 'milk')).toMatchObject({ status: 'unchanged', previous: null, startLine: 1 })
  expect(statSync(join(root, 'MEMORY.md')).mtimeMs).toBe(1000)
  expect(await replace(workspace, 'a', 'b', 'memory/none.md')).toMatchObject({ status: 'not-found', path: 'memory/none.md' })
  expect(readdirSync(join(root, '.mnemark/history'))).toEqual(['MEMORY.md'])
  expect(readdirSync(join(root, '.mnemark/history/MEMORY.md'))).toEqual([])
})

test.each([
  ['an empty old text', { replace: { old: '', new: 'x' } }],
  ['line breaks that arrived escaped', { replace: { old: 'tea', new: 'tea\\n- milk' } }],
  ['nothing to insert', { insert: { afterLine: 1, text: '' } }],
  ['a line number below 0', { insert: { afterLine: -1, text: 'x' } }],
  ['a line number that is none', { insert: { afterLine: 1.5, text: 'x' } }],
])('what cannot be meant is refused: %s', async (_case, change) => {
  const root = makeFolder({ 'MEMORY.md': 'tea\n' })
  await expect((await openWorkspace({ root })).edit('MEMORY.md', change)).rejects.toMatchObject({ code: 'refused' })
  expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toBe('tea\n')
})

test('only notes of the workspace are edited: no link is replaced by a file, nothing outside, no extra path', async () => {
  const vault = makeFolder({ 'x.md': 'tea\n' })
  const root = makeFolder({ 'MEMORY.md': 'tea\n', 'AGENTS.md': 'tea\n', 'memory/real.md': 'tea\n' })
  symlinkSync('real.md', join(root, 'memory/today.md'))
  symlinkSync(vault, join(root, 'memory/vault'))
  const workspace = await openWorkspace({ root, extraPaths: [vault] })
  const name = vault.split('/').at(-1)
  for (const path of [
    'memory/today.md',
    'memory/vault/x.md',
    `extra/${name}/x.md`,
    join(vault, 'x.md'),
    'AGENTS.md',
    '../x.md',
  ]) {
    await expect(replace(workspace, 'tea', 'coffee', path)).rejects.toMatchObject({ code: 'refused' })
  }
  expect(statSync(join(vault, 'x.md')).size).toBe(4)
  expect(readFileSync(join(root, 'memory/real.md'), 'utf8')).toBe('tea\n')
})

test('a note with a second name is changed under both', async () => {
  const root = makeFolder({ 'MEMORY.md': 'a long line of tea\n' })
  linkSync(join(root, 'MEMORY.md'), join(root, 'memory.md'))
  await replace(await openWorkspace({ root }), 'a long line of tea', 'tea')
  expect(readFileSync(join(root, 'memory.md'), 'utf8')).toBe('tea\n')
  expect(statSync(join(root, 'MEMORY.md')).ino).toBe(statSync(join(root, 'memory.md')).ino)
})

test('a read-only file is refused as such, also to the administrator, and a read-only folder is named', async () => {
  const root = makeFolder({ 'MEMORY.md': 'tea\n', 'memory/a.md': 'tea\n' })
  const history = makeFolder()
  chmodSync(join(root, 'MEMORY.md'), 0o444)
  const workspace = await openWorkspace({ root, historyDir: history })
  await expect(replace(workspace, 'tea', 'coffee')).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('read-only'),
  })
  for (const folder of [root, history]) chmodSync(folder, 0o777)
  chmodSync(join(root, 'memory/a.md'), 0o666)
  chmodSync(join(root, 'memory'), 0o555)
  await asOrdinaryUser(async () => {
    await expect(replace(workspace, 'tea', 'coffee', 'memory/a.md')).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('permission denied'),
    })
  })
  expect(readFileSync(join(root, 'memory/a.md'), 'utf8')).toBe('tea\n')
})

test('bytes that are not UTF-8 anywhere in the file are a reason to change nothing', async () => {
  const root = makeFolder({
    'MEMORY.md': Buffer.concat([Buffer.from('tea\n'.repeat(50_000) + 'milk\n'), Buffer.from([0xff, 0xfe, 0x0a])]),
    'memory/wide.md': Buffer.from('\ufefftea', 'utf16le'),
  })
  const workspace = await openWorkspace({ root })
  await expect(replace(workspace, 'milk', 'x')).rejects.toMatchObject({ code: 'refused' })
  await expect(replace(workspace, 'tea', 'x', 'memory/wide.md')).rejects.toMatchObject({ code: 'refused' })
})

test('a note that would grow past what is searched is not written', async () => {
  const root = makeFolder({ 'MEMORY.md': 'tea\n' })
  const workspace = await openWorkspace({ root, maxFileBytes: 20 })
  await expect(replace(workspace, 'tea', 'x'.repeat(30))).rejects.toMatchObject({ code: 'refused' })
  expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toBe('tea\n')
})

test('a mark left by a killed process does not last', async () => {
  const root = makeFolder({ 'MEMORY.md': 'tea\n' })
  addFile(root, '.mnemark/history/MEMORY.md/editing', '')
  const workspace = await openWorkspace({ root })
  utimesSync(join(root, '.mnemark/history/MEMORY.md/editing'), 1, 1)
  expect(await replace(workspace, 'tea', 'coffee')).toMatchObject({ status: 'edited' })
  expect(readdirSync(join(root, '.mnemark/history/MEMORY.md'))).toHaveLength(1)
})

test('an edit goes with the text it was meant for: a quote that moved, changed or went is a conflict', async () => {
  const text = '# List\n\n- tea\n- milk\n'
  const root = makeFolder({ 'MEMORY.md': text })
  const workspace = await openWorkspace({ root })
  const quote = { hash: quoteHash('- tea\n- milk'), line: 3 }
  const insert = { insert: { afterLine: 4, text: '- bread' }, quote }
  for (const other of [text.replace('milk', 'oats'), `new line\n${text}`, '# List\n']) {
    writeFileSync(join(root, 'MEMORY.md'), other)
    await expect(workspace.edit('MEMORY.md', insert)).rejects.toMatchObject({ code: 'conflict' })
    expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toBe(other)
  }
  writeFileSync(join(root, 'MEMORY.md'), text)
  expect(await workspace.edit('MEMORY.md', insert)).toMatchObject({ status: 'edited', startLine: 5, conflict: null })
})

test('a name of 255 bytes is edited like any other, in Unicode of either form', async () => {
  const root = makeFolder()
  mkdirSync(join(root, 'memory'))
  const long = `memory/${'n'.repeat(252)}.md`
  const decomposed = 'memory/cafe\u0301.md'
  addFile(root, long, 'tea\n')
  addFile(root, decomposed, 'tea\n')
  const workspace = await openWorkspace({ root })
  // The temporary file beside it has a short name of its own.
  expect(await replace(workspace, 'tea', 'coffee', long)).toMatchObject({ status: 'edited', path: long })
  expect(await replace(workspace, 'tea', 'coffee', 'memory/caf\u00e9.md')).toMatchObject({ status: 'edited', path: decomposed })
})
