import assert from 'node:assert/strict'
import { ConfigError, type ListQuery, type ListReply, type MemoryBackend } from '@mnemark/spec'
import { type BackendCase, errorOf, OWNER } from './backend-context.ts'

const FIVE = {
  'MEMORY.md': 'plain\n',
  'memory/2026-03-14.md': 'amber\n',
  'memory/2026-03-15.md': 'birch\n',
  'memory/a/one.md': 'cedar\n',
  'memory/東京.md': 'damson\n',
}
const TAGGED = { 'MEMORY.md': 'plain #home\n', 'memory/a.md': 'text #home and #boat\n', 'memory/b.md': 'nothing of the kind\n' }

export const listCases: readonly BackendCase[] = [
  {
    id: 'M24',
    title: 'a list by path names every note once, page by page, and how many there are',
    async run(context) {
      const { backend } = await context.openSynced(FIVE)
      const sorted = Object.keys(FIVE).sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
      for (const limit of [1, 2, 5, 1_000]) {
        const pages = await allPages(backend, { order: 'path', limit })
        assert.deepEqual(pages.flatMap(pathsOf), sorted, `pages of ${limit}`)
        for (const { total, notes } of pages) assert.deepEqual([total, notes.length <= limit], [5, true])
      }
      const { notes, backend: name } = await list(backend)
      assert.equal(name, backend.name)
      for (const { source, tags, marks } of notes) assert.deepEqual([source, tags, marks], ['memory', [], []])
    },
  },
  {
    id: 'M25',
    title: 'the newest come first where no order is asked for, undated notes last',
    async run(context) {
      const { backend } = await context.openSynced(FIVE)
      const { notes, newest } = await list(backend)
      const days = notes.map(({ day }) => day)
      assert.deepEqual(days, ['2026-03-15', '2026-03-14', undefined, undefined, undefined])
      assert.equal(newest, '2026-03-15')
      const pages = await allPages(backend, { limit: 2 })
      assert.deepEqual(
        pages.flatMap(pathsOf),
        notes.map(({ path }) => path),
      )
    },
  },
  {
    id: 'M26',
    title: 'filters by source and by path choose before notes are listed and counted',
    async run(context) {
      const { backend } = await context.openSynced(FIVE)
      const passing = async (filter: ListQuery['filter']): Promise<readonly unknown[]> => {
        const reply = await list(backend, { order: 'path', limit: 1, ...(filter && { filter }) })
        return [reply.total, pathsOf(reply)]
      }
      assert.deepEqual(await passing({ paths: ['memory/a/**'] }), [1, ['memory/a/one.md']])
      assert.deepEqual(await passing({ excludePaths: ['memory/2026*'] }), [3, ['MEMORY.md']])
      assert.deepEqual(await passing({ sources: ['memory'] }), [5, ['MEMORY.md']])
      assert.deepEqual(await passing({ sources: ['elsewhere'] }), [0, []])
    },
  },
  {
    id: 'M27',
    title: 'as many notes have a tag as a filter by it lists, and tags are counted of what passes alone',
    async run(context) {
      const { backend } = await context.openSynced(TAGGED)
      const counts = async (filter: ListQuery['filter'] = {}): Promise<readonly unknown[]> =>
        ((await list(backend, { filter, tags: true, limit: 1 })).tags ?? []).map(({ tag, notes }) => [tag, notes])
      assert.deepEqual(await counts(), [
        ['home', 2],
        ['boat', 1],
      ])
      assert.deepEqual(await counts({ excludePaths: ['memory/**'] }), [['home', 1]])
      for (const [tag, notes] of [
        ['home', 2],
        ['boat', 1],
      ] as const)
        assert.equal((await list(backend, { filter: { tags: [tag] } })).total, notes)
      assert.equal((await list(backend)).tags, undefined, 'they are counted where that is asked for')
    },
  },
  {
    id: 'M28',
    title: 'blanks in a list count as left out; what is no limit, order or cursor is refused as a setting',
    async run(context) {
      const { backend } = await context.openSynced(FIVE)
      const filter = { sources: [], paths: [''], excludePaths: null, tags: [], since: ' ' }
      const blank = { filter, order: '', limit: null, after: '', tags: null }
      // Safe: models and programs in other languages send it, whatever the types say.
      assert.equal((await list(backend, blank as unknown as Partial<ListQuery>)).total, 5)
      const wrong = [{ limit: 0 }, { limit: 1_001 }, { limit: 1.5 }, { order: 'age' }, { after: 'p 2' }]
      for (const query of wrong) {
        const error = await errorOf(list(backend, query as unknown as Partial<ListQuery>))
        assert.ok(ConfigError.isInstance(error) && error.code === 'invalid-value', `${JSON.stringify(query)}: ${String(error)}`)
      }
    },
  },
  {
    id: 'M29',
    title: 'a page begins behind the note the page before ended with, whatever came or went meanwhile',
    async run(context) {
      const { backend, write, remove } = await context.openSynced(FIVE)
      const first = await list(backend, { order: 'path', limit: 2 })
      await remove('memory/2026-03-14.md')
      await write('AAA.md', 'elm\n')
      await write('memory/2025-01-01.md', 'fir\n')
      await backend.sync()
      const rest = await list(backend, { order: 'path', ...(first.next !== undefined && { after: first.next }) })
      assert.deepEqual(pathsOf(rest), ['memory/2026-03-15.md', 'memory/a/one.md', 'memory/東京.md'])
    },
  },
  {
    id: 'M30',
    title: 'after a change a list knows it, or says that it is stale',
    async run(context) {
      const { backend, write } = await context.openSynced(FIVE)
      assert.equal((await list(backend)).stale, false)
      await write('memory/d.md', 'damson\n')
      const { total, stale } = await list(backend)
      assert.deepEqual([total, stale], stale ? [5, true] : [6, false])
    },
  },
]

export function list(backend: MemoryBackend, query: Partial<ListQuery> = {}): Promise<ListReply> {
  return backend.list({ caller: OWNER, ...query })
}

function pathsOf({ notes }: ListReply): readonly string[] {
  return notes.map(({ path }) => path)
}

async function allPages(backend: MemoryBackend, query: Partial<ListQuery>): Promise<readonly ListReply[]> {
  const pages = [await list(backend, query)]
  for (let after = pages.at(-1)?.next; after !== undefined; after = pages.at(-1)?.next) {
    assert.ok(pages.length < 10, 'the pages come to an end')
    pages.push(await list(backend, { ...query, after }))
  }
  return pages
}
