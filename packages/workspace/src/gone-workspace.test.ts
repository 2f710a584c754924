import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { addFile, collect, listAll, makeFolder } from '../test/make-folder.ts'
import { openWorkspace } from './workspace.ts'

const ID = { source: 'memory', path: 'memory/a.md' }

/** Lists a workspace, then moves it away, so that only the handle is left. */
async function listedThenMoved(make: (root: string) => void) {
  const base = makeFolder({ 'ws/MEMORY.md': 'm', 'ws/memory/a.md': 'a', 'vault/n.md': 'n' })
  const root = join(base, 'ws')
  const workspace = await openWorkspace({ root, extraPaths: ['../vault'], historyDir: join(base, 'history') })
  expect((await listAll(workspace.source)).paths).toHaveLength(3)
  renameSync(root, join(base, 'elsewhere'))
  make(root)
  return { root, workspace }
}

const GONE = { code: 'unreadable', message: expect.stringContaining('workspace folder') }

test.each([
  ['deleted', () => {}],
  ['another, empty folder', (root: string) => mkdirSync(root)],
  ['a file', (root: string) => writeFileSync(root, '')],
  ['a link to nothing', (root: string) => symlinkSync(`${root}-gone`, root)],
  ['a link to itself', (root: string) => symlinkSync(root, root)],
  ['a link to an empty folder', (root: string) => [mkdirSync(`${root}-empty`), symlinkSync(`${root}-empty`, root)]],
])('P48: a workspace that is %s is unknown, not empty, and nothing is written there', async (_, make) => {
  const { root, workspace } = await listedThenMoved(make)
  const { paths, error } = await listAll(workspace.source)
  expect(paths).toEqual(['extra/vault/n.md'])
  expect(error).toMatchObject(GONE)
  await expect(collect(workspace.source.stat?.([ID]))).rejects.toMatchObject(GONE)
  for (const to of ['daily', 'memory', 'memory/new/b.md']) await expect(workspace.append('x', { to })).rejects.toMatchObject(GONE)
  expect(existsSync(root) && readdirSync(dirname(root)).includes('ws') ? listed(root) : []).toEqual([])
})

function listed(root: string): readonly string[] {
  try {
    return readdirSync(root)
  } catch {
    return []
  }
}

test('P48: an empty folder where another process found notes is unknown too, until it is told to forget', async () => {
  const base = makeFolder({ 'ws/MEMORY.md': 'm' })
  const root = join(base, 'ws')
  const before = await openWorkspace({ root })
  await listAll(before.source)
  renameSync(root, join(base, 'elsewhere'))
  mkdirSync(root)
  const after = await openWorkspace({ root })
  after.expectRoots(before.knownRoots())
  expect((await listAll(after.source)).error).toMatchObject(GONE)
  const fresh = await openWorkspace({ root })
  expect((await listAll(fresh.source)).error).toBeNull()
})

test('P48: notes that were all deleted are gone, and a folder made anew with notes is the workspace', async () => {
  const root = makeFolder({ 'MEMORY.md': 'm', 'memory/a.md': 'a' })
  const { source } = await openWorkspace({ root })
  await listAll(source)
  rmSync(join(root, 'MEMORY.md'))
  rmSync(join(root, 'memory'), { recursive: true })
  expect(await listAll(source)).toMatchObject({ paths: [], error: null })
  rmSync(root, { recursive: true })
  addFile(root, 'memory/b.md')
  expect(await listAll(source)).toMatchObject({ paths: ['memory/b.md'], error: null })
})

test('P48: a folder of notes that became a link to nothing keeps its rows, listed whole or asked by path', async () => {
  const root = makeFolder({ 'MEMORY.md': 'm', 'memory/projects/a.md': 'a', 'memory/b.md': 'b' })
  const { source } = await openWorkspace({ root })
  rmSync(join(root, 'memory/projects'), { recursive: true })
  symlinkSync(join(root, 'gone'), join(root, 'memory/projects'))
  const { skipped, error } = await listAll(source)
  expect([skipped, error]).toEqual([{ 'memory/projects': 'unreadable: link to nothing' }, null])
  const asked = source.stat?.([{ source: 'memory', path: 'memory/projects/a.md' }])
  await expect(collect(asked)).rejects.toMatchObject({ code: 'unreadable' })
})

test('P44: a note in iCloud that is not downloaded is counted, keeps its rows, and is neither written nor taken for missing', async () => {
  const root = makeFolder({
    'MEMORY.md': 'm',
    'memory/.2026-03-14.md.icloud': 'x',
    'memory/.plan.md.icloud': 'x',
    'memory/plan.md': 'p',
  })
  const { source, append, edit, reader, describe } = await openWorkspace({ root, timeZone: 'UTC' })
  const reason = 'unreadable: in iCloud and not downloaded'
  const path = 'memory/2026-03-14.md'
  expect((await listAll(source)).skipped).toEqual({ [path]: reason })
  expect(describe().lastListing?.skipped).toEqual({ [reason]: 1 })
  expect(await collect(source.stat?.([{ source: 'memory', path }]))).toEqual([{ source: 'memory', path, skipped: reason }])
  const refused = { code: 'unreadable', message: expect.stringContaining('in iCloud and not downloaded') }
  const now = Date.parse('2026-03-14T12:00:00Z')
  for (const to of ['daily', path, 'memory/plan.md']) await expect(append('x', { to, now })).rejects.toMatchObject(refused)
  for (const each of [path, 'memory/plan.md'])
    await expect(edit(each, { insert: { afterLine: 0, text: 'x' } })).rejects.toMatchObject(refused)
  await expect(reader.read({ path, caller: { agentId: 'main' } })).rejects.toMatchObject(refused)
  expect(readdirSync(join(root, 'memory')).sort()).toEqual(['.2026-03-14.md.icloud', '.plan.md.icloud', 'plan.md'])
})
