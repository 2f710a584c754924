import assert from 'node:assert/strict'
import type { ChangeSet, ChunkFilter, MemoryStore } from '@mnemark/spec'
import { putWithAttributes, sampleChunk, sampleDocument } from './sample-data.ts'
import type { StoreCase, StoreContext } from './store-context.ts'
import { change, collect, isTypeError, read } from './store-context.ts'

/** The paths whose single chunk passes, sorted. Also checks `size` against them. */
async function passing(store: MemoryStore, filter: ChunkFilter): Promise<string[]> {
  return read(store, async (snapshot) => {
    const matching = await snapshot.filter(filter)
    const paths: string[] = []
    for (const document of await collect(snapshot.documents())) {
      for (const { id } of await snapshot.chunksOf(document)) if (matching.has(id)) paths.push(document.path)
    }
    assert.equal(matching.size, paths.length, 'size counts what passes')
    assert.equal(matching.has(999_999), false, 'an unknown chunk never passes')
    return paths.sort()
  })
}

async function filled(context: StoreContext, put: ChangeSet['put']): Promise<MemoryStore> {
  const store = await context.create()
  await change(store, { put })
  return store
}

export const filterCases: readonly StoreCase[] = [
  {
    id: 'F1',
    title: 'an empty filter passes every chunk; an empty list passes none, but excludes none either',
    async run(context) {
      const store = await filled(context, [putWithAttributes('a', {}), putWithAttributes('b', { kind: 'world' })])
      assert.deepEqual(await passing(store, {}), ['a', 'b'])
      for (const field of ['sources', 'paths', 'kinds', 'entities', 'tags', 'sessions', 'audiences'] as const) {
        assert.deepEqual(await passing(store, { [field]: [] }), [], field)
      }
      assert.deepEqual(await passing(store, { excludePaths: [] }), ['a', 'b'])
    },
  },
  {
    id: 'F2',
    title: 'sources are compared exactly, any of those listed passes',
    async run(context) {
      const store = await filled(context, [
        putWithAttributes('m', {}),
        putWithAttributes('s', {}, { source: 'sessions' }),
        putWithAttributes('x', {}, { source: 'Memory' }),
      ])
      assert.deepEqual(await passing(store, { sources: ['memory'] }), ['m'])
      assert.deepEqual(await passing(store, { sources: ['memory', 'sessions'] }), ['m', 's'])
      assert.deepEqual(await passing(store, { sources: ['other'] }), [])
    },
  },
  {
    id: 'F3',
    title: 'path globs: `*` within a folder, `**` across, dots included, case kept, compositions equal',
    async run(context) {
      const paths = [
        'a.md',
        'A.md',
        'memory/b.md',
        'memory/.hidden/c.md',
        'memory/x/y/d.md',
        'e\u0301.md',
        'bank/[1].md',
        'bank/{.md',
      ]
      const store = await filled(
        context,
        paths.map((path) => putWithAttributes(path, {})),
      )
      assert.deepEqual(await passing(store, { paths: ['*.md'] }), ['A.md', 'a.md', 'e\u0301.md'])
      assert.deepEqual(await passing(store, { paths: ['a.md'] }), ['a.md'])
      assert.deepEqual(await passing(store, { paths: ['memory/**'] }), ['memory/.hidden/c.md', 'memory/b.md', 'memory/x/y/d.md'])
      assert.deepEqual(await passing(store, { paths: ['memory/*.md', '**/d.md'] }), ['memory/b.md', 'memory/x/y/d.md'])
      assert.deepEqual(await passing(store, { paths: ['{a,A}.md'] }), ['A.md', 'a.md'])
      assert.deepEqual(await passing(store, { paths: ['\u00e9.md'] }), ['e\u0301.md'])
      assert.deepEqual(await passing(store, { paths: ['bank/[1].md'] }), ['bank/[1].md'], 'a path stands for itself')
      assert.deepEqual(await passing(store, { paths: ['bank/{.md'] }), ['bank/{.md'])
      assert.deepEqual(await passing(store, { paths: ['memory'] }), [], 'a folder name is not its content')
    },
  },
  {
    id: 'F4',
    title: 'excluded paths go, also where a glob lets them in',
    async run(context) {
      const store = await filled(
        context,
        ['memory/a.md', 'memory/archive/b.md', 'c.md'].map((path) => putWithAttributes(path, {})),
      )
      assert.deepEqual(await passing(store, { excludePaths: ['**/archive/**'] }), ['c.md', 'memory/a.md'])
      assert.deepEqual(await passing(store, { paths: ['memory/**'], excludePaths: ['memory/archive/*'] }), ['memory/a.md'])
    },
  },
  {
    id: 'F5',
    title: '`since` and `until` are inclusive, compare ranges, and leave undated chunks out',
    async run(context) {
      const store = await filled(context, [
        putWithAttributes('day', { from: '2026-03-14' }),
        putWithAttributes('week', { from: '2026-03-09', to: '2026-03-15' }),
        putWithAttributes('end', { to: '2026-03-20' }),
        putWithAttributes('undated', {}),
      ])
      assert.deepEqual(await passing(store, { since: '2026-03-14' }), ['day', 'end', 'week'])
      assert.deepEqual(await passing(store, { since: '2026-03-15' }), ['end', 'week'])
      assert.deepEqual(await passing(store, { since: '2026-03-16' }), ['end'])
      assert.deepEqual(await passing(store, { until: '2026-03-09' }), ['week'])
      assert.deepEqual(await passing(store, { until: '2026-03-14' }), ['day', 'week'])
      assert.deepEqual(await passing(store, { since: '2026-03-14', until: '2026-03-14' }), ['day', 'week'])
      assert.deepEqual(await passing(store, { since: '2027-01-01' }), [])
    },
  },
  {
    id: 'F6',
    title: '`asOf` leaves out what is dated later and keeps what is undated',
    async run(context) {
      const store = await filled(context, [
        putWithAttributes('before', { from: '2026-03-13' }),
        putWithAttributes('that day', { from: '2026-03-14', to: '2026-03-30' }),
        putWithAttributes('after', { from: '2026-03-15' }),
        putWithAttributes('undated', {}),
      ])
      assert.deepEqual(await passing(store, { asOf: '2026-03-14' }), ['before', 'that day', 'undated'])
      assert.deepEqual(await passing(store, { asOf: '2026-03-14', since: '2026-03-14' }), ['that day'])
    },
  },
  {
    id: 'F7',
    title: 'a day that is not YYYY-MM-DD is refused',
    async run(context) {
      const store = await context.create()
      for (const filter of [{ since: 'yesterday' }, { until: '2026-3-1' }, { asOf: '' }]) {
        await assert.rejects(() => read(store, (snapshot) => snapshot.filter(filter)), isTypeError)
      }
    },
  },
  {
    id: 'F8',
    title: 'kinds, sessions and audiences are compared exactly, any of those listed passes',
    async run(context) {
      const store = await filled(context, [
        putWithAttributes('w', { kind: 'world', session: 's1', audience: 'private' }),
        putWithAttributes('o', { kind: 'opinion', session: 's2', audience: 'group' }),
        putWithAttributes('none', {}),
      ])
      assert.deepEqual(await passing(store, { kinds: ['world'] }), ['w'])
      assert.deepEqual(await passing(store, { kinds: ['note'] }), ['none'], '`note` is what has no kind')
      assert.deepEqual(await passing(store, { kinds: ['note', 'world'] }), ['none', 'w'])
      assert.deepEqual(await passing(store, { kinds: ['world', 'opinion', 'World'] }), ['o', 'w'])
      assert.deepEqual(await passing(store, { kinds: ['WORLD'] }), [])
      assert.deepEqual(await passing(store, { sessions: ['s2'] }), ['o'])
      assert.deepEqual(await passing(store, { audiences: ['private', 'public'] }), ['w'])
    },
  },
  {
    id: 'F9',
    title: 'entities and tags match any listed label, byte for byte; attributes are not looked at',
    async run(context) {
      const store = await filled(context, [
        putWithAttributes('ann', { tags: ['shown'] }, { labels: { entities: ['ann', 'zoe'], tags: ['work', '100%_x'] } }),
        putWithAttributes('ben', {}, { labels: { entities: ['ben'], tags: ["o'brien", 'work/home'] } }),
        putWithAttributes('absent', { entities: ['ann'] }),
      ])
      assert.deepEqual(await passing(store, { entities: ['ann'] }), ['ann'])
      assert.deepEqual(await passing(store, { entities: ['ann', 'ben'] }), ['ann', 'ben'])
      assert.deepEqual(await passing(store, { entities: ['An', 'ANN', 'an'] }), [], 'core folds, stores compare')
      assert.deepEqual(await passing(store, { tags: ['work'] }), ['ann'], 'a label is whole')
      assert.deepEqual(await passing(store, { tags: ['shown'] }), [])
      assert.deepEqual(await passing(store, { tags: ['100__x', '1%'] }), [], 'wildcards of an engine are text')
      assert.deepEqual(await passing(store, { tags: ["o'brien"] }), ['ben'])
      const stored = await read(store, async (snapshot) => snapshot.chunksOf({ source: 'memory', path: 'ann' }))
      assert.deepEqual(stored[0]?.labels, { entities: ['ann', 'zoe'], tags: ['work', '100%_x'] })
    },
  },
  {
    id: 'F10',
    title: 'all fields of a filter must hold at once, per chunk and not per document',
    async run(context) {
      const document = sampleDocument('a.md')
      const store = await context.create()
      const chunks = [
        sampleChunk(document, 0, { attributes: { kind: 'world' }, labels: { tags: ['x'] } }),
        sampleChunk(document, 1, { attributes: { kind: 'world' }, labels: { tags: ['y'] } }),
        sampleChunk(document, 2, { attributes: { kind: 'opinion' }, labels: { tags: ['x'] } }),
      ]
      await change(store, { put: [{ document, chunks }] })
      await read(store, async (snapshot) => {
        const matching = await snapshot.filter({ kinds: ['world'], tags: ['x'], paths: ['*.md'], sources: ['memory'] })
        const stored = await snapshot.chunksOf(document)
        assert.deepEqual(
          stored.map(({ id }) => matching.has(id)),
          [true, false, false],
        )
        assert.equal(matching.size, 1)
      })
    },
  },
  {
    id: 'F11',
    title: 'every filter of `all` must pass as well, beside the members of the filter itself',
    async run(context) {
      const store = await filled(context, [
        putWithAttributes('memory/a', { kind: 'world' }),
        putWithAttributes('memory/b', {}),
        putWithAttributes('c', { kind: 'world' }),
      ])
      assert.deepEqual(await passing(store, { paths: ['memory/**'], all: [{ paths: ['**/a', 'c'] }] }), ['memory/a'])
      assert.deepEqual(await passing(store, { all: [{ kinds: ['world'] }, { paths: ['memory/*'] }] }), ['memory/a'])
      assert.deepEqual(await passing(store, { kinds: ['world'], all: [] }), ['c', 'memory/a'])
      assert.deepEqual(await passing(store, { all: [{ all: [{ paths: ['c'] }] }] }), ['c'])
    },
  },
  {
    id: 'F12',
    title: '`select` gives what passes by path in UTF-8 bytes, then source, then ordinal, with place and attributes',
    async run(context) {
      const paths = ['b', 'a/z', 'a', '\u{10400}', '\uffee']
      const last = sampleDocument('z')
      const store = await filled(context, [
        ...paths.map((path) => putWithAttributes(path, { tags: [path] })),
        putWithAttributes('a', {}, { source: 'sessions' }),
        { document: last, chunks: [2, 0, 1].map((ordinal) => sampleChunk(last, ordinal)) },
      ])
      const order = 'path'
      const all = await read(store, (snapshot) => snapshot.select({}, { order, limit: 100 }))
      assert.deepEqual(
        all.map(({ document: { source, path }, ordinal }) => `${source} ${path} ${ordinal}`),
        [
          'memory a 0',
          'sessions a 0',
          'memory a/z 0',
          'memory b 0',
          'memory z 0',
          'memory z 1',
          'memory z 2',
          'memory \uffee 0',
          'memory \u{10400} 0',
        ],
      )
      const [first] = all
      assert.deepEqual(first, {
        id: first?.id,
        document: { source: 'memory', path: 'a' },
        ordinal: 0,
        startLine: 1,
        endLine: 9,
        attributes: { tags: ['a'] },
      })
      const some = await read(store, (snapshot) => snapshot.select({ sources: ['sessions'] }, { order, limit: 100 }))
      assert.equal(some.length, 1, 'the filter decides what is listed')
    },
  },
  {
    id: 'F13',
    title: '`select` by `newest`: last day, then time, the later first; undated last; equals by path',
    async run(context) {
      const store = await filled(context, [
        putWithAttributes('e undated', {}),
        putWithAttributes('d old', { from: '2025-01-01' }),
        putWithAttributes('a untimed', { from: '2026-03-14' }),
        putWithAttributes('b morning', { from: '2026-03-14', time: '08:00' }),
        putWithAttributes('c noon', { from: '2026-03-14', time: '12:00' }),
        putWithAttributes('c week', { from: '2026-03-09', to: '2026-03-15' }),
        putWithAttributes('f old', { to: '2025-01-01' }),
        putWithAttributes('a undated', {}),
      ])
      const listed = ['c week', 'c noon', 'b morning', 'a untimed', 'd old', 'f old', 'a undated', 'e undated']
      const all = await read(store, (snapshot) => snapshot.select({}, { order: 'newest', limit: 100 }))
      assert.deepEqual(
        all.map(({ document }) => document.path),
        listed,
      )
      for (const [at, { id }] of all.entries()) {
        const next = await read(store, (snapshot) => snapshot.select({}, { order: 'newest', limit: 1, after: id }))
        assert.deepEqual(
          next.map(({ document }) => document.path),
          listed.slice(at + 1, at + 2),
          'the page after one that ended in the middle of a day',
        )
      }
    },
  },
  {
    id: 'F14',
    title: '`select` goes on after a chunk, ends with an empty page, and refuses one that does not pass',
    async run(context) {
      const store = await filled(
        context,
        ['a', 'b', 'c'].map((path) => putWithAttributes(path, path === 'b' ? { kind: 'world' } : {})),
      )
      await read(store, async (snapshot) => {
        const seen: string[] = []
        for (let after: number | undefined, page = 1; page <= 4; page += 1) {
          const [one] = await snapshot.select({}, { order: 'path', limit: 1, ...(after !== undefined && { after }) })
          if (one) seen.push(one.document.path)
          after = one?.id ?? after
        }
        assert.deepEqual(seen, ['a', 'b', 'c'])
        const [world] = await snapshot.select({ kinds: ['world'] }, { order: 'path', limit: 9 })
        assert.deepEqual(await snapshot.select({ kinds: ['world'] }, { order: 'path', limit: 0 }), [])
        await assert.rejects(
          () => snapshot.select({ kinds: ['note'] }, { order: 'path', limit: 9, after: world?.id ?? 0 }),
          isTypeError,
        )
        await assert.rejects(() => snapshot.select({}, { order: 'path', limit: -1 }), isTypeError)
        await assert.rejects(() => snapshot.select({ since: 'today' }, { order: 'newest', limit: 1 }), isTypeError)
      })
    },
  },
]
