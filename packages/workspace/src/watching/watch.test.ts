import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addFile, makeFolder } from '../../test/make-folder.ts'
import { watched } from '../../test/watched.ts'

test('B37: in an empty workspace a new note in new folders, an edit and a deletion are each reported by path', async () => {
  const root = makeFolder()
  const { reports } = await watched({ root })
  // The first memory/ also makes it a memory workspace.
  addFile(root, 'memory/notes/new.md', 'one')
  await reports.untilAnything(2)
  addFile(root, 'memory/notes/deep/er/other.md', 'one')
  await reports.until('memory/notes/deep/er/other.md')
  reports.clear()
  addFile(root, 'memory/notes/new.md', 'two')
  await reports.until('memory/notes/new.md')
  reports.clear()
  unlinkSync(join(root, 'memory/notes/new.md'))
  await reports.until('memory/notes/new.md')
  expect(reports.paths).toEqual(['memory/notes/new.md'])
})

test('B37: churn of temporary and swap files, of machine files and in ignored folders is no change', async () => {
  const root = makeFolder({ 'memory/a.md': 'a', 'memory/.venv/bin/activate': '', 'node_modules/x.md': '' })
  const { reports } = await watched({ root })
  for (const name of ['x.tmp', '.a.md.swp', '4913', 'a.md~', '.#a.md', 'log.jsonl', '.venv/b.md', 'drawing.excalidraw.md']) {
    addFile(root, `memory/${name}`, 'churn')
    rmSync(join(root, 'memory', name))
  }
  addFile(root, 'node_modules/y.md')
  addFile(root, '.mnemark/main.sqlite')
  addFile(root, '.git/HEAD.md')
  addFile(root, 'memory/last.md')
  await reports.until('memory/last.md')
  expect(reports.paths).toEqual(['memory/last.md'])
})

test('a change that keeps the size and sets an older time is reported', async () => {
  const root = makeFolder({ 'memory/a.md': 'one' })
  const { reports } = await watched({ root })
  writeFileSync(join(root, 'memory/a.md'), 'two')
  utimesSync(join(root, 'memory/a.md'), 1_000_000_000, 1_000_000_000)
  await reports.until('memory/a.md')
  expect(reports.paths).toEqual(['memory/a.md'])
})

test('B39: a note saved by renaming over it is reported, however often, also when it is an extra path of its own', async () => {
  const root = makeFolder({ 'memory/a.md': 'a' })
  const other = makeFolder({ 'own.md': 'o', 'not-asked.md': 'n' })
  const { reports } = await watched({ root, extraPaths: [join(other, 'own.md')] })
  const own = `extra/${other.split('/').at(-1)}/own.md`
  for (let round = 0; round < 3; round += 1) {
    reports.clear()
    addFile(root, 'memory/.a.md.swp', `round ${round}`)
    renameSync(join(root, 'memory/.a.md.swp'), join(root, 'memory/a.md'))
    addFile(other, 'own.md.tmp', `round ${round}`)
    renameSync(join(other, 'own.md.tmp'), join(other, 'own.md'))
    addFile(other, 'not-asked.md', `round ${round}`)
    await reports.until('memory/a.md', own)
    expect(reports.paths).toEqual([own, 'memory/a.md'].sort())
  }
})

test('notes of a removed and of a renamed folder are reported under their old and their new paths', async () => {
  const root = makeFolder({ 'memory/old/a.md': 'a', 'memory/old/deep/b.md': 'b', 'memory/gone/c.md': 'c' })
  const { reports } = await watched({ root })
  renameSync(join(root, 'memory/old'), join(root, 'memory/new'))
  rmSync(join(root, 'memory/gone'), { recursive: true })
  await reports.until('memory/old/a.md', 'memory/old/deep/b.md', 'memory/new/a.md', 'memory/new/deep/b.md', 'memory/gone/c.md')
  reports.clear()
  addFile(root, 'memory/new/deep/b.md', 'changed')
  await reports.until('memory/new/deep/b.md')
  expect(reports.paths).toEqual(['memory/new/deep/b.md'])
})

test('extra folders, globs and roots behind links are watched; other files there are not reported', async () => {
  const vault = makeFolder({ 'x.md': 'x' })
  const docs = makeFolder({ 'guide/a.md': 'a', 'guide/b.markdown': 'b' })
  const outer = makeFolder()
  const real = makeFolder({ 'memory/a.md': 'a' })
  const root = join(outer, 'link')
  symlinkSync(real, root)
  symlinkSync(vault, join(outer, 'vault'))
  const { reports } = await watched({ root, extraPaths: [join(outer, 'vault'), `${docs}/**/*.md`] })
  const name = docs.split('/').at(-1)
  addFile(vault, 'x.md', 'changed')
  addFile(docs, 'guide/b.markdown', 'changed')
  addFile(docs, 'guide/a.md', 'changed')
  addFile(real, 'memory/a.md', 'changed')
  await reports.until('extra/vault/x.md', `extra/${name}/guide/a.md`, 'memory/a.md')
  expect(reports.paths).not.toContain(`extra/${name}/guide/b.markdown`)
})

test('a root that is removed and comes back, and a link that is turned elsewhere, are noticed and watched again', async () => {
  const outer = makeFolder({ 'notes/memory/a.md': 'a', 'other/memory/b.md': 'b' })
  symlinkSync(join(outer, 'notes'), join(outer, 'link'))
  const direct = await watched({ root: join(outer, 'notes') })
  const linked = await watched({ root: join(outer, 'link') })
  unlinkSync(join(outer, 'link'))
  symlinkSync(join(outer, 'other'), join(outer, 'link'))
  await linked.reports.untilAnything(2)
  addFile(outer, 'other/memory/b.md', 'changed')
  await linked.reports.until('memory/b.md')
  expect(linked.reports.paths).toEqual(['memory/b.md'])

  rmSync(join(outer, 'notes'), { recursive: true })
  await direct.reports.untilAnything(2)
  direct.reports.clear()
  addFile(outer, 'notes/memory/a.md', 'again')
  await direct.reports.untilAnything(2)
  addFile(outer, 'notes/memory/later.md', 'later')
  await direct.reports.until('memory/later.md')
})

test('a first memory/ folder changes what is a note, and is reported as such', async () => {
  const root = makeFolder({ 'AGENTS.md': 'a' })
  const { reports } = await watched({ root })
  mkdirSync(join(root, 'memory'))
  await reports.untilAnything(2)
  reports.clear()
  addFile(root, 'AGENTS.md', 'no longer a note')
  addFile(root, 'memory/b.md', 'b')
  await reports.until('memory/b.md')
  expect(reports.paths).toEqual(['memory/b.md'])
})

const hasProc = process.platform === 'linux'

/** Open descriptors and inotify watches of this process. */
function countHandles(): { readonly descriptors: number; readonly watches: number } {
  const files = readdirSync('/proc/self/fdinfo')
  const infos = files.map((name) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${name}`, 'utf8')
    } catch {
      return '' // the descriptor of the folder being read is gone by now
    }
  })
  return { descriptors: files.length, watches: infos.reduce((sum, info) => sum + (info.match(/^inotify /gmu)?.length ?? 0), 0) }
}

test.runIf(hasProc)(
  'B38: handles are bounded by folders, not files, and ignored folders take none',
  async () => {
    const root = makeFolder()
    for (let note = 0; note < 3_000; note += 1) addFile(root, `memory/${note % 10}/n${note}.md`, 'x')
    for (let file = 0; file < 5_000; file += 1) addFile(root, `memory/.venv/lib/${file % 50}/f${file}.md`, 'x')
    const before = countHandles()
    const { close } = await watched({ root })
    const during = countHandles()
    // The workspace, memory/ and its ten folders.
    expect(during.watches - before.watches).toBe(12)
    expect(during.descriptors - before.descriptors).toBeLessThan(10)
    await close()
    expect(countHandles().watches).toBe(before.watches)
  },
  30_000,
)
