import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder, writeNotes } from '../__fixtures__/open-qmd.ts'
import { compareListings, listFiles } from './list-files.ts'
import { planCollections } from './qmd-collection.ts'

function workspaceWith(...paths: readonly string[]): string {
  const workspace = temporaryFolder()
  writeNotes(workspace, Object.fromEntries(paths.map((path) => [path, path])))
  return workspace
}

async function planned(workspace: string): Promise<readonly string[]> {
  const { files } = await listFiles(planCollections({ workspace }))
  return [...files.keys()].toSorted()
}

describe('the notes themselves', () => {
  test('MEMORY.md and its kin, the memory folder, the bank; nothing else', async () => {
    const workspace = workspaceWith(
      'MEMORY.md',
      'SOUL.md',
      'USER.md',
      'AGENTS.md',
      'memory/a.md',
      'memory/b/c.markdown',
      'memory/d.txt',
      'bank/e/f.md',
      'other/g.md',
    )
    expect(await planned(workspace)).toEqual([
      'memory-dir/a.md',
      'memory-dir/b/c.markdown',
      'memory-root/MEMORY.md',
      'memory-root/SOUL.md',
      'memory-root/USER.md',
      'memory-root/bank/e/f.md',
    ])
  })

  test('a folder with neither is all notes, but for hidden, foreign and built ones', async () => {
    const workspace = workspaceWith('a.md', 'b/c.markdown', '.hidden/d.md', 'b/.e.md', 'node_modules/f.md', 'dist/g.md', 'h.txt')
    expect(await planned(workspace)).toEqual(['memory-root/a.md', 'memory-root/b/c.markdown'])
  })

  test('B76: of two spellings one counts', async () => {
    expect(await planned(workspaceWith('memory.md', 'memory/a.md'))).toEqual(['memory-dir/a.md', 'memory-root/memory.md'])
    expect(await planned(workspaceWith('memory.md', 'MEMORY.md'))).toEqual(['memory-root/MEMORY.md'])
    expect(await planned(workspaceWith('MEMORY.md', 'Memory/a.md', 'Bank/b.md'))).toEqual([
      'memory-dir/a.md',
      'memory-root/Bank/b.md',
      'memory-root/MEMORY.md',
    ])
  })

  test('a memory folder that is not there yet is nothing to report; a workspace that is gone is', async () => {
    expect((await listFiles(planCollections({ workspace: workspaceWith('MEMORY.md') }))).missing).toEqual([])
    expect((await listFiles(planCollections({ workspace: join(temporaryFolder(), 'gone') }))).missing).toEqual(['memory-root'])
  })

  test('they can be left out', () => {
    expect(planCollections({ workspace: workspaceWith('MEMORY.md'), includeDefaultMemory: false })).toEqual([])
  })
})

test('names of more folders are their own, made plain, and never twice', () => {
  const paths = [
    { path: '/a/My Notes!' },
    { path: '/b/my notes' },
    { path: '/c', name: 'memory-root' },
    { path: '/d/..x' },
    { path: '/e', name: '会议' },
  ]
  const names = planCollections({ workspace: workspaceWith('MEMORY.md'), paths, sessionsFolder: '/s' }).map(({ name }) => name)
  expect(names).toEqual(['memory-root', 'memory-dir', 'sessions', 'My-Notes', 'my-notes-2', 'memory-root-2', 'x', '会议'])
})

test('what changed is told by size and time, also by an older time', () => {
  const before = new Map([
    ['a', '1:5'],
    ['b', '1:5'],
    ['c', '1:5'],
  ])
  const now = new Map([
    ['a', '1:5'],
    ['b', '1:4'],
    ['d', '1:5'],
  ])
  expect(compareListings(before, now)).toEqual({ changed: 2, removed: 1 })
})
