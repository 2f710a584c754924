import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { ReadReply, ReadRequest } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { addFile, asOrdinaryUser, makeFolder, makePipe } from '../../test/make-folder.ts'
import { openWorkspace } from '../workspace.ts'

type Read = (path: string, range?: Pick<ReadRequest, 'from' | 'lines'>) => Promise<ReadReply>

async function openReader(root: string, extraPaths: readonly string[] = []): Promise<Read> {
  const { reader } = await openWorkspace({ root, extraPaths })
  return (path, range = {}) => reader.read({ path, ...range, caller: { agentId: 'main' } })
}

const nothing = { text: '', startLine: 0, endLine: 0 }

test('B87: missing, empty and past the end are three answers, none an error', async () => {
  const root = makeFolder({
    'memory/three.md': 'a\nb\nc\n',
    'memory/zero.md': '',
    'memory/bom.md': '\ufeff',
    'memory/blank.md': '\n',
  })
  const read = await openReader(root)
  expect(await read('memory/2026-03-16.md')).toEqual({ path: 'memory/2026-03-16.md', status: 'not-found', ...nothing })
  expect(await read('memory/no/such/folder.md')).toMatchObject({ status: 'not-found' })
  expect(await read('memory/zero.md')).toEqual({ path: 'memory/zero.md', status: 'empty', ...nothing })
  expect(await read('memory/zero.md', { from: 5 })).toMatchObject({ status: 'empty' })
  expect(await read('memory/bom.md')).toMatchObject({ status: 'empty' })
  const past = { path: 'memory/three.md', status: 'ok', ...nothing, note: 'The file has 3 lines; line 50 is past its end.' }
  expect(await read('memory/three.md', { from: 50 })).toEqual(past)
  expect(await read('memory/blank.md')).toEqual({ path: 'memory/blank.md', status: 'ok', text: '\n', startLine: 1, endLine: 1 })
})

test.each([
  [{ from: 0 }, 'from'],
  [{ from: -1 }, 'from'],
  [{ from: 2.5 }, 'from'],
  [{ from: Number.NaN }, 'from'],
  [{ lines: 0 }, 'lines'],
  [{ lines: -1 }, 'lines'],
  [{ lines: Number.POSITIVE_INFINITY }, 'lines'],
])('B87: a range of %j is refused by name', async (range, name) => {
  const read = await openReader(makeFolder({ 'MEMORY.md': 'm' }))
  await expect(read('MEMORY.md', range)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining(`\`${name}\``),
  })
})

test('B87: a file that may not be read is neither missing nor empty', async () => {
  const root = makeFolder({ 'memory/locked.md': 'x', 'memory/closed/a.md': 'x' })
  chmodSync(root, 0o755)
  chmodSync(join(root, 'memory/locked.md'), 0o000)
  chmodSync(join(root, 'memory/closed'), 0o000)
  const read = await openReader(root)
  const denied = { code: 'unreadable', message: expect.stringContaining('permission denied') }
  await asOrdinaryUser(() => expect(read('memory/locked.md')).rejects.toMatchObject(denied))
  await asOrdinaryUser(() => expect(read('memory/closed/a.md')).rejects.toMatchObject(denied))
})

test('B26: a whole file comes back byte for byte, and a range without the line end of its last line', async () => {
  const text = '---\r\ntitle: Plan\r\n---\r\n# Goals\nship it\r\n'
  const read = await openReader(makeFolder({ 'memory/a.md': text }))
  expect(await read('memory/a.md')).toEqual({ path: 'memory/a.md', status: 'ok', text, startLine: 1, endLine: 5 })
  expect(await read('memory/a.md', { from: 2, lines: 2 })).toMatchObject({ text: 'title: Plan\r\n---', endLine: 3, nextFrom: 4 })
  expect(await read('memory/a.md', { from: 5, lines: 1 })).toEqual({
    path: 'memory/a.md',
    status: 'ok',
    text: 'ship it',
    startLine: 5,
    endLine: 5,
  })
  expect(await read('memory/a.md', { from: 5, lines: 9 })).toMatchObject({ text: 'ship it\r\n', endLine: 5 })
})

test('lines have the numbers the index gives them, in every kind of line end', async () => {
  for (const text of ['one\rtwo\rthree', 'one\r\ntwo\nthree', 'one\ntwo\nthree\r']) {
    const root = makeFolder({ 'MEMORY.md': text })
    const { source, reader } = await openWorkspace({ root })
    const content = await source.read({ source: 'memory', path: 'MEMORY.md', size: 0, modifiedAtMs: 0 })
    expect(content.text.split('\n')).toEqual(['one', 'two', 'three'])
    expect(await reader.read({ path: 'MEMORY.md', from: 3, lines: 1, caller: { agentId: 'main' } })).toMatchObject({
      text: 'three',
      startLine: 3,
    })
  }
})

test('by default 120 lines or 12,000 characters, whole lines; named lines are given in full', async () => {
  const short = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`)
  const long = Array.from({ length: 40 }, () => 'x'.repeat(999))
  const read = await openReader(makeFolder({ 'memory/short.md': short.join('\n'), 'memory/long.md': long.join('\n') }))
  const first = await read('memory/short.md')
  expect(first).toMatchObject({ text: short.slice(0, 120).join('\n'), startLine: 1, endLine: 120, nextFrom: 121 })
  expect(await read('memory/short.md', { from: 241 })).toMatchObject({
    text: short.slice(240).join('\n'),
    startLine: 241,
    endLine: 300,
  })
  expect(await read('memory/short.md', { from: 181, lines: 120 })).not.toHaveProperty('nextFrom')
  const bounded = await read('memory/long.md')
  expect(bounded).toMatchObject({ text: long.slice(0, 12).join('\n'), endLine: 12, nextFrom: 13 })
  expect((await read('memory/long.md', { from: 1, lines: 40 })).text).toBe(long.join('\n'))
})

test('B89: from 200 MB of short lines, five return without the rest being read; the last five in bounded memory', async () => {
  const root = makeFolder({ 'memory/a.md': '' })
  const piece = Buffer.from('some short line of a long log\n'.repeat(35_000))
  writePieces(join(root, 'memory/a.md'), piece, 200)
  const read = await openReader(root)
  const before = process.memoryUsage().rss
  const readBefore = bytesRead()
  expect(await read('memory/a.md', { from: 1, lines: 5 })).toMatchObject({ startLine: 1, endLine: 5, nextFrom: 6 })
  expect(bytesRead() - readBefore).toBeLessThan(2_000_000)
  expect(await read('memory/a.md', { from: 6_999_996 })).toMatchObject({ startLine: 6_999_996, endLine: 7_000_000 })
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
})

test('B89: a single line of 200 MB gives its beginning, a note and the next line', async () => {
  const root = makeFolder({ 'memory/a.md': '' })
  writePieces(join(root, 'memory/a.md'), Buffer.alloc(1_000_000, '🐘'), 200)
  writeFileSync(join(root, 'memory/a.md'), '\nlast\n', { flag: 'a' })
  const read = await openReader(root)
  const before = process.memoryUsage().rss
  const reply = await read('memory/a.md')
  expect(reply).toMatchObject({ status: 'ok', startLine: 1, endLine: 1, nextFrom: 2, note: expect.stringContaining('12,000') })
  expect(reply.text).toBe('🐘'.repeat(6000))
  const named = await read('memory/a.md', { lines: 3 })
  expect(named).toMatchObject({ endLine: 1, nextFrom: 2, note: expect.stringContaining('1,000,000') })
  expect(named.text).toHaveLength(1_000_000)
  expect(await read('memory/a.md', { from: 2 })).toMatchObject({ text: 'last\n', startLine: 2 })
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
})

/** How many bytes this process has read from files, on systems that count it. */
function bytesRead(): number {
  return existsSync('/proc/self/io') ? Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]) : 0
}

function writePieces(path: string, piece: Uint8Array, count: number): void {
  const descriptor = openSync(path, 'w')
  for (let index = 0; index < count; index += 1) writeSync(descriptor, piece)
  closeSync(descriptor)
}

test('a path may be written ./x, with .. inside, absolute, or as a citation', async () => {
  const root = makeFolder({ 'MEMORY.md': 'm', 'memory/a.md': '1\n2\n3\n4\n', 'memory/b#L2.md': 'odd\n' })
  const read = await openReader(root)
  for (const path of ['./memory/a.md', 'memory//a.md', 'memory/x/../a.md', join(root, 'memory/a.md')]) {
    expect(await read(path)).toMatchObject({ path: 'memory/a.md', text: '1\n2\n3\n4\n' })
  }
  const cited = { path: 'memory/a.md', text: '2\n3', startLine: 2, endLine: 3, nextFrom: 4 }
  for (const path of ['memory/a.md#L2-L3', 'memory/a.md#L2-3', 'memory/a.md:2-3', `${root}/memory/a.md:2-3`]) {
    expect(await read(path)).toMatchObject(cited)
  }
  expect(await read('memory/a.md#L4')).toMatchObject({ text: '4', startLine: 4, endLine: 4 })
  expect(await read('memory/a.md:2-3', { from: 4 })).toMatchObject({ text: '4\n', startLine: 4 })
  // P71: lines alone count from where the citation begins.
  expect(await read('memory/a.md#L2-L4', { lines: 1 })).toMatchObject({ text: '2', startLine: 2, endLine: 2 })
  expect(await read('memory/a.md:3', { lines: 2 })).toMatchObject({ text: '3\n4', startLine: 3 })
  expect(await read('memory/b#L2.md')).toMatchObject({ path: 'memory/b#L2.md', text: 'odd\n' })
  expect(await read('memory/none.md#L2')).toMatchObject({ path: 'memory/none.md', status: 'not-found' })
})

test('B30: what lies outside, behind a link or in no layout is refused in one wording, whether it exists or not', async () => {
  const outside = makeFolder({ 'secret.md': 'secret', 'sub/secret.md': 'secret' })
  const root = makeFolder({
    'MEMORY.md': 'm',
    'memory/state.json': '{}',
    'memory/.git/x.md': 'x',
    'memory/node_modules/x.md': 'x',
    'memory/e/pyvenv.cfg': '',
    'memory/e/x.md': 'x',
    'memory/folder.md/x.md': 'x',
    'AGENTS.md': 'a',
  })
  symlinkSync(outside, join(root, 'memory/dir'))
  symlinkSync(join(outside, 'secret.md'), join(root, 'memory/link.md'))
  symlinkSync(join(outside, 'nothing.md'), join(root, 'memory/broken.md'))
  makePipe(join(root, 'memory/pipe.md'))
  const read = await openReader(root)
  const up = '../'.repeat(20)
  const paths = [
    '',
    '.',
    '/',
    '..',
    'memory',
    'memory/',
    'memory/dir/secret.md',
    'memory/dir/nothing.md',
    'memory/dir/sub/secret.md',
    'memory/link.md',
    'memory/broken.md',
    join(outside, 'secret.md'),
    join(outside, 'nothing.md'),
    `${up}${outside.slice(1)}/secret.md`,
    `memory/${up}${outside.slice(1)}/secret.md`,
    'memory/..%2f..%2fsecret.md',
    'memory/%2e%2e/%2e%2e/secret.md',
    'memory/..%252fsecret.md',
    'memory\\..\\..\\secret.md',
    'memory/a.md\0.txt',
    '/etc/passwd',
    'file:///etc/passwd',
    'memory/state.json',
    'memory/none.json',
    'memory/.git/x.md',
    'memory/.git/none.md',
    'memory/node_modules/x.md',
    'memory/node_modules/none.md',
    'memory/e/x.md',
    'memory/folder.md',
    'memory/pipe.md',
    'AGENTS.md',
    'NONE.md',
    'memory/dir/secret.md#L1',
    'extra/vault/x.md',
  ]
  const errors = await Promise.all(paths.map((path) => read(path).catch((error: unknown) => error)))
  const message = 'This path is not a note of this workspace. Use a path as search shows it.'
  for (const [index, error] of errors.entries())
    expect([paths[index], error]).toMatchObject([paths[index], { code: 'refused', message }])
})

test('a root inside an extra root stays closed where its own rules say so', async () => {
  const base = makeFolder({ 'ws/MEMORY.md': 'm', 'v/.obsidian/x.md': 'x', 'v/n.md': 'n' })
  const read = await openReader(join(base, 'ws'), ['../v'])
  await expect(read('extra/v/.obsidian/x.md')).rejects.toMatchObject({ code: 'refused' })
  await expect(read('extra/v/../../ws/secret.md')).rejects.toMatchObject({ code: 'refused' })
  await expect(read('extra/v')).rejects.toMatchObject({ code: 'refused' })
  expect(await read('extra/v/n.md')).toMatchObject({ text: 'n' })
})

test('a workspace or extra root that is a link reads under both of its names', async () => {
  const real = makeFolder({ 'memory/a.md': 'a' })
  const links = makeFolder()
  symlinkSync(real, join(links, 'ws'))
  const read = await openReader(join(links, 'ws'))
  for (const path of ['memory/a.md', join(links, 'ws/memory/a.md'), join(real, 'memory/a.md')]) {
    expect(await read(path)).toMatchObject({ path: 'memory/a.md', text: 'a' })
  }
})

test('a note that did not exist when the workspace was opened is read, and one saved by rename too', async () => {
  const root = makeFolder({ 'MEMORY.md': 'm' })
  const read = await openReader(root)
  addFile(root, 'memory/new.md', 'one')
  expect(await read('memory/new.md')).toMatchObject({ text: 'one' })
  addFile(root, 'memory/new.tmp', 'two')
  renameSync(join(root, 'memory/new.tmp'), join(root, 'memory/new.md'))
  expect(await read('memory/new.md')).toMatchObject({ text: 'two' })
})

test('binary content is refused as such and a missing workspace is an error, not a missing note', async () => {
  const root = makeFolder({ 'memory/image.md': Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7) % 256)) })
  const read = await openReader(root)
  await expect(read('memory/image.md')).rejects.toMatchObject({ code: 'unreadable', message: expect.stringContaining('binary') })
  const readNowhere = await openReader(join(root, 'nowhere'))
  const message = 'The workspace folder cannot be read: it does not exist (ENOENT).'
  await expect(readNowhere('MEMORY.md')).rejects.toMatchObject({ code: 'unreadable', message })
})

test('UTF-16 reads by line as text', async () => {
  const read = await openReader(makeFolder({ 'MEMORY.md': Buffer.from('\ufeff一\n二\n三\n', 'utf16le') }))
  expect(await read('MEMORY.md', { from: 2, lines: 1 })).toMatchObject({ text: '二', startLine: 2, nextFrom: 3 })
})
