import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { ConfigError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { addFile, listAll, makeFolder } from '../../test/make-folder.ts'
import { expandHome } from './extra-paths.ts'
import { openWorkspace, type Workspace } from '../workspace.ts'

const caller = { agentId: 'main' }

async function expectReadable({ source, reader }: Workspace): Promise<readonly string[]> {
  const { documents, paths } = await listAll(source)
  for (const document of documents) {
    expect(await reader.read({ path: document.path, caller })).toMatchObject({ path: document.path, status: 'ok' })
    expect(await source.read(document)).toHaveProperty('text')
  }
  return paths
}

test('absolute and relative folders and files are shown as extra/<name>/<relative>, and each path reads back', async () => {
  const base = makeFolder({
    'ws/MEMORY.md': 'm',
    'vault/a.md': 'a',
    'vault/b/c.markdown': 'c',
    'docs/one.md': '1',
    'docs/two.md': '2',
  })
  const workspace = await openWorkspace({ root: join(base, 'ws'), extraPaths: ['../vault', join(base, 'docs/one.md')] })
  expect(await expectReadable(workspace)).toEqual([
    'MEMORY.md',
    'extra/vault/a.md',
    'extra/vault/b/c.markdown',
    'extra/docs/one.md',
  ])
  expect(await workspace.reader.read({ path: '../vault/a.md', caller })).toMatchObject({ path: 'extra/vault/a.md', text: 'a' })
  expect(await workspace.reader.read({ path: join(base, 'vault/b/c.markdown'), caller })).toMatchObject({
    path: 'extra/vault/b/c.markdown',
  })
  expect(await workspace.reader.read({ path: '../vault/new.md', caller })).toMatchObject({
    path: 'extra/vault/new.md',
    status: 'not-found',
  })
  await expect(workspace.reader.read({ path: '../docs/two.md', caller })).rejects.toMatchObject({ code: 'refused' })
})

test('B33: ~/ in an extra path or root is the user’s folder', () => {
  expect(expandHome('~/Vault')).toBe(join(homedir(), 'Vault'))
  expect(expandHome('~')).toBe(join(homedir(), ''))
  expect(expandHome('~other/x')).toBe('~other/x')
  expect(expandHome('a/~/b')).toBe('a/~/b')
})

test('B33: an extra path below ~/ is looked for in the user’s folder, not in a folder called ~', async () => {
  const inHome = relative(homedir(), makeFolder({ 'n.md': 'n' }))
  const root = makeFolder({ 'MEMORY.md': 'm', '~/n.md': 'wrong' })
  const workspace = await openWorkspace({ root, extraPaths: [`~/${inHome}`] })
  expect(await expectReadable(workspace)).toEqual(['MEMORY.md', `extra/${basename(inHome)}/n.md`])
})

test('two extra folders of one name get names of their own that do not depend on what is on disk', async () => {
  const base = makeFolder({ 'ws/MEMORY.md': 'm', 'a/notes/x.md': 'ax', 'b/notes/x.md': 'bx' })
  const workspace = await openWorkspace({ root: join(base, 'ws'), extraPaths: ['../a/notes', '../b/notes'] })
  expect(await expectReadable(workspace)).toEqual(['MEMORY.md', 'extra/notes/x.md', 'extra/notes-2/x.md'])
  expect(await workspace.reader.read({ path: 'extra/notes-2/x.md', caller })).toMatchObject({ text: 'bx' })
  rmSync(join(base, 'a'), { recursive: true })
  const { paths, error } = await listAll(workspace.source)
  expect(paths).toEqual(['MEMORY.md', 'extra/notes-2/x.md'])
  expect(error).toMatchObject({ code: 'unreadable' })
  await expect(workspace.reader.read({ path: 'extra/notes/x.md', caller })).rejects.toMatchObject({ code: 'unreadable' })
})

test('an extra name never collides with a real folder extra/ of a plain workspace', async () => {
  const base = makeFolder({ 'ws/extra/vault/a.md': 'own', 'vault/a.md': 'other' })
  const workspace = await openWorkspace({ root: join(base, 'ws'), extraPaths: ['../vault'] })
  expect(await expectReadable(workspace)).toEqual(['extra/vault/a.md', 'extra/vault-2/a.md'])
  expect(await workspace.reader.read({ path: 'extra/vault/a.md', caller })).toMatchObject({ text: 'own' })
  expect(await workspace.reader.read({ path: 'extra/vault-2/a.md', caller })).toMatchObject({ text: 'other' })
})

test('what two roots share counts once, and the workspace keeps it', async () => {
  const base = makeFolder({ 'ws/MEMORY.md': 'm', 'ws/memory/a.md': 'a', 'ws/notes/n.md': 'n', 'other.md': 'o' })
  symlinkSync(join(base, 'ws/notes'), join(base, 'same'))
  const workspace = await openWorkspace({ root: join(base, 'ws'), extraPaths: ['memory', 'notes', '../same', '..'] })
  expect(await expectReadable(workspace)).toEqual([
    'MEMORY.md',
    'memory/a.md',
    'extra/notes/n.md',
    `extra/${basename(base)}/other.md`,
  ])
  expect(workspace.describe().lastListing?.leftOut).toMatchObject({ 'same-file': 5 })
  expect(workspace.describe().warnings).toEqual(['Extra path memory adds no notes.', 'Extra path ../same adds no notes.'])
})

test.each([
  ['**/*.md', ['a.md', '[x/e.md', 'one/b.md', 'one/deep/c.md', 'two/d.md']],
  ['*.md', ['a.md']],
  ['*/*.md', ['[x/e.md', 'one/b.md', 'two/d.md']],
  ['one/**', ['b.md', 'deep/c.md']],
  ['{one,two}/?.md', ['one/b.md', 'two/d.md']],
  ['one/{b,deep/c}.md', ['b.md', 'deep/c.md']],
  ['t*', ['two/d.md']],
  ['[[]x/*.md', ['[x/e.md']],
])('the glob %s takes in what it says', async (glob, expected) => {
  const base = makeFolder({
    'ws/MEMORY.md': 'm',
    'v/a.md': '',
    'v/one/b.md': '',
    'v/one/deep/c.md': '',
    'v/two/d.md': '',
    'v/two/skip.txt': '',
    'v/[x/e.md': '',
    'v/.hidden/f.md': '',
  })
  const { source, describe } = await openWorkspace({ root: join(base, 'ws'), extraPaths: [`../v/${glob}`] })
  const { paths, error } = await listAll(source)
  expect(error).toBeNull()
  const prefix = describe().extraPaths[0]?.prefix ?? ''
  const found = paths.slice(1).map((path) => path.slice(prefix.length))
  expect(found).toEqual(expected)
})

test('a file or folder whose real name has glob characters is no glob', async () => {
  const base = makeFolder({
    'ws/MEMORY.md': 'm',
    'v/[ab]/x.md': 'x',
    'v/a/no.md': '',
    'v/[.md': 'y',
    'v/[c]/deep/z.md': 'z',
    'v/c/deep/no.md': '',
  })
  const extraPaths = ['../v/[ab]', '../v/[.md', '../v/[c]/**/*.md']
  const workspace = await openWorkspace({ root: join(base, 'ws'), extraPaths })
  expect(await expectReadable(workspace)).toEqual(['MEMORY.md', 'extra/[ab]/x.md', 'extra/v/[.md', 'extra/[c]/deep/z.md'])
})

test('an extra file that is not Markdown is skipped with a reason; a hidden one that is named is read', async () => {
  const base = makeFolder({ 'ws/MEMORY.md': 'm', 'x.json': '{}', '.plan.md': 'p' })
  const workspace = await openWorkspace({ root: join(base, 'ws'), extraPaths: ['../x.json', '../.plan.md'] })
  expect(await expectReadable(workspace)).toEqual(['MEMORY.md', `extra/${basename(base)}/.plan.md`])
  const { skipped, error } = await listAll(workspace.source)
  expect(skipped).toEqual({ [`extra/${basename(base)}/x.json`]: 'not Markdown' })
  expect(error).toBeNull()
})

test('an extra file that is a link is followed once', async () => {
  const base = makeFolder({ 'ws/MEMORY.md': 'm', 'real/file.md': 'text' })
  mkdirSync(join(base, 'links'))
  symlinkSync(join(base, 'real/file.md'), join(base, 'links/named.md'))
  const workspace = await openWorkspace({ root: join(base, 'ws'), extraPaths: ['../links/named.md'] })
  expect(await expectReadable(workspace)).toEqual(['MEMORY.md', 'extra/links/named.md'])
  expect(workspace.describe().extraPaths).toMatchObject([{ isLink: true, realPath: join(base, 'real/file.md') }])
})

test('a workspace that is opened before its notes exist finds them later', async () => {
  const base = makeFolder({ 'ws/x.txt': '' })
  const workspace = await openWorkspace({ root: join(base, 'ws'), extraPaths: ['../late'] })
  expect((await listAll(workspace.source)).error).toMatchObject({ code: 'unreadable' })
  addFile(base, 'ws/memory/a.md')
  addFile(base, 'late/b.md')
  expect(await expectReadable(workspace)).toEqual(['memory/a.md', 'extra/late/b.md'])
})

test.each([
  { root: ' ' },
  { root: 'a\0b' },
  { root: '.', extraPaths: [''] },
  { root: '.', extraPaths: ['x\0'] },
  { root: '.', maxFileBytes: 0 },
  { root: '.', maxFileBytes: 1.5 },
  { root: '.', timeZone: 'Mars/Olympus' },
])('options that cannot be meant are refused: %j', async (options) => {
  const error: unknown = await openWorkspace(options).catch((thrown: unknown) => thrown)
  expect(ConfigError.isInstance(error)).toBe(true)
})
