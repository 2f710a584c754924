import type { CallOptions, DocumentId, DocumentStat, SkippedDocument } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { NoteSource } from '../../test/note-source.ts'
import { openMemory, pathsFor } from '../../test/open-notes.ts'

const THREE = { 'a.md': 'lamp velvet', 'b.md': 'lamp marble', 'c.md': 'lamp walnut' }

/** A source that can be asked for some notes, and counts its full listings. */
class AskedSource extends NoteSource {
  listings = 0
  readonly asked: string[] = []

  override async *list(): AsyncIterable<DocumentStat | SkippedDocument> {
    this.listings += 1
    yield* super.list()
  }

  async *stat(ids: readonly DocumentId[], _options?: CallOptions): AsyncIterable<DocumentStat | SkippedDocument> {
    this.asked.push(...ids.map(({ path }) => path))
    for await (const item of super.list()) if (ids.some(({ path }) => path === item.path)) yield item
  }
}

function idsOf(...paths: readonly string[]): readonly DocumentId[] {
  return paths.map((path) => ({ source: 'memory', path }))
}

test.each([
  ['with a source that can be asked', () => new AskedSource(THREE)],
  ['with a source that can only list', () => new NoteSource(THREE)],
])('B35: a sync of some paths adds, changes and removes just these, %s', async (_name, makeSource) => {
  const source = makeSource()
  const memory = await openMemory([source])
  await memory.sync()
  for (const path of ['a.md', 'b.md', 'c.md']) source.notes.delete(path)
  source.write('a.md', 'lamp indigo')
  source.write('d.md', 'lamp copper')
  source.write('e.md', 'lamp silver')
  source.reads.length = 0
  const report = await memory.sync({ paths: idsOf('a.md', 'b.md', 'd.md', 'never-there.md') })
  expect(report).toMatchObject({ total: 2, indexed: 2, removed: 1, unchanged: 0, isComplete: true })
  expect(source.reads).toEqual(['a.md', 'd.md'])
  // c.md is gone and e.md is new, but neither was requested.
  const snapshotOnly = await memory.status()
  expect(snapshotOnly).toMatchObject({ documents: 3, isDirty: true, details: { changed: 1, removed: 1 } })
})

test('a sync of some paths asks about these and lists nothing, and other sources are left alone', async () => {
  const source = new AskedSource(THREE)
  const other = new NoteSource({ 'x.md': 'other' }, 'sessions')
  const memory = await openMemory([source, other])
  await memory.sync()
  source.listings = 0
  other.isBroken = true
  source.write('a.md', 'lamp indigo')
  expect(await memory.sync({ paths: idsOf('a.md') })).toMatchObject({ indexed: 1, isComplete: true })
  expect(source.asked).toEqual(['a.md'])
  expect(source.listings).toBe(0)
  expect(await memory.sync({ paths: [] })).toMatchObject({ total: 0, indexed: 0, removed: 0, isComplete: true })
  expect(source.listings).toBe(0)
})

test('what could not be looked at is kept, and a file that is there but unreadable keeps its text', async () => {
  const source = new AskedSource(THREE)
  const memory = await openMemory([source])
  await memory.sync()
  source.notes.delete('a.md')
  source.notes.delete('b.md')
  source.skipped.set('b.md', 'unreadable: permission denied')
  source.isBroken = true
  expect(await memory.sync({ paths: idsOf('a.md') })).toMatchObject({ removed: 0, isComplete: false })
  source.isBroken = false
  expect(await memory.sync({ paths: idsOf('b.md') })).toMatchObject({ removed: 0, skipped: [{ path: 'b.md' }] })
  expect(await memory.status()).toMatchObject({ documents: 3 })
  expect(await memory.sync({ paths: idsOf('a.md') })).toMatchObject({ removed: 1 })
  expect(await pathsFor(memory, 'walnut')).toEqual(['c.md'])
})

test('a note that failed is tried again on a change by path, and failures of others are remembered', async () => {
  const source = new AskedSource(THREE)
  source.unreadable.set('a.md', new Error('binary'))
  source.unreadable.set('b.md', new Error('binary'))
  const memory = await openMemory([source])
  expect((await memory.sync()).failed).toHaveLength(2)
  source.unreadable.clear()
  source.write('a.md', 'lamp indigo')
  expect(await memory.sync({ paths: idsOf('a.md') })).toMatchObject({ indexed: 1, failed: [] })
  expect((await memory.sync({ reason: 'search' })).failed).toMatchObject([{ path: 'b.md' }])
})
