import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addFile, collect, listAll, makeFolder } from '../../test/make-folder.ts'
import { openWorkspace, type WorkspaceOptions } from '../workspace.ts'

async function look(files: Readonly<Record<string, string>>, options: Partial<WorkspaceOptions> = {}) {
  const root = makeFolder(files)
  const workspace = await openWorkspace({ root, ...options })
  return { root, workspace, paths: (await listAll(workspace.source)).paths, kind: workspace.describe().kind }
}

test('P46: a vault with a memory/ among its folders keeps every one of its 2,189 notes', async () => {
  const files: Record<string, string> = {}
  for (let index = 0; index < 2_172; index += 1) files[`Area ${index % 40}/Note ${index}.md`] = 'x'
  for (let index = 0; index < 17; index += 1) files[`memory/${index}.md`] = 'x'
  const { workspace, paths, kind } = await look(files)
  expect([kind, paths.length]).toEqual(['plain', 2_189])
  expect(await workspace.outsideLayout()).toEqual({ notes: 0, places: [] })
})

test.each([
  ['a note at the top', 'Home.md'],
  ['a note far down', 'Projects/2026/Spring/Garden/plan.md'],
  ['a note in another script', '项目/会议.md'],
  ['a README', 'README.md'],
  ['another ending', 'Inbox/idea.markdown'],
])('P46: memory/ beside %s is a plain folder', async (_, note) => {
  const { paths, kind } = await look({ 'memory/2026-03-01.md': 'd', [note]: 'n' })
  expect(kind).toBe('plain')
  expect(paths).toContain(note)
})

test('P46: memory/ beside known agent files, skills and ignored folders is an agent’s layout', async () => {
  const { paths, kind, workspace } = await look({
    'memory/2026-03-01.md': 'd',
    'bank/world.md': 'w',
    'AGENTS.md': 'a',
    'TOOLS.md': 't',
    'HEARTBEAT.md': 'h',
    'CLAUDE.md': 'c',
    'skills/garden/SKILL.md': 's',
    'node_modules/x/README.md': 'r',
    '.obsidian/x.md': 'o',
    'src/main.ts': '',
  })
  expect(kind).toBe('memory')
  expect(paths).toEqual(['bank/world.md', 'memory/2026-03-01.md'])
  expect(await workspace.outsideLayout()).toEqual({ notes: 0, places: [] })
})

test('P46: MEMORY.md makes an agent’s layout, also while it is in iCloud only, and what it leaves out is counted', async () => {
  for (const curated of ['MEMORY.md', '.MEMORY.md.icloud']) {
    const { workspace, kind, root } = await look({ [curated]: 'm', 'Home.md': 'h', 'Projects/a.md': 'a', 'Projects/b/c.md': 'c' })
    expect(kind).toBe('memory')
    expect(await workspace.outsideLayout()).toEqual({ notes: 3, places: ['Home.md', 'Projects/'] })
    const wider = await openWorkspace({ root, extraPaths: ['Projects'] })
    expect(await wider.outsideLayout()).toEqual({ notes: 1, places: ['Home.md'] })
    const widest = await openWorkspace({ root, extraPaths: ['.'] })
    expect(await widest.outsideLayout()).toEqual({ notes: 0, places: [] })
    expect((await listAll(widest.source)).paths.filter((path) => path.endsWith('c.md'))).toHaveLength(1)
  }
})

test('P46: memory.md counts with memory/; alone it is a note among others', async () => {
  expect((await look({ 'memory.md': 'm', 'memory/a.md': 'a', 'Home.md': 'h' })).kind).toBe('memory')
  expect((await look({ 'memory.md': 'm', 'Home.md': 'h' })).kind).toBe('plain')
  const { workspace } = await look({ 'memory.md': 'm', 'Home.md': 'h' })
  await expect(workspace.append('x', { to: 'memory/a.md' })).rejects.toMatchObject({ code: 'refused' })
})

test('P48: a part of the layout that is a link to nothing or to itself fails the listing, so that nothing is pruned', async () => {
  for (const [name, target] of [
    ['memory', 'gone'],
    ['memory', 'memory'],
    ['bank', 'gone'],
    ['MEMORY.md', 'gone.md'],
  ] as const) {
    const root = makeFolder(name === 'MEMORY.md' ? { 'memory/a.md': 'a' } : { 'MEMORY.md': 'm' })
    symlinkSync(join(root, target), join(root, name))
    const { source, describe } = await openWorkspace({ root })
    const { paths, error } = await listAll(source)
    expect(paths).toEqual([name === 'MEMORY.md' ? 'memory/a.md' : 'MEMORY.md'])
    expect(error).toMatchObject({ code: 'unreadable', message: expect.stringContaining(`${name} is a link to nothing`) })
    expect(describe().lastListing?.failures).toEqual([`${name} is a link to nothing`])
    const stat = source.stat?.([{ source: 'memory', path: 'memory/x.md' }])
    await expect(collect(stat)).rejects.toMatchObject({ code: 'unreadable' })
  }
})

test('P48: an extra path that became a file without an ending is no folder of notes that are gone', async () => {
  const root = makeFolder({ 'MEMORY.md': 'm', vault: 'now a file', 'notes.txt': 'never a folder' })
  const { source } = await openWorkspace({ root, extraPaths: ['vault', 'notes.txt'] })
  expect((await listAll(source)).error).toMatchObject({
    message: expect.stringContaining('extra path vault: it is a file, not a folder'),
  })
  mkdirSync(join(root, 'later'))
  addFile(root, 'later/a.md')
  const other = await openWorkspace({ root, extraPaths: ['later', 'notes.txt'] })
  expect((await listAll(other.source)).error).toBeNull()
})
