import { chmodSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentId, DocumentSource, DocumentStat, SkippedDocument } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { addFile, asOrdinaryUser, makeFolder, makePipe } from '../../test/make-folder.ts'
import { openWorkspace } from '../workspace.ts'

type Items = readonly (DocumentStat | SkippedDocument)[]

async function itemsOf(items: AsyncIterable<DocumentStat | SkippedDocument> | undefined): Promise<Items> {
  const all: (DocumentStat | SkippedDocument)[] = []
  for await (const item of items ?? []) all.push(item)
  return all.sort((left, right) => (left.path < right.path ? -1 : 1))
}

function idsOf(paths: readonly string[]): readonly DocumentId[] {
  return paths.map((path) => ({ source: 'memory', path }))
}

/** The source's answers for these paths, asked together and one by one, and the answer of a listing. */
async function answers(
  source: DocumentSource,
  paths: readonly string[],
): Promise<Readonly<Record<'listed' | 'together' | 'alone', Items>>> {
  const alone: (DocumentStat | SkippedDocument)[] = []
  for (const path of [...paths].sort()) alone.push(...(await itemsOf(source.stat?.(idsOf([path])))))
  return {
    listed: (await itemsOf(source.list())).filter(({ path }) => paths.includes(path)),
    together: await itemsOf(source.stat?.(idsOf(paths))),
    alone,
  }
}

test('a look at some paths says what a listing says of them: notes, skipped files, and nothing for what is no note', async () => {
  const root = makeFolder({
    'MEMORY.md': 'm',
    'memory.md': 'not the one that counts',
    'AGENTS.md': 'outside the layout',
    'memory/a.md': 'a',
    'memory/é (1)%20.md': 'odd',
    'memory/deep/er/b.markdown': 'b',
    'memory/big.md': 'x'.repeat(2_000),
    'memory/x.json': '{}',
    'memory/drawing.excalidraw.md': 'd',
    'memory/.hidden/c.md': 'c',
    'memory/node_modules/d.md': 'd',
    'memory/env/e.md': 'e',
    'memory/env/pyvenv.cfg': '',
    'bank/world.md': 'w',
  })
  mkdirSync(join(root, 'memory/folder.md'))
  symlinkSync(join(root, 'MEMORY.md'), join(root, 'memory/link.md'))
  symlinkSync(join(root, 'bank'), join(root, 'memory/linked'))
  makePipe(join(root, 'memory/pipe.md'))
  const { source } = await openWorkspace({ root, maxFileBytes: 1_000 })
  const { listed, together, alone } = await answers(source, [
    'MEMORY.md',
    'memory.md',
    'AGENTS.md',
    'memory/a.md',
    'memory/A.md',
    'memory/é (1)%20.md',
    'memory/deep/er/b.markdown',
    'memory/big.md',
    'memory/x.json',
    'memory/drawing.excalidraw.md',
    'memory/.hidden/c.md',
    'memory/node_modules/d.md',
    'memory/env/e.md',
    'memory/folder.md',
    'memory/link.md',
    'memory/linked/world.md',
    'memory/pipe.md',
    'memory/missing.md',
    'memory/a.md/child.md',
    'memory/deep',
    'memory/../MEMORY.md',
    './memory/a.md',
    'memory//a.md',
    '../x.md',
    '/etc/passwd',
    '',
    `memory/${'n'.repeat(300)}.md`,
    'bank/world.md',
  ])
  expect(listed).toHaveLength(8)
  expect(together).toEqual(listed)
  expect(alone).toEqual(listed)
})

test('a file that two roots reach, or that has two names, belongs where a listing puts it', async () => {
  const root = makeFolder({ 'memory/a.md': 'a', 'memory/b.md': 'b', 'AGENTS.md': 'agents' })
  const vault = makeFolder({ 'x.md': 'x', 'sub/y.md': 'y' })
  linkSync(join(root, 'memory/a.md'), join(root, 'memory/second-name.md'))
  const { source } = await openWorkspace({ root, extraPaths: [root, vault, join(vault, 'sub'), join(vault, 'x.md')] })
  const name = (folder: string): string => folder.split('/').at(-1) ?? ''
  const { listed, together, alone } = await answers(source, [
    'memory/a.md',
    'memory/second-name.md',
    'memory/b.md',
    `extra/${name(root)}/memory/a.md`,
    `extra/${name(root)}/memory/b.md`,
    `extra/${name(root)}/AGENTS.md`,
    `extra/${name(vault)}/x.md`,
    `extra/${name(vault)}/sub/y.md`,
    'extra/sub/y.md',
    `extra/${name(vault)}-2/x.md`,
  ])
  expect(listed.map(({ path }) => path)).toEqual(
    [
      `extra/${name(root)}/AGENTS.md`,
      `extra/${name(vault)}/sub/y.md`,
      `extra/${name(vault)}/x.md`,
      'memory/a.md',
      'memory/b.md',
    ].sort(),
  )
  expect(together).toEqual(listed)
  expect(alone).toEqual(listed)
})

test('documents of another source are none of its business', async () => {
  const { source } = await openWorkspace({ root: makeFolder({ 'memory/a.md': 'a' }) })
  expect(await itemsOf(source.stat?.([{ source: 'sessions', path: 'memory/a.md' }]))).toEqual([])
})

test('what could not be looked at is unknown, not gone: a missing root, a folder that became a file, a closed folder', async () => {
  const outer = makeFolder({ 'notes/memory/a.md': 'a', 'notes/memory/closed/b.md': 'b' })
  const root = join(outer, 'notes')
  const { source } = await openWorkspace({ root })
  chmodSync(outer, 0o755)
  chmodSync(join(root, 'memory/closed'), 0)
  await asOrdinaryUser(async () => {
    await expect(itemsOf(source.stat?.(idsOf(['memory/closed/b.md'])))).rejects.toMatchObject({ code: 'unreadable' })
    expect(await itemsOf(source.stat?.(idsOf(['memory/a.md'])))).toHaveLength(1)
  }).finally(() => chmodSync(join(root, 'memory/closed'), 0o755))
  renameSync(join(root, 'memory'), join(outer, 'aside'))
  writeFileSync(join(root, 'memory'), 'a file')
  await expect(itemsOf(source.stat?.(idsOf(['memory/a.md'])))).rejects.toMatchObject({ code: 'unreadable' })
  rmSync(root, { recursive: true })
  await expect(itemsOf(source.stat?.(idsOf(['memory/a.md'])))).rejects.toMatchObject({ code: 'unreadable' })
  addFile(outer, 'notes/memory/a.md')
  expect(await itemsOf(source.stat?.(idsOf(['memory/a.md'])))).toHaveLength(1)
})
