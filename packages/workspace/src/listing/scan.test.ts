import { chmodSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WorkspaceError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { addFile, asOrdinaryUser, listAll, makeFolder, makePipe } from '../../test/make-folder.ts'
import { openWorkspace } from '../workspace.ts'

const caller = { agentId: 'main' }

test('a memory workspace is its long-term file, logs, bank, SOUL.md and USER.md, and nothing else', async () => {
  const root = makeFolder({
    'MEMORY.md': 'm',
    'SOUL.md': 's',
    'USER.md': 'u',
    'AGENTS.md': 'a',
    'docs/x.md': 'x',
    'bank/entities/ann.md': 'e',
    'memory/2026-01-02.md': 'd',
    'memory/topics/deep/note.markdown': 'n',
  })
  const { source, describe } = await openWorkspace({ root })
  const { paths, error } = await listAll(source)
  expect(error).toBeNull()
  expect(paths).toEqual([
    'MEMORY.md',
    'SOUL.md',
    'USER.md',
    'bank/entities/ann.md',
    'memory/2026-01-02.md',
    'memory/topics/deep/note.markdown',
  ])
  expect(describe()).toMatchObject({ kind: 'memory', curated: 'MEMORY.md', warnings: [], lastListing: { documents: 6 } })
})

test('without MEMORY.md and memory/ a folder is plain: every Markdown file counts, also beside bank/ or memory.md', async () => {
  const root = makeFolder({
    'a.md': 'a',
    'b/c.markdown': 'c',
    'b/D.MD': 'd',
    'bank/w.md': 'w',
    'memory.md': 'm',
    'Memory/x.md': 'x',
    'y.txt': '',
  })
  const { source, describe } = await openWorkspace({ root })
  expect((await listAll(source)).paths).toEqual(['a.md', 'memory.md', 'Memory/x.md', 'b/D.MD', 'b/c.markdown', 'bank/w.md'])
  expect(describe()).toMatchObject({ kind: 'plain', curated: 'memory.md', lastListing: { leftOut: { 'other-files': 1 } } })
})

test('B29: one file under the names MEMORY.md and memory.md counts once and is no reason to warn', async () => {
  const root = makeFolder({ 'MEMORY.md': 'm' })
  linkSync(join(root, 'MEMORY.md'), join(root, 'memory.md'))
  const { source, describe } = await openWorkspace({ root })
  expect((await listAll(source)).paths).toEqual(['MEMORY.md'])
  expect(describe().warnings).toEqual([])
})

test('B29: of two different files MEMORY.md counts, with a warning; alone, memory.md counts', async () => {
  const root = makeFolder({ 'MEMORY.md': 'upper', 'memory.md': 'lower', 'memory/a.md': 'a' })
  const { source, describe } = await openWorkspace({ root })
  expect((await listAll(source)).paths).toEqual(['MEMORY.md', 'memory/a.md'])
  expect(describe().warnings).toEqual([expect.stringContaining('MEMORY.md is used')])
  rmSync(join(root, 'MEMORY.md'))
  expect((await listAll(source)).paths).toEqual(['memory.md', 'memory/a.md'])
  expect(describe()).toMatchObject({ curated: 'memory.md', warnings: [] })
})

test('B29: without memory/ the folder Memory/ takes its place and is named; beside it, it is named as not read', async () => {
  const root = makeFolder({ 'MEMORY.md': 'm', 'Memory/2026-01-02.md': 'd' })
  const { source, describe } = await openWorkspace({ root })
  expect((await listAll(source)).paths).toEqual(['MEMORY.md', 'Memory/2026-01-02.md'])
  expect(describe().warnings).toEqual(['Memory/ is used as memory/.'])
  addFile(root, 'memory/b.md')
  expect((await listAll(source)).paths).toEqual(['MEMORY.md', 'memory/b.md'])
  expect(describe().warnings).toEqual([expect.stringContaining('Memory/ is not read')])
})

test('B29: a third spelling, and that of another file of the layout, is named as not read', async () => {
  const root = makeFolder({ 'memory/a.md': 'a', 'Memory.md': 'm', 'MEMORY.MD': 'm', 'soul.md': 's' })
  linkSync(join(root, 'soul.md'), join(root, 'SOUL.md'))
  const { source, describe } = await openWorkspace({ root })
  expect((await listAll(source)).paths).toEqual(['SOUL.md', 'memory/a.md'])
  expect([...describe().warnings].sort()).toEqual(
    ['MEMORY.MD', 'Memory.md'].map((name) => `${name} is not read: the name is MEMORY.md. Rename it, or merge the two.`),
  )
})

test('a file with two names in one folder counts once', async () => {
  const root = makeFolder({ 'memory/a.md': 'a' })
  linkSync(join(root, 'memory/a.md'), join(root, 'memory/b.md'))
  const { source, describe } = await openWorkspace({ root })
  expect((await listAll(source)).paths).toEqual(['memory/a.md'])
  expect(describe().lastListing?.leftOut).toEqual({ 'same-file': 1 })
})

test('B30: links inside a root are not followed but named, and a loop of links ends', async () => {
  const outside = makeFolder({ 'secret.md': 'secret' })
  const root = makeFolder({ 'memory/a.md': 'a' })
  symlinkSync(outside, join(root, 'memory/dir'))
  symlinkSync(join(root, 'memory'), join(root, 'memory/loop'))
  symlinkSync(join(root, 'memory/a.md'), join(root, 'memory/today.md'))
  symlinkSync(join(outside, 'picture.png'), join(root, 'memory/picture.png'))
  const { source } = await openWorkspace({ root })
  const { paths, skipped, error } = await listAll(source)
  expect(error).toBeNull()
  expect(paths).toEqual(['memory/a.md'])
  const reason = 'link, not followed'
  expect(skipped).toEqual({ 'memory/dir': reason, 'memory/loop': reason, 'memory/today.md': reason })
})

test('B30: a workspace or extra path that is itself a link is followed once and named', async () => {
  const real = makeFolder({ 'MEMORY.md': 'm' })
  const vault = makeFolder({ 'n.md': 'n' })
  const links = makeFolder()
  symlinkSync(real, join(links, 'workspace'))
  symlinkSync(vault, join(links, 'vault'))
  const { source, describe } = await openWorkspace({ root: join(links, 'workspace'), extraPaths: [join(links, 'vault')] })
  expect((await listAll(source)).paths).toEqual(['MEMORY.md', 'extra/vault/n.md'])
  expect(describe()).toMatchObject({
    root: { isLink: true, realPath: real, problem: null },
    extraPaths: [{ isLink: true, realPath: vault, problem: null, documents: 1 }],
  })
})

test('B30: memory/ that is a link is named as not followed', async () => {
  const outside = makeFolder({ 'n.md': 'n' })
  const root = makeFolder({ 'MEMORY.md': 'm' })
  symlinkSync(outside, join(root, 'memory'))
  const { source, describe } = await openWorkspace({ root })
  const { paths, skipped } = await listAll(source)
  expect(paths).toEqual(['MEMORY.md'])
  expect(skipped).toEqual({ memory: 'link, not followed' })
  expect(describe().warnings).toEqual([expect.stringContaining('memory is a link')])
})

test('B32: special files, dangling links and oversize files are skipped with a reason and block nothing', async () => {
  const root = makeFolder({ 'memory/a.md': 'a', 'memory/big.md': 'x'.repeat(101), 'memory/fits.md': 'x'.repeat(100) })
  makePipe(join(root, 'memory/pipe.md'), join(root, 'memory/pipe'))
  symlinkSync(join(root, 'nowhere.md'), join(root, 'memory/broken.md'))
  const { source, describe } = await openWorkspace({ root, maxFileBytes: 100 })
  const { paths, skipped, error } = await listAll(source)
  expect(error).toBeNull()
  expect(paths).toEqual(['memory/a.md', 'memory/fits.md'])
  expect(skipped).toEqual({
    'memory/big.md': 'larger than 100 bytes',
    'memory/broken.md': 'unreadable: link to nothing',
    'memory/pipe.md': 'not a regular file',
  })
  expect(describe().lastListing?.skipped).toEqual({
    'larger than 100 bytes': 1,
    'unreadable: link to nothing': 1,
    'not a regular file': 1,
  })
})

test('B32: a file that vanished after the listing is unreadable with ENOENT as its cause; the others read', async () => {
  const root = makeFolder({ 'memory/a.md': 'a', 'memory/b.md': 'b', 'memory/c/d.md': 'd' })
  const { source } = await openWorkspace({ root })
  const { documents } = await listAll(source)
  rmSync(join(root, 'memory/b.md'))
  rmSync(join(root, 'memory/c'), { recursive: true })
  const results = await Promise.allSettled(documents.map((document) => source.read(document)))
  expect(results[0]).toMatchObject({ status: 'fulfilled', value: { text: 'a' } })
  for (const result of results.slice(1)) {
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unreadable', cause: { code: 'ENOENT' } } })
  }
})

test('B32: a file that changed after the listing reads with its final content', async () => {
  const root = makeFolder({ 'memory/c.md': 'one' })
  const { source } = await openWorkspace({ root })
  const [document] = (await listAll(source)).documents
  writeFileSync(join(root, 'memory/c.new'), 'one two')
  renameSync(join(root, 'memory/c.new'), join(root, 'memory/c.md'))
  expect(await source.read(document!)).toEqual({ text: 'one two' })
})

test('B32: a file that became a pipe or a link after the listing is unreadable, at once', async () => {
  const outside = makeFolder({ 'secret.md': 'secret' })
  const root = makeFolder({ 'memory/a.md': 'a', 'memory/b.md': 'b' })
  const { source } = await openWorkspace({ root })
  const { documents } = await listAll(source)
  rmSync(join(root, 'memory/a.md'))
  rmSync(join(root, 'memory/b.md'))
  makePipe(join(root, 'memory/a.md'))
  symlinkSync(join(outside, 'secret.md'), join(root, 'memory/b.md'))
  for (const document of documents) await expect(source.read(document)).rejects.toMatchObject({ code: 'unreadable' })
})

test('B33: odd names each are a document of their own, and each listed path opens its file', async () => {
  const names = [
    'my_file.md',
    'my-file.md',
    'my file.md',
    '🐘.md',
    '{.md',
    '[.md',
    '*.md',
    'a:12.md',
    'a#L1.md',
    'back\\slash.md',
    ' .md',
  ]
  const forms = ['é.md'.normalize('NFC'), 'é.md'.normalize('NFD')]
  const all = [...names, ...forms, `${'n'.repeat(252)}.md`]
  const root = makeFolder(Object.fromEntries(all.map((name) => [`memory/${name}`, `text of ${name}`])))
  const { source, reader } = await openWorkspace({ root })
  const { documents, error } = await listAll(source)
  expect(error).toBeNull()
  expect(documents.map(({ path }) => path.slice('memory/'.length)).sort()).toEqual(all.sort())
  for (const document of documents) {
    const text = `text of ${document.path.slice('memory/'.length)}`
    expect(await source.read(document)).toEqual({ text })
    expect(await reader.read({ path: document.path, caller })).toMatchObject({ path: document.path, status: 'ok', text })
  }
})

test('B33: a name typed in NFC opens a file stored in NFD, and the reply has the stored name', async () => {
  const stored = `memory/${'Zürich'.normalize('NFD')}/${'café'.normalize('NFD')}.md`
  const root = makeFolder({ [stored]: 'text' })
  const { reader } = await openWorkspace({ root })
  expect(await reader.read({ path: stored.normalize('NFC'), caller })).toMatchObject({ path: stored, text: 'text' })
})

test('names that are not UTF-8 are skipped with a reason; a real U+FFFD in a name is not', async () => {
  const root = makeFolder({ 'memory/a.md': 'a', 'memory/\ufffd.md': 'b' })
  writeFileSync(Buffer.concat([Buffer.from(join(root, 'memory/caf')), Buffer.from([0xe9]), Buffer.from('.md')]), 'x')
  mkdirSync(Buffer.concat([Buffer.from(join(root, 'memory/d')), Buffer.from([0xff])]))
  const { source } = await openWorkspace({ root })
  const { paths, skipped, error } = await listAll(source)
  expect(error).toBeNull()
  expect(paths).toEqual(['memory/a.md', 'memory/\ufffd.md'])
  expect(skipped).toEqual({ 'memory/caf\ufffd.md': 'name is not valid UTF-8', 'memory/d\ufffd': 'name is not valid UTF-8' })
})

test('the ignore list: what it leaves out is counted by rule, and a switched-off rule lets it in', async () => {
  const root = makeFolder({
    'a.md': 'a',
    '.git/x.md': '',
    '.mnemark/x.md': '',
    '.obsidian/x.md': '',
    '.hidden.md': '',
    'sub/node_modules/p/README.md': '',
    'work/pyvenv.cfg': '',
    'work/x.md': '',
    'venv/lib/x.md': '',
    'env/plain.md': '',
    'logseq/bak/x.md': '',
    'logseq/.recycle/x.md': '',
    'logseq/pages/x.md': '',
    'bak/x.md': '',
    'draw.excalidraw.md': '',
    'data.json': '',
    'index.sqlite-wal': '',
    'photo.png': '',
  })
  const { source, describe } = await openWorkspace({ root })
  const kept = ['a.md', 'bak/x.md', 'env/plain.md', 'logseq/pages/x.md']
  expect((await listAll(source)).paths).toEqual(kept)
  expect(describe().lastListing?.leftOut).toEqual({
    git: 1,
    state: 1,
    hidden: 2,
    node_modules: 1,
    'virtual-environments': 2,
    'logseq-bins': 2,
    excalidraw: 1,
    'machine-files': 2,
    'other-files': 1,
  })
  const open = await openWorkspace({ root, ignore: [] })
  const { paths } = await listAll(open.source)
  expect(paths.filter((path) => path.startsWith('.'))).toEqual(['.hidden.md', '.obsidian/x.md'])
  expect(paths).toEqual(expect.arrayContaining(['draw.excalidraw.md', 'venv/lib/x.md', 'work/x.md', 'logseq/bak/x.md']))
})

test('the state folder is left out wherever it lies', async () => {
  const root = makeFolder({ 'a.md': 'a', 'state/export.md': 'x' })
  const { source } = await openWorkspace({ root, stateDir: join(root, 'state') })
  expect((await listAll(source)).paths).toEqual(['a.md'])
})

test('B38: 3,000 notes beside .venv, node_modules and .git list without entering those and without keeping handles', async () => {
  const files: Record<string, string> = {}
  for (let index = 0; index < 3000; index += 1) files[`notes/${index % 50}/${index}.md`] = `note ${index}`
  for (let index = 0; index < 100; index += 1) {
    for (const folder of ['.venv/lib', 'node_modules/p', '.git/objects']) files[`${folder}/${index}.md`] = ''
  }
  const vault = makeFolder(files)
  const { source, describe } = await openWorkspace({ root: makeFolder({ 'MEMORY.md': '' }), extraPaths: [vault] })
  const before = readdirSync('/dev/fd').length
  const { documents } = await listAll(source)
  for (const document of documents) await source.read(document)
  expect(documents).toHaveLength(3001)
  expect(readdirSync('/dev/fd').length).toBe(before)
  expect(describe().lastListing?.leftOut).toEqual({ 'virtual-environments': 1, node_modules: 1, git: 1 })
})

test('a listing has the same order every time and gives stats that tell a change', async () => {
  const root = makeFolder({ 'memory/b/z.md': 'z', 'memory/b/a.md': 'a', 'memory/B.md': 'B', 'memory/a.md': 'a' })
  const { source } = await openWorkspace({ root })
  const first = await listAll(source)
  expect(first.paths).toEqual(['memory/B.md', 'memory/a.md', 'memory/b/a.md', 'memory/b/z.md'])
  expect((await listAll(source)).documents).toEqual(first.documents)
  for (const stat of first.documents) {
    expect(stat).toMatchObject({
      source: 'memory',
      size: 1,
      modifiedAtMs: expect.any(Number),
      inode: expect.stringMatching(/^\d+:\d+$/),
    })
    expect(Number.isInteger(stat.modifiedAtMs)).toBe(true)
  }
})

test.each([
  ['a missing workspace folder', (root: string) => rmSync(root, { recursive: true })],
  [
    'a file in the place of the workspace folder',
    (root: string) => {
      rmSync(root, { recursive: true })
      writeFileSync(root, 'x')
    },
  ],
  [
    'a file in the place of memory/',
    (root: string) => {
      rmSync(join(root, 'memory'), { recursive: true })
      writeFileSync(join(root, 'memory'), 'x')
    },
  ],
])('%s rejects the listing, so that nothing is pruned', async (_, breakIt) => {
  const root = makeFolder({ 'memory/a.md': 'a' })
  const { source, describe } = await openWorkspace({ root })
  expect((await listAll(source)).error).toBeNull()
  breakIt(root)
  const { paths, error } = await listAll(source)
  expect(paths).toEqual([])
  expect(WorkspaceError.isInstance(error)).toBe(true)
  expect(error).toMatchObject({ code: 'unreadable' })
  expect(describe().warnings).toHaveLength(1)
  expect(describe().lastListing?.failures).toHaveLength(1)
})

test('a missing extra root and a folder that may not be listed reject only after everything else was listed', async () => {
  const root = makeFolder({ 'memory/a.md': 'a', 'memory/locked/b.md': 'b', 'memory/z/c.md': 'c' })
  const vault = makeFolder({ 'v.md': 'v' })
  for (const folder of [root, vault]) chmodSync(folder, 0o755)
  chmodSync(join(root, 'memory/locked'), 0o000)
  const { source, describe } = await openWorkspace({ root, extraPaths: ['../not-there-at-all', vault] })
  const { paths, error } = await asOrdinaryUser(() => listAll(source))
  expect(paths).toEqual(['memory/a.md', 'memory/z/c.md', expect.stringMatching(/^extra\/.*\/v\.md$/)])
  expect(error).toMatchObject({
    code: 'unreadable',
    message: expect.stringMatching(/memory\/locked.*EACCES.*not-there-at-all.*ENOENT/),
  })
  expect(describe().lastListing?.failures).toHaveLength(2)
})

test('a workspace folder that may not be listed rejects the listing and names the cause once', async () => {
  const root = makeFolder({ 'MEMORY.md': 'm' })
  chmodSync(root, 0o300)
  const { source, describe } = await openWorkspace({ root })
  const { paths, error } = await asOrdinaryUser(() => listAll(source))
  expect(paths).toEqual([])
  expect(error).toMatchObject({ code: 'unreadable' })
  expect(describe().lastListing?.failures).toEqual(['the workspace folder: permission denied (EACCES)'])
})

test('a folder deleted from memory/ is gone, not unknown', async () => {
  const root = makeFolder({ 'memory/a.md': 'a', 'memory/sub/b.md': 'b' })
  const { source } = await openWorkspace({ root })
  await listAll(source)
  rmSync(join(root, 'memory/sub'), { recursive: true })
  expect(await listAll(source)).toMatchObject({ paths: ['memory/a.md'], error: null })
})

test('an aborted signal ends a listing and a read', async () => {
  const root = makeFolder({ 'memory/a.md': 'a' })
  const { source, reader } = await openWorkspace({ root })
  const [document] = (await listAll(source)).documents
  const signal = AbortSignal.abort()
  await expect(source.list({ signal })[Symbol.asyncIterator]().next()).rejects.toThrow(/abort/)
  await expect(source.read(document!, { signal })).rejects.toThrow(/abort/)
  await expect(reader.read({ path: 'memory/a.md', caller, signal })).rejects.toThrow(/abort/)
})
