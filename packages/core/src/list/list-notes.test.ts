import { ConfigError, type ListQuery, type ListReply, type MemoryBackend } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { NoteSource } from '../../test/note-source.ts'
import { openMemory, openNotes } from '../../test/open-notes.ts'

const NOTES = {
  'MEMORY.md': '# What lasts\n\nPlain. #home\n',
  'memory/2026-03-14.md': '# Saturday\n\nRent paid. #Home #project/alpha\n',
  'memory/2026-03-15.md': 'Boat varnished. #boat #home\n',
  'memory/projects/alpha.md': '---\ntags: [Project/Alpha]\n---\nNo day here.\n',
  'memory/projects/ملاحظة.md': '---\ndate: 2026-03-15\n---\nنص #بيت\n',
}

function list(memory: MemoryBackend, query: Partial<ListQuery> = {}): Promise<ListReply> {
  return memory.list({ caller: { agentId: 'main' }, ...query })
}

async function pathsOf(memory: MemoryBackend, query: Partial<ListQuery> = {}): Promise<string[]> {
  return (await list(memory, query)).notes.map(({ path }) => path)
}

test('notes come newest first, undated last, each with what is known of it', async () => {
  const { memory } = await openNotes(NOTES)
  const { notes, total, newest, next, stale, degraded } = await list(memory)
  expect(notes.map(({ path, day }) => [path, day])).toEqual([
    ['memory/2026-03-15.md', '2026-03-15'],
    ['memory/projects/ملاحظة.md', '2026-03-15'],
    ['memory/2026-03-14.md', '2026-03-14'],
    ['MEMORY.md', undefined],
    ['memory/projects/alpha.md', undefined],
  ])
  expect({ total, newest, next, stale, degraded }).toEqual({
    total: 5,
    newest: '2026-03-15',
    next: undefined,
    stale: false,
    degraded: [],
  })
  expect(notes[2]).toMatchObject({
    source: 'memory',
    title: 'Saturday',
    isEvergreen: false,
    tags: ['Home', 'project/alpha'],
    chunks: 1,
  })
})

test('pages of any size are one list, whatever comes or goes between them', async () => {
  for (const order of ['newest', 'path'] as const) {
    const { memory, source } = await openNotes(NOTES)
    const whole = await pathsOf(memory, { order })
    const first = await list(memory, { order, limit: 2 })
    source.notes.delete(first.notes[1]?.path ?? '')
    source.write('memory/2030-01-01.md', 'later than all')
    source.write('AAA.md', 'before all')
    await memory.sync()
    const second = await list(memory, { order, limit: 2, after: first.next ?? '' })
    const third = await list(memory, { order, limit: 2, after: second.next ?? '' })
    const read = [first, second, third].flatMap(({ notes }) => notes.map(({ path }) => path))
    expect(read.filter((path) => path in NOTES)).toEqual(whole)
    expect(second.total).toBe(6)
  }
})

test('what is filtered out is neither listed nor counted', async () => {
  const { memory } = await openNotes(NOTES)
  const folder = await list(memory, { filter: { paths: ['memory/projects/'] }, tags: true })
  expect([folder.total, folder.tags?.map(({ tag }) => tag)]).toEqual([2, ['Project', 'Project/Alpha', 'بيت']])
  expect(await pathsOf(memory, { filter: { since: 'yesterday' } })).toEqual(['memory/2026-03-15.md', 'memory/projects/ملاحظة.md'])
  expect(await pathsOf(memory, { filter: { until: '2026-03-14' } })).toEqual(['memory/2026-03-14.md'])
  expect(await pathsOf(memory, { filter: { tags: ['#project'] } })).toEqual(['memory/2026-03-14.md', 'memory/projects/alpha.md'])
})

test('as many notes have a tag as a filter by it lists, parents and other spellings included', async () => {
  const { memory } = await openNotes(NOTES)
  const { tags = [] } = await list(memory, { tags: true })
  expect(tags).toEqual([
    { tag: 'home', notes: 3, newest: '2026-03-15' },
    { tag: 'Project', notes: 2, newest: '2026-03-14' },
    { tag: 'Project/Alpha', notes: 2, newest: '2026-03-14' },
    { tag: 'boat', notes: 1, newest: '2026-03-15' },
    { tag: 'بيت', notes: 1, newest: '2026-03-15' },
  ])
  for (const { tag, notes } of tags) expect((await list(memory, { filter: { tags: [tag] } })).total).toBe(notes)
})

test('P31: a filter that nothing passes is named, with what is near', async () => {
  const { memory } = await openNotes(NOTES)
  const { total, degraded } = await list(memory, { filter: { tags: ['boats'] } })
  expect([total, degraded.map(({ code }) => code)]).toEqual([0, ['filter-unmatched']])
  expect(degraded[0]?.message).toContain('"boat"')
  const empty = await openNotes({})
  expect((await list(empty.memory)).degraded.map(({ code }) => code)).toEqual(['nothing-indexed'])
})

test('P30: blanks count as left out; what is no limit, order or cursor is refused', async () => {
  const { memory } = await openNotes(NOTES)
  // Safe: models send it, whatever the types say.
  const blank = {
    filter: { tags: [], paths: [''], since: null },
    order: '',
    limit: null,
    after: '',
  } as unknown as Partial<ListQuery>
  expect((await list(memory, blank)).total).toBe(5)
  const cursor = (await list(memory, { limit: 1 })).next ?? ''
  const wrong: readonly Partial<ListQuery>[] = [
    { limit: 0 },
    { limit: 1_001 },
    { limit: 1.5 },
    { after: 'page2' },
    { order: 'path', after: cursor },
    { filter: { since: 'someday' } },
  ]
  for (const query of wrong) await expect(list(memory, query)).rejects.toSatisfy(ConfigError.isInstance)
})

test('rows are read once for all pages of a list, and documents for the page alone', async () => {
  const store = createInMemoryStore()
  const read = { chunks: 0, documents: 0 }
  const open = store.snapshot.bind(store)
  store.snapshot = async () => {
    const snapshot = await open()
    const [select, documentsOf] = [snapshot.select.bind(snapshot), snapshot.documentsOf.bind(snapshot)]
    snapshot.select = async (...asked) => {
      const chunks = await select(...asked)
      read.chunks += chunks.length
      return chunks
    }
    snapshot.documentsOf = async (ids) => {
      read.documents += ids.length
      return documentsOf(ids)
    }
    return snapshot
  }
  const notes = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`memory/n${String(at).padStart(3, '0')}.md`, `note ${at}`]),
  )
  const memory = await openMemory([new NoteSource(notes)], { store })
  await memory.sync()
  const first = await list(memory, { limit: 10 })
  expect(read).toEqual({ chunks: 200, documents: 10 })
  await list(memory, { limit: 10, after: first.next ?? '', tags: true })
  expect(read).toEqual({ chunks: 200, documents: 20 })
})

test('an ended signal ends it with its reason', async () => {
  const { memory } = await openNotes(NOTES)
  const reason = new Error('enough')
  await expect(list(memory, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})
