import {
  type CallOptions,
  type ChunkFilter,
  ConfigError,
  type ListedNote,
  type ListQuery,
  type ListReply,
  type MemoryBackend,
  type ReadReply,
  type ReadRequest,
  type SearchHit,
  type SearchQuery,
  type SearchReply,
  StoreError,
  type SyncOptions,
  type SyncReport,
  withoutBlanks,
  WorkspaceError,
} from '@mnemark/spec'
import { createPathMatcher } from '@mnemark/store-kit'
import { expect, test } from 'vitest'
import type { BackendUnderTest, MemoryBackendTarget } from './backend-context.ts'
import { memoryBackendCases } from './memory-backend-cases.ts'

// The suite tested by backends that each break one rule: the case meant for that rule must fail.

/** Keeps every rule in the simplest way: finds the lines that hold all the words. */
class PlainBackend implements MemoryBackend {
  readonly specVersion = 'v1'
  readonly name = 'plain'
  readonly notes: Map<string, string>
  index: Map<string, string> = new Map()
  isClosed = false

  constructor(notes: Readonly<Record<string, string>>) {
    this.notes = new Map(Object.entries(notes))
  }

  async search({ text, caller, signal, ...options }: SearchQuery): Promise<SearchReply> {
    this.assertOpen()
    signal?.throwIfAborted()
    const { limit = 6, filter } = this.given(options)
    if (!(Number.isInteger(limit) && limit >= 1 && limit <= 100)) throw new ConfigError('invalid-value', 'limit: 1 to 100')
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    const hits = [...this.index]
      .filter(
        ([path, note]) => accepts(filter, path) && words.length > 0 && words.every((word) => note.toLowerCase().includes(word)),
      )
      .map(([path, note]) => this.hit(path, note, words[0] ?? ''))
      .map((hit) => (caller.chatType === 'direct' ? { ...hit, snippet: `${hit.snippet}\nSource: ${hit.citation}` } : hit))
      .sort((left, right) => right.score - left.score)
    const isStale = this.isDirty()
    return {
      hits: hits.slice(0, limit),
      mode: 'keywords',
      backend: this.name,
      provider: null,
      model: null,
      requestedProvider: null,
      degraded: isStale ? [{ code: 'stale', message: 'notes have changed' }] : [],
      stale: isStale,
      timing: {},
    }
  }

  async list({ signal, ...options }: ListQuery): Promise<ListReply> {
    this.assertOpen()
    signal?.throwIfAborted()
    const { filter, order = 'newest', limit = 100, after, tags } = withoutBlanks<Partial<ListQuery>>(options) ?? {}
    if (order !== 'newest' && order !== 'path') throw new ConfigError('invalid-value', 'order: newest or path')
    if (!(Number.isInteger(limit) && limit >= 1 && limit <= 1_000)) throw new ConfigError('invalid-value', 'limit: 1 to 1000')
    if (after !== undefined && !after.includes('memory')) throw new ConfigError('invalid-value', 'after: no cursor')
    const notes = [...this.index].filter(([path, note]) => accepts(filter, path) && hasTag(filter, note)).map(listed)
    const place = ({ path, day = '0000-00-00' }: ListedNote): string => (order === 'path' ? '' : reversed(day)) + `memory:${path}`
    notes.sort((left, right) => (place(left) < place(right) ? -1 : 1))
    const rest = notes.filter((note) => after === undefined || place(note) > after)
    const [page, last] = [rest.slice(0, limit), rest[limit - 1]]
    const newest = notes
      .flatMap(({ day }) => day ?? [])
      .sort()
      .at(-1)
    const isStale = this.isDirty()
    return {
      notes: page,
      total: notes.length,
      ...(newest && { newest }),
      ...(tags && { tags: [...countsOf(notes)].map(([tag, count]) => ({ tag, notes: count })) }),
      ...(last && rest.length > limit && { next: place(last) }),
      backend: this.name,
      degraded: [],
      stale: isStale,
    }
  }

  given(options: Partial<SearchQuery>): Partial<SearchQuery> {
    return withoutBlanks(options) ?? {}
  }

  async read({ path, from = 1, lines = 120, signal }: ReadRequest): Promise<ReadReply> {
    this.assertOpen()
    signal?.throwIfAborted()
    const [, named = path, start = String(from), end] = /^(.*\.md)#L(\d+)-L(\d+)$/s.exec(path) ?? []
    if (!/^(?:MEMORY\.md|memory\/.+\.md)$/.test(named) || named.includes('..')) throw new WorkspaceError('refused', 'no note')
    const note = this.notes.get(named)
    if (note === undefined) return { path: named, status: 'not-found', text: '', startLine: 0, endLine: 0 }
    const last = end === undefined ? Number(start) + lines - 1 : Number(end)
    const rows = note.split('\n').slice(Number(start) - 1, last)
    return {
      path: named,
      status: 'ok',
      text: rows.join('\n'),
      startLine: Number(start),
      endLine: Number(start) + rows.length - 1,
    }
  }

  async sync({ isDryRun = false, signal }: SyncOptions = {}): Promise<SyncReport> {
    this.assertOpen()
    signal?.throwIfAborted()
    const indexed = [...this.notes].filter(([path, note]) => this.index.get(path) !== note).length
    const removed = [...this.index.keys()].filter((path) => !this.notes.has(path)).length
    if (!isDryRun) this.index = new Map(this.notes)
    const [total, unchanged] = [this.notes.size, this.notes.size - indexed]
    const rest = { skipped: [], failed: [], chunks: 0, vectors: [], tokens: 0, degraded: [], isComplete: true, ms: 0 }
    return { total, indexed, unchanged, removed, ...rest }
  }

  async status({ signal }: CallOptions = {}): ReturnType<MemoryBackend['status']> {
    this.assertOpen()
    signal?.throwIfAborted()
    const counts = { documents: this.index.size, chunks: 0, spaces: [], degraded: [], details: {} }
    return { backend: this.name, isDirty: this.isDirty(), ...counts }
  }

  async close(): Promise<void> {
    this.isClosed = true
  }

  assertOpen(): void {
    if (this.isClosed) throw new StoreError('closed', 'closed')
  }

  isDirty(): boolean {
    return this.notes.size !== this.index.size || [...this.notes].some(([path, note]) => this.index.get(path) !== note)
  }

  hit(path: string, note: string, word: string): SearchHit {
    const rows = note.split('\n')
    const line = rows.findIndex((row) => row.toLowerCase().includes(word)) + 1
    const row = rows[line - 1] ?? ''
    const at = row.toLowerCase().indexOf(word)
    const [from, to] = row.length <= 600 ? [0, row.length] : [at, at + word.length]
    const highlights: SearchHit['highlights'] = [[at - from, at - from + word.length]]
    const citation = `${path}#L${line}-L${line}`
    const score = 1 / (1 + note.length / 100)
    const place = { source: 'memory', path, startLine: line, endLine: line, line, citation }
    return { ...place, score, share: 1, snippet: row.slice(from, to), snippetLines: [line], highlights }
  }
}

function accepts(filter: ChunkFilter | undefined, path: string): boolean {
  return (
    (filter?.sources?.includes('memory') ?? true) &&
    (filter?.paths ? createPathMatcher(filter.paths)(path) : true) &&
    !createPathMatcher(filter?.excludePaths ?? [])(path)
  )
}

function tagsOf(note: string): readonly string[] {
  return [...new Set(note.match(/(?<=#)[a-z]+/gu) ?? [])]
}

function hasTag({ tags }: ChunkFilter = {}, note: string): boolean {
  return tags === undefined || tags.some((tag) => tagsOf(note).includes(tag))
}

function listed([path, note]: readonly [string, string]): ListedNote {
  const day = /\d{4}-\d{2}-\d{2}/u.exec(path)?.[0]
  return { source: 'memory', path, ...(day && { day }), tags: tagsOf(note), marks: [] }
}

/** A text that sorts in reverse order of days. */
function reversed(day: string): string {
  return day.replaceAll(/\d/gu, (digit) => String(9 - Number(digit)))
}

function countsOf(notes: readonly ListedNote[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const tag of notes.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return new Map([...counts].sort(([, left], [, right]) => right - left))
}

type Break = (backend: PlainBackend) => Partial<MemoryBackend> | undefined

function targetOf(mutate: Break): MemoryBackendTarget {
  return {
    open(notes): BackendUnderTest {
      const backend = new PlainBackend(notes)
      const members: Partial<MemoryBackend> = mutate(backend) ?? {}
      const mutant = new Proxy(backend, {
        get(target, key) {
          const member: unknown = Reflect.get(key in members ? members : target, key)
          return typeof member === 'function' && !(key in members) ? member.bind(target) : member
        },
      })
      return {
        backend: mutant,
        write: (path, text) => void backend.notes.set(path, text),
        remove: (path) => void backend.notes.delete(path),
      }
    },
  }
}

/** Breaks every hit. */
function inHits(change: (hit: SearchHit, query: SearchQuery) => SearchHit): Break {
  return (backend) => ({
    search: async (query) => {
      const reply = await backend.search(query)
      return { ...reply, hits: reply.hits.map((hit) => change(hit, query)) }
    },
  })
}

function asRepeated(hit: SearchHit): SearchHit {
  return { ...hit, repeats: { count: 2, first: hit.citation, last: hit.citation } }
}

function inQueries(change: (query: SearchQuery) => SearchQuery): Break {
  return (backend) => ({ search: (query) => backend.search(change(query)) })
}

function inReplies(change: (reply: SearchReply, query: SearchQuery) => SearchReply): Break {
  return (backend) => ({ search: async (query) => change(await backend.search(query), query) })
}

function inLists(change: (reply: ListReply, query: ListQuery, backend: PlainBackend) => ListReply | Promise<ListReply>): Break {
  return (backend) => ({ list: async (query) => change(await backend.list(query), query, backend) })
}

/** A cursor that counts notes, so that notes before it shift it as they come or go. */
function countingNotes(): Break {
  return (backend) => ({
    list: async ({ after, limit = 100, ...query }) => {
      const { next: _next, ...reply } = await backend.list({ ...query, limit: 1_000 })
      const start = Number(after ?? 0)
      const notes = reply.notes.slice(start, start + limit)
      return { ...reply, notes, ...(start + limit < reply.total && { next: String(start + limit) }) }
    },
  })
}

let lastIndex = new Map<string, string>()

/** Broken rule, the case that must catch it, and the break. */
const MUTANTS: readonly (readonly [name: string, caughtBy: string, mutate: Break])[] = [
  ['names another backend in its replies', 'M1', inReplies((reply) => ({ ...reply, backend: 'builtin' }))],
  ['counts lines from 0', 'M2', inHits((hit) => ({ ...hit, startLine: hit.startLine - 1, endLine: hit.endLine - 1 }))],
  ['cites another line than it names', 'M2', inHits((hit) => ({ ...hit, citation: `${hit.path}#L1-L1` }))],
  ['gives scores over 1', 'M2', inHits((hit) => ({ ...hit, score: hit.score * 100 }))],
  ['marks the wrong characters', 'M2', inHits((hit) => ({ ...hit, highlights: [[0, 1]] }))],
  [
    'names paths it cannot read',
    'M3',
    inHits((hit) => ({ ...hit, path: `memory/${hit.path}`, citation: `memory/${hit.citation}` })),
  ],
  [
    'does not read citations',
    'M3',
    (backend) => ({ read: async (request) => (request.path.includes('#') ? notFound(request) : backend.read(request)) }),
  ],
  ['gives the worst first', 'M4', inReplies((reply) => ({ ...reply, hits: reply.hits.toReversed() }))],
  ['ignores the limit', 'M4', inQueries((query) => ({ ...query, limit: 100 }))],
  ['gives a place twice', 'M4', inReplies((reply) => ({ ...reply, hits: reply.hits.flatMap((hit) => [hit, hit]).slice(0, 8) }))],
  [
    'takes any limit',
    'M5',
    inQueries((query) => ({ ...query, limit: Math.min(100, Math.max(1, Math.floor(query.limit ?? 6) || 1)) })),
  ],
  [
    'calls nothing found a failure',
    'M6',
    inReplies((reply) => (reply.hits.length === 0 ? { ...reply, mode: 'unavailable' } : reply)),
  ],
  [
    'finds everything for a blank question',
    'M6',
    (backend) => ({ search: (query) => backend.search(query.text.trim() === '' ? { ...query, text: 'zebra' } : query) }),
  ],
  ['filters after the cut', 'M7', filteringLate()],
  [
    'takes a blank member for a condition',
    'M22',
    (backend) => void Object.assign(backend, { given: (options: object) => options }),
  ],
  ['trips over quotes', 'M8', inQueries((query) => (query.text.includes('"') ? failWith(new Error('syntax error')) : query))],
  ['trips over a lone surrogate', 'M8', inQueries((query) => (encodeURIComponent(query.text), query))],
  ['makes names plain', 'M9', inHits((hit) => ({ ...hit, path: hit.path.replaceAll(' ', '-') }))],
  ['never cites in the text', 'M10', inHits((hit) => ({ ...hit, snippet: hit.snippet.replace(/\nSource: .*$/, '') }))],
  ['cites in groups', 'M10', inQueries((query) => ({ ...query, caller: { ...query.caller, chatType: 'direct' } }))],
  [
    'shows whole lines, however long',
    'M11',
    (backend) => ({ search: async (query) => withWholeLines(await backend.search(query), backend) }),
  ],
  [
    'cuts characters in two',
    'M11',
    (backend) => ({ search: async (query) => withHalfCharacters(await backend.search(query), backend) }),
  ],
  ['answers a search with what another asked', 'M12', mixingUp()],
  ['calls unlike texts the same', 'M21', inReplies((reply) => ({ ...reply, hits: reply.hits.slice(0, 1).map(asRepeated) }))],
  ['hides a value', 'M21', inReplies((reply) => ({ ...reply, hits: reply.hits.slice(0, 1) }))],
  [
    'lists a version that nobody can read',
    'M21',
    inHits((hit) => ({
      ...hit,
      versions: { items: [{ citation: 'memory/none.md#L1-L1', differs: ['9'] }], total: 1, isComplete: true },
    })),
  ],
  [
    'lists more versions than it counts',
    'M21',
    inHits((hit) => ({ ...hit, versions: { items: [{ citation: hit.citation, differs: [] }], total: 0, isComplete: true } })),
  ],
  ['names the first line of the file as the best', 'M23', inHits((hit) => ({ ...hit, line: 1 }))],
  [
    'counts lines of the snippet from 0',
    'M23',
    inHits((hit) => ({ ...hit, snippetLines: hit.snippetLines.map((at) => at - 1) })),
  ],
  ['numbers no line of the snippet', 'M23', inHits((hit) => ({ ...hit, snippetLines: [] }))],
  ['gives the share in percent', 'M23', inHits((hit) => ({ ...hit, share: 100 }))],
  ['never forgets a note', 'M13', (backend) => ({ sync: async (options) => keepingRows(backend, options) })],
  [
    'counts everything as new each time',
    'M13',
    (backend) => ({ sync: async (options) => ({ ...(await backend.sync(options)), indexed: backend.notes.size, unchanged: 0 }) }),
  ],
  ['syncs in a dry run', 'M14', (backend) => ({ sync: (options) => backend.sync({ ...options, isDryRun: false }) })],
  ['says nothing of being stale', 'M15', inReplies((reply) => ({ ...reply, stale: false, degraded: [] }))],
  ['is never dirty', 'M16', (backend) => ({ status: async () => ({ ...(await backend.status()), isDirty: false }) })],
  ['is always dirty', 'M16', (backend) => ({ status: async () => ({ ...(await backend.status()), isDirty: true }) })],
  ['counts no documents', 'M16', (backend) => ({ status: async () => ({ ...(await backend.status()), documents: 0 }) })],
  ['reads from the beginning always', 'M17', (backend) => ({ read: (request) => backend.read({ ...request, from: 1 }) })],
  ['throws for a missing note', 'M17', (backend) => ({ read: async (request) => throwingMissing(await backend.read(request)) })],
  [
    'reads outside',
    'M17',
    (backend) => ({ read: async (request) => (request.path.startsWith('/') ? notFound(request) : backend.read(request)) }),
  ],
  [
    'names what it refuses',
    'M17',
    (backend) => ({
      read: (request) =>
        backend.read(request).catch((error) => failWith(new WorkspaceError('refused', `${request.path}: ${error}`))),
    }),
  ],
  ['does not look at the signal', 'M18', inQueries((query) => ({ ...query, signal: undefined }))],
  [
    'gives an error of its own for an ended signal',
    'M18',
    (backend) => ({ sync: (options) => backend.sync(options).catch(() => failWith(new Error('sync failed'))) }),
  ],
  ['gives its status whatever the signal says', 'M18', (backend) => ({ status: () => backend.status() })],
  ['shares its index', 'M19', sharingIndex()],
  ['answers after closing', 'M20', () => ({ close: async () => {} })],
  [
    'cannot be closed twice',
    'M20',
    (backend) => ({ close: async () => (backend.isClosed ? failWith(new Error('closed already')) : backend.close()) }),
  ],
  [
    'loses a note between two pages',
    'M24',
    inLists((reply, { after }) => ({ ...reply, notes: reply.notes.slice(after === undefined ? 0 : 1) })),
  ],
  ['counts the page for the whole', 'M24', inLists((reply) => ({ ...reply, total: reply.notes.length }))],
  ['lists the oldest first', 'M25', inLists((reply) => ({ ...reply, notes: reply.notes.toReversed() }))],
  ['counts what a filter keeps out', 'M26', inLists((reply, _, backend) => ({ ...reply, total: backend.index.size }))],
  [
    'counts tags of the page alone',
    'M27',
    inLists(({ tags, ...reply }) => ({ ...reply, ...(tags && { tags: tags.map(({ tag }) => ({ tag, notes: 1 })) }) })),
  ],
  ['counts tags nobody asked for', 'M27', inLists((reply) => ({ tags: [], ...reply }))],
  [
    'takes blanks for filters',
    'M28',
    (backend) => ({ list: (query) => backend.list(query.filter?.tags ? { ...query, limit: 0 } : query) }),
  ],
  [
    'takes any limit',
    'M28',
    (backend) => ({ list: (query) => backend.list({ ...query, limit: Math.min(query.limit ?? 100, 1_000) || 1 }) }),
  ],
  ['has a cursor that counts notes', 'M29', countingNotes()],
  ['lists the past as the present', 'M30', inLists((reply) => ({ ...reply, stale: false }))],
]

function failWith(error: Error): never {
  throw error
}

function notFound({ path }: ReadRequest): ReadReply {
  return { path, status: 'not-found', text: '', startLine: 0, endLine: 0 }
}

function throwingMissing(reply: ReadReply): ReadReply {
  return reply.status === 'not-found' ? failWith(new Error('ENOENT')) : reply
}

function filteringLate(): Break {
  return (backend) => ({
    search: async ({ filter, ...query }) => {
      const reply = await backend.search(query)
      const passing = new Set(
        (await backend.search({ ...query, limit: 100, ...(filter && { filter }) })).hits.map(({ path }) => path),
      )
      return { ...reply, hits: reply.hits.filter(({ path }) => passing.has(path)) }
    },
  })
}

function lineOf({ path, startLine }: SearchHit, backend: PlainBackend): string {
  return backend.notes.get(path)?.split('\n')[startLine - 1] ?? ''
}

function withWholeLines(reply: SearchReply, backend: PlainBackend): SearchReply {
  return { ...reply, hits: reply.hits.map((hit) => ({ ...hit, snippet: lineOf(hit, backend) })) }
}

function withHalfCharacters(reply: SearchReply, backend: PlainBackend): SearchReply {
  const around = (line: string): string => line.slice(line.indexOf('zebra') - 100, line.indexOf('zebra') + 104)
  return { ...reply, hits: reply.hits.map((hit) => ({ ...hit, snippet: around(lineOf(hit, backend)) })) }
}

function mixingUp(): Break {
  let asked = ''
  return (backend) => ({
    search: async (query) => {
      asked = query.text
      await Promise.resolve()
      return backend.search({ ...query, text: asked })
    },
  })
}

async function keepingRows(backend: PlainBackend, options: SyncOptions | undefined): Promise<SyncReport> {
  const before = new Map(backend.index)
  const report = await backend.sync(options)
  backend.index = new Map([...before, ...backend.index])
  return report
}

function sharingIndex(): Break {
  return (backend) => ({
    sync: async (options) => {
      const report = await backend.sync(options)
      lastIndex = new Map([
        ...lastIndex,
        ...[...backend.index].map(([path, note]): [string, string] => [`${path}${lastIndex.size}`, note]),
      ])
      return report
    },
    search: (query) => {
      backend.index = lastIndex
      return backend.search(query)
    },
  })
}

function caseOf(id: string, target: MemoryBackendTarget): Promise<void> {
  const found = memoryBackendCases(target).find((candidate) => candidate.id === id)
  if (!found) throw new Error(`no case ${id}`)
  return found.run()
}

const sound = targetOf(() => undefined)

test.each(MUTANTS)('a backend that %s is caught by %s', async (_, caughtBy, mutate) => {
  await expect(caseOf(caughtBy, sound)).resolves.toBeUndefined()
  await expect(caseOf(caughtBy, targetOf(mutate))).rejects.toBeInstanceOf(Error)
})

test('every case of the suite is known to fail for a backend that breaks its rule', () => {
  const caught = new Set(MUTANTS.map(([, caughtBy]) => caughtBy))
  expect(
    memoryBackendCases(sound)
      .map(({ id }) => id)
      .filter((id) => !caught.has(id)),
  ).toEqual([])
})
