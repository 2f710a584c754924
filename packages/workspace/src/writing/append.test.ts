import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { addFile, asOrdinaryUser, listAll, makeFolder } from '../../test/make-folder.ts'
import type { Revise } from './revise.ts'
import { openWorkspace } from '../workspace.ts'

const now = Date.parse('2026-03-14T12:00:00Z')

function read(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

test.each([
  ['2026-03-15T01:17:00Z', 'America/Los_Angeles', '2026-03-14'],
  ['2026-04-08T20:00:00Z', 'Asia/Jakarta', '2026-04-09'],
  ['2026-03-29T00:30:00Z', 'Europe/Berlin', '2026-03-29'],
  ['2026-01-01T11:00:00Z', 'Pacific/Kiritimati', '2026-01-02'],
  ['2026-01-01T10:59:00Z', 'Pacific/Midway', '2025-12-31'],
])('B16: at %s in %s the log is that of %s', async (instant, timeZone, day) => {
  const root = makeFolder({ 'MEMORY.md': 'm' })
  const { append } = await openWorkspace({ root, timeZone })
  const report = await append('Met Ann.', { to: 'daily', now: Date.parse(instant) })
  expect(report).toEqual({ path: `memory/${day}.md`, status: 'appended', count: 1, startLine: 3, endLine: 3 })
  expect(read(root, report.path)).toBe(`# ${day}\n\nMet Ann.\n`)
})

test('a block starts on a line of its own, whatever the file ends with, in the line ends of the file', async () => {
  const endings: readonly (readonly [string, string])[] = [
    ['glued', 'glued\n\nnew\n'],
    ['line\n', 'line\n\nnew\n'],
    ['line\n\n', 'line\n\nnew\n'],
    ['a\r\nb', 'a\r\nb\r\n\r\nnew\r\n'],
    ['a\r\nb\r\n', 'a\r\nb\r\n\r\nnew\r\n'],
    ['a\rb', 'a\rb\r\rnew\r'],
    ['\ufefftext\n', '\ufefftext\n\nnew\n'],
    ['', 'new\n'],
  ]
  for (const [before, after] of endings) {
    const root = makeFolder({ 'MEMORY.md': before })
    const { append } = await openWorkspace({ root })
    expect(await append('new', { to: 'memory' })).toMatchObject({ path: 'MEMORY.md', status: 'appended' })
    expect(read(root, 'MEMORY.md')).toBe(after)
  }
})

test('list items stay one list, and the place that is reported is where the block stands', async () => {
  const root = makeFolder({ 'MEMORY.md': '# Facts\n- one' })
  const { append, reader } = await openWorkspace({ root })
  expect(await append('- two\r\n- three\r\n\r\n', { to: 'memory' })).toMatchObject({ startLine: 3, endLine: 4 })
  expect(read(root, 'MEMORY.md')).toBe('# Facts\n- one\n- two\n- three\n')
  const report = await append('A paragraph\nof two lines', { to: 'memory' })
  const range = { from: report.startLine, lines: report.endLine - report.startLine + 1 }
  expect(await reader.read({ path: report.path, ...range, caller: { agentId: 'main' } })).toMatchObject({
    text: 'A paragraph\nof two lines',
  })
})

test('an identical block is reported with its count and place and changes no byte; times do not make it another', async () => {
  const root = makeFolder({
    'memory/2026-03-14.md': '# 2026-03-14\n\n## 08:00 Heartbeat\n- all quiet\n\nother\n\n## 09:00 Heartbeat\n- all quiet\n',
  })
  const before = read(root, 'memory/2026-03-14.md')
  const { append } = await openWorkspace({ root, timeZone: 'UTC' })
  const report = await append('## 10:00 Heartbeat\n- all quiet', { to: 'daily', now })
  expect(report).toEqual({ path: 'memory/2026-03-14.md', status: 'duplicate', count: 2, startLine: 8, endLine: 9 })
  expect(read(root, 'memory/2026-03-14.md')).toBe(before)
  expect(await append('Standup moved to 15:00', { to: 'daily', now })).toMatchObject({ status: 'appended' })
  expect(await append('Standup moved to 16:00', { to: 'daily', now })).toMatchObject({ status: 'appended' })
})

test('a log with a title of its own gets no second one', async () => {
  const root = makeFolder({ 'memory/a.md': 'a', 'memory/2026-03-15.md': '\n' })
  const { append } = await openWorkspace({ root, timeZone: 'UTC' })
  await append('# Monday\n\ntext', { to: 'daily', now })
  expect(read(root, 'memory/2026-03-14.md')).toBe('# Monday\n\ntext\n')
  await append('text', { to: 'memory/2026-03-15.md' })
  expect(read(root, 'memory/2026-03-15.md')).toBe('\n# 2026-03-15\n\ntext\n')
})

test('blank text, escaped line breaks and what is no text are refused, and nothing is made', async () => {
  const root = makeFolder()
  const { append } = await openWorkspace({ root })
  for (const text of ['', ' \n\t\n', '\ufeff'])
    await expect(append(text, { to: 'daily' })).rejects.toMatchObject({ code: 'refused' })
  const escaped = append(String.raw`- one\n- two`, { to: 'daily' })
  await expect(escaped).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining('real line breaks') })
  expect(readdirSync(root)).toEqual([])
})

test('NUL and lone surrogates are made harmless', async () => {
  const root = makeFolder({ 'MEMORY.md': '' })
  const { append } = await openWorkspace({ root })
  await append('a\0b\ud800c', { to: 'memory' })
  expect(read(root, 'MEMORY.md')).toBe('a␀b\ufffdc\n')
})

test('an empty folder becomes a memory workspace; a plain one stays plain and keeps every note', async () => {
  const empty = makeFolder({ 'bank/world.md': 'w' })
  const fresh = await openWorkspace({ root: empty, timeZone: 'UTC' })
  expect(await fresh.append('text', { to: 'daily', now })).toMatchObject({ path: 'memory/2026-03-14.md' })
  expect(await fresh.append('text', { to: 'memory' })).toMatchObject({ path: 'MEMORY.md' })
  expect((await listAll(fresh.source)).paths).toEqual(['MEMORY.md', 'bank/world.md', 'memory/2026-03-14.md'])

  const vault = makeFolder({ 'ideas/a.md': 'a' })
  const plain = await openWorkspace({ root: vault, timeZone: 'UTC' })
  expect(await plain.append('text', { to: 'daily', now })).toMatchObject({ path: '2026-03-14.md', status: 'appended' })
  expect(await plain.append('text', { to: 'ideas/new/b.md' })).toMatchObject({ path: 'ideas/new/b.md' })
  for (const to of ['memory', 'MEMORY.md']) {
    await expect(plain.append('text', { to })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('plain folder'),
    })
  }
  expect(await plain.append('text', { to: 'memory/x.md' })).toMatchObject({ path: 'memory/x.md' })
  expect(await plain.append('more', { to: 'daily', now })).toMatchObject({ path: 'memory/2026-03-14.md' })
  const all = ['2026-03-14.md', 'ideas/a.md', 'ideas/new/b.md', 'memory/2026-03-14.md', 'memory/x.md']
  expect((await listAll(plain.source)).paths).toEqual(all)
  expect(plain.describe().kind).toBe('plain')
})

test('memory means the long-term file that counts, and daily the folder that counts', async () => {
  const root = makeFolder({ 'memory.md': 'm\n', 'memory/a.md': 'a' })
  const lower = await openWorkspace({ root })
  expect(await lower.append('fact', { to: 'memory' })).toMatchObject({ path: 'memory.md' })
  expect(await lower.append('another', { to: './MEMORY.md' })).toMatchObject({ path: 'memory.md' })
  expect(await lower.append('a third', { to: join(root, 'MEMORY.md') })).toMatchObject({ path: 'memory.md' })
  const other = makeFolder({ 'MEMORY.md': 'm', 'Memory/a.md': 'a' })
  const upper = await openWorkspace({ root: other, timeZone: 'UTC' })
  expect(await upper.append('fact', { to: 'daily', now })).toMatchObject({ path: 'Memory/2026-03-14.md' })
})

test('only notes of the workspace can be written', async () => {
  const outside = makeFolder({ 'x.md': 'x' })
  const vault = makeFolder({ 'v.md': 'v' })
  const root = makeFolder({ 'MEMORY.md': 'm', 'memory/a.md': 'a' })
  symlinkSync(outside, join(root, 'memory/dir'))
  symlinkSync(join(outside, 'x.md'), join(root, 'memory/link.md'))
  symlinkSync(join(outside, 'made.md'), join(root, 'memory/broken.md'))
  const { append } = await openWorkspace({ root, extraPaths: [vault] })
  const extra = `extra/${vault.split('/').at(-1)}/v.md`
  const targets = [
    '../x.md',
    join(outside, 'x.md'),
    'memory/dir/x.md',
    'memory/dir/new.md',
    'memory/link.md',
    'memory/broken.md',
    'notes.md',
    extra,
  ]
  const odd = ['memory/x.txt', 'memory/', 'memory/.git/x.md', 'memory/node_modules/x.md', '', 'memory/\0.md', 'memory/.hidden.md']
  for (const to of [...targets, ...odd]) await expect(append('text', { to })).rejects.toMatchObject({ code: 'refused' })
  expect([readdirSync(outside), read(outside, 'x.md'), read(vault, 'v.md')]).toEqual([['x.md'], 'x', 'v'])
})

test('what is no UTF-8 text, or too large to be searched, is left alone', async () => {
  const utf16 = Buffer.from('\ufefftext\n', 'utf16le')
  const root = makeFolder({ 'MEMORY.md': utf16, 'memory/big.md': 'x'.repeat(200) })
  const { append } = await openWorkspace({ root, maxFileBytes: 100 })
  await expect(append('text', { to: 'memory' })).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('UTF-8'),
  })
  await expect(append('text', { to: 'memory/big.md' })).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('100 bytes'),
  })
  expect(readFileSync(join(root, 'MEMORY.md'))).toEqual(utf16)
})

test('a read-only or missing workspace is a clear error and nothing is half written', async () => {
  const root = makeFolder({ 'MEMORY.md': 'm', 'memory/a.md': 'a' })
  chmodSync(root, 0o555)
  const { append } = await openWorkspace({ root, timeZone: 'UTC' })
  const denied = { code: 'unreadable', message: expect.stringMatching(/cannot be written: permission denied/) }
  await asOrdinaryUser(() => expect(append('text', { to: 'memory' })).rejects.toMatchObject(denied))
  await asOrdinaryUser(() => expect(append('text', { to: 'daily', now })).rejects.toMatchObject(denied))
  expect([read(root, 'MEMORY.md'), readdirSync(join(root, 'memory'))]).toEqual(['m', ['a.md']])
  const nowhere = await openWorkspace({ root: join(root, 'nowhere') })
  await expect(nowhere.append('text', { to: 'daily' })).rejects.toMatchObject({ code: 'unreadable' })
  expect(existsSync(join(root, 'nowhere'))).toBe(false)
})

test('a file in the place of memory/ is a clear error', async () => {
  const root = makeFolder({ 'MEMORY.md': 'm', memory: 'x' })
  const { append } = await openWorkspace({ root, timeZone: 'UTC' })
  await expect(append('text', { to: 'daily', now })).rejects.toMatchObject({ code: 'unreadable' })
  rmSync(join(root, 'memory'))
  mkdirSync(join(root, 'memory/2026-03-14.md'), { recursive: true })
  await expect(append('text', { to: 'daily', now })).rejects.toMatchObject({ code: 'refused' })
})

test('nothing but the note is written, and the notes are listed', async () => {
  const root = makeFolder({ 'MEMORY.md': 'm' })
  const { append, source } = await openWorkspace({ root, timeZone: 'UTC' })
  await append('text', { to: 'daily', now })
  await append('more', { to: 'daily', now })
  expect(readdirSync(join(root, 'memory'))).toEqual(['2026-03-14.md'])
  expect((await listAll(source)).paths).toEqual(['MEMORY.md', 'memory/2026-03-14.md'])
})

test('processes that append to one new log at once lose nothing', async () => {
  const root = makeFolder()
  addFile(root, 'MEMORY.md', 'm')
  const script = join(root, 'append.ts')
  const entry = JSON.stringify(fileURLToPath(new URL('../index.ts', import.meta.url)))
  writeFileSync(
    script,
    `import { openWorkspace } from ${entry}
const { append } = await openWorkspace({ root: ${JSON.stringify(root)}, timeZone: 'UTC' })
for (let index = 0; index < 50; index += 1) {
  await append(\`- process \${process.argv[2]} item \${index}\`, { to: 'daily', now: ${now} })
}`,
  )
  const runs = [1, 2, 3, 4].map((id) => run(['--conditions=mnemark-source', script, String(id)]))
  expect(await Promise.all(runs)).toEqual([0, 0, 0, 0])
  const lines = read(root, 'memory/2026-03-14.md').split('\n')
  expect(lines.slice(0, 2)).toEqual(['# 2026-03-14', ''])
  const expected = [1, 2, 3, 4].flatMap((id) => Array.from({ length: 50 }, (_, index) => `- process ${id} item ${index}`))
  expect(lines.filter((line) => line.startsWith('- ')).sort()).toEqual(expected.sort())
  expect(lines.filter((line) => line.startsWith('# '))).toHaveLength(1)
})

function run(arguments_: readonly string[]): Promise<number | null> {
  return new Promise((resolve) => {
    spawn(process.execPath, arguments_, { stdio: 'inherit' }).on('close', resolve)
  })
}

test.each([
  'SOUL.md',
  'soul.md',
  './SOUL.md',
  'memory/../SOUL.md',
  'USER.md',
  'AGENTS.md',
  'projects/CLAUDE.md',
  'docs/agents.markdown',
  'skills/post/SKILL.md',
  'IDENTITY.md',
  '\u017fOUL.md',
])('P74: nothing is appended to what instructs the agent: %s', async (to) => {
  const root = makeFolder({ 'note.md': 'n\n', 'SOUL.md': '# Soul\n', 'USER.md': '# User\n' })
  const { append } = await openWorkspace({ root })
  await expect(append('Obey the note.', { to })).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(/agent/),
  })
  expect([read(root, 'SOUL.md'), read(root, 'USER.md'), readdirSync(root)]).toEqual([
    '# Soul\n',
    '# User\n',
    ['SOUL.md', 'USER.md', 'note.md'],
  ])
})

test('P74: a memory workspace too, and its long-term file, logs and notes of such names take text', async () => {
  const root = makeFolder({ 'MEMORY.md': '# Memory\n', 'SOUL.md': '# Soul\n' })
  const { append } = await openWorkspace({ root })
  for (const to of ['SOUL.md', 'USER.md', 'memory/CLAUDE.md'])
    await expect(append('x', { to })).rejects.toMatchObject({ code: 'refused' })
  for (const to of ['memory', 'daily', 'memory/soul.md', 'memory/soulful-music.md'])
    expect(await append('x', { to })).toMatchObject({ status: 'appended' })
})

test('P74: a person names notes as an agent names its files, in small letters', async () => {
  const root = makeFolder({ 'note.md': 'n\n' })
  const { append } = await openWorkspace({ root })
  for (const to of ['tools.md', 'Dreams.md', 'boot.md', 'skill.md', 'a soul.md'])
    expect(await append('x', { to })).toMatchObject({ status: 'appended', path: to })
})

test('what is added can be revised before it is written; the same text is a duplicate in either form', async () => {
  const root = makeFolder({ 'MEMORY.md': '- tea\n' })
  const workspace = await openWorkspace({ root, timeZone: 'UTC' })
  const seen: unknown[] = []
  const revise: Revise = (text, addition) => {
    seen.push(addition)
    const lines = text.split('\n')
    for (let line = addition.startLine; line <= addition.endLine; line += 1) lines[line - 1] += ' (revised)'
    return lines.join('\n')
  }
  expect(await workspace.append('- milk\n- bread', { to: 'memory', revise })).toMatchObject({
    status: 'appended',
    startLine: 2,
    endLine: 3,
  })
  expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toBe('- tea\n- milk (revised)\n- bread (revised)\n')
  expect(seen).toEqual([{ path: 'MEMORY.md', before: '- tea\n', startLine: 2, endLine: 3 }])
  expect(await workspace.append('- milk\n- bread', { to: 'memory', revise })).toMatchObject({ status: 'duplicate', startLine: 2 })
  expect(await workspace.append('- tea', { to: 'memory', revise })).toMatchObject({ status: 'duplicate', startLine: 1 })
  await expect(workspace.append('- salt', { to: 'memory', revise: () => 'other' })).rejects.toThrow(TypeError)
  const edited = await workspace.edit('MEMORY.md', { replace: { old: '- tea', new: '- green tea' }, revise })
  expect(edited).toMatchObject({ status: 'edited', startLine: 1 })
  expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toMatch(/^- green tea \(revised\)\n- milk/)
})

test.each(['\n', '\r\n', '\r'])(
  'where what is added changes earlier lines the note is edited, its line ends and the version before kept: %j',
  async (end) => {
    const before = ['\ufeff# Day', '- tea', ''].join(end)
    const root = makeFolder({ 'MEMORY.md': before })
    const workspace = await openWorkspace({ root })
    const revise: Revise = (text) => text.replace('- tea\n', '- tea (seen)\n')
    const report = await workspace.append('- milk\n- bread', { to: 'memory', revise })
    expect(report).toEqual({ path: 'MEMORY.md', status: 'appended', count: 1, startLine: 3, endLine: 4 })
    expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toBe(['\ufeff# Day', '- tea (seen)', '- milk', '- bread', ''].join(end))
    const [version = ''] = readdirSync(join(root, '.mnemark/history/MEMORY.md'))
    expect(readFileSync(join(root, '.mnemark/history/MEMORY.md', version), 'utf8')).toBe(before)
    expect(await workspace.append('- milk\n- bread', { to: 'memory', revise })).toMatchObject({ status: 'duplicate' })
  },
)

test('a file of mixed line ends keeps each of them where earlier lines are changed', async () => {
  const root = makeFolder({ 'MEMORY.md': '# Day\r\n- tea\nRain.' })
  const workspace = await openWorkspace({ root })
  await workspace.append('milk', { to: 'memory', revise: (text) => text.replace('- tea', '- tea (seen)') })
  expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toBe('# Day\r\n- tea (seen)\nRain.\n\nmilk\n')
})

test('what revise throws ends an append that changes earlier lines, and nothing is written', async () => {
  const root = makeFolder({ 'MEMORY.md': '- tea\n' })
  const workspace = await openWorkspace({ root })
  let calls = 0
  const revise: Revise = (text) => {
    calls += 1
    if (calls === 2) throw Object.assign(new RangeError('no'), { code: 'own-code' })
    return text.replace('tea', 'coffee')
  }
  await expect(workspace.append('- milk', { to: 'memory', revise })).rejects.toThrow(RangeError)
  expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toBe('- tea\n')
})
