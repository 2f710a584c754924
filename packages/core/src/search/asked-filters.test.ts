import type { ChunkFilter, SearchQuery } from '@mnemark/spec'
import { ConfigError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { NoteSource } from '../../test/note-source.ts'
import { openMemory, openNotes, pathsFor, search } from '../../test/open-notes.ts'

/** Today is Monday, 2026-03-16. */
const NOTES: Readonly<Record<string, string>> = {
  'MEMORY.md': '# Memory\n\nthe rent is paid on the first\n',
  'decisions/rent.md': '---\ntags: [project/alpha]\n---\nthe rent goes up\n',
  'decisions/old [2020]/rent.md': 'the rent of 2020\n',
  'memory/2026-03-14.md': 'rent paid #money\n',
  'memory/2026-03-15.md': 'talked of the rent with José #مال\n',
  'memory/2025-01-01.md': '---\ntags: "#person, #money"\n---\nrent last year\n',
  'people/أحمد.md': '---\ntags: person\n---\nrent: none\n',
}

async function found(text: string, filter?: unknown, query: Partial<SearchQuery> = {}): Promise<readonly string[]> {
  const { memory } = await openNotes(NOTES)
  // Safe: what callers of other languages and models send is part of the test.
  return (
    await pathsFor(memory, text, { limit: 20, ...(filter === undefined ? {} : { filter: filter as ChunkFilter }), ...query })
  ).sort()
}

async function remarks(text: string, filter?: ChunkFilter): Promise<readonly string[]> {
  const { memory } = await openNotes(NOTES)
  const { degraded } = await search(memory, text, filter === undefined ? {} : { filter })
  return degraded.map(({ code, message }) => `${code}: ${message}`)
}

const ALL = Object.keys(NOTES).sort()

test.each<[string, unknown]>([
  ['empty lists', { sources: [], paths: [], excludePaths: [], kinds: [], entities: [], tags: [], sessions: [], audiences: [] }],
  ['blank texts in lists', { paths: ['', ' '], tags: ['\u3000'], kinds: [''], sources: [null] }],
  ['blank texts', { since: '', until: ' ', asOf: '' }],
  ['null', { since: null, until: null, asOf: null, tags: null, paths: null, sources: null }],
  ['labels of nothing but signs', { tags: ['#'], entities: ['@'] }],
  ['nothing', {}],
  ['no filter', null],
])('P30: %s count as left out', async (_, filter) => {
  expect(await found('rent', filter)).toEqual(ALL)
})

test('P30: null and blank options count as left out; a blank value beside a right one is dropped alone', async () => {
  const blank = { limit: null, overrides: null, why: null, explain: null } as unknown as Partial<SearchQuery>
  const { memory } = await openNotes(NOTES)
  const { hits, why } = await search(memory, 'rent', blank)
  expect([hits.length, why]).toEqual([6, undefined])
  const nested = { overrides: { mmr: null, fusion: '', minScore: null }, why: { path: '' } } as unknown as Partial<SearchQuery>
  expect((await search(memory, 'rent', nested)).hits).toHaveLength(6)
  expect(await found('rent', { paths: ['', 'people/'] })).toEqual(['people/أحمد.md'])
  expect(await found('rent', { tags: 'person' })).toEqual(['memory/2025-01-01.md', 'people/أحمد.md'])
  await expect(search(memory, 'rent', { limit: 0 })).rejects.toThrow(ConfigError)
})

test.each([
  ['decisions/', ['decisions/old [2020]/rent.md', 'decisions/rent.md']],
  ['decisions', ['decisions/old [2020]/rent.md', 'decisions/rent.md']],
  ['./decisions/', ['decisions/old [2020]/rent.md', 'decisions/rent.md']],
  ['/decisions', ['decisions/old [2020]/rent.md', 'decisions/rent.md']],
  ['decisions\\old [2020]', ['decisions/old [2020]/rent.md']],
  ['decisions/old [2020]/', ['decisions/old [2020]/rent.md']],
  ['decisions/old [2020]/rent.md', ['decisions/old [2020]/rent.md']],
  ['decisions/*', ['decisions/rent.md']],
  ['dec*/', ['decisions/old [2020]/rent.md', 'decisions/rent.md']],
  ['**/rent.md', ['decisions/old [2020]/rent.md', 'decisions/rent.md']],
  ['MEMORY.md', ['MEMORY.md']],
  ['MEMORY.md#L3-L3', ['MEMORY.md']],
  ['people', ['people/أحمد.md']],
  ['people/أحمد.md', ['people/أحمد.md']],
  ['.', ALL],
  ['./', ALL],
  ['/', ALL],
])('P31: the path %s means a folder, a file or a glob', async (path, paths) => {
  expect(await found('rent', { paths: [path] })).toEqual(paths)
})

test('P31: an absolute path inside a source means what it lists there; excluded folders too', async () => {
  const source = new NoteSource(NOTES)
  const shownPath = (place: string): string | undefined =>
    place.startsWith('/home/me/notes') ? place.slice('/home/me/notes'.length).replace(/^\//, '') : undefined
  const memory = await openMemory([Object.assign(source, { shownPath })])
  const paths = async (path: string) => (await pathsFor(memory, 'rent', { filter: { paths: [path] }, limit: 20 })).sort()
  expect(await paths('/home/me/notes/people/')).toEqual(['people/أحمد.md'])
  expect(await paths('/home/me/notes')).toEqual(ALL)
  expect(await paths('/home/me/other')).toEqual([])
  expect(await found('rent', { excludePaths: ['decisions/', 'memory', './people'] })).toEqual(['MEMORY.md'])
})

test.each<[string, ChunkFilter, string]>([
  ['a folder', { paths: ['decisons/'] }, 'No indexed note is, or lies in, "decisons/". Near: "decisions/".'],
  [
    'a file without its ending',
    { paths: ['people/أحمد'] },
    'No indexed note is, or lies in, "people/أحمد". Near: "people/أحمد.md".',
  ],
  ['a folder of nothing near', { paths: ['xyz'] }, 'There is "memory/", "decisions/", "people/", "MEMORY.md".'],
  ['a tag', { tags: ['persn'] }, 'No indexed text has the tag "persn". Near: "person".'],
  ['a tag in Arabic', { tags: ['ماك'] }, 'No indexed text has the tag "ماك". Near: "مال".'],
  ['a kind', { kinds: ['opinon'] }, 'No indexed text is of the kind "opinon". There is "note".'],
  ['an entity', { entities: ['Ann'] }, 'No indexed text is about "Ann".'],
  ['a source', { sources: ['memorys'] }, 'No indexed note is of the source "memorys". Near: "memory".'],
  ['days', { since: '2026-03-16' }, 'No indexed note passes the days asked for: since 2026-03-16.'],
  [
    'values that exist, but not together',
    { tags: ['person'], paths: ['decisions'] },
    'Each filter lets something through, all of them together nothing: path "decisions", tag "person".',
  ],
])('P31: %s that matches nothing is named, with what is near', async (_, filter, message) => {
  for (const text of ['rent', '']) {
    const told = await remarks(text, filter)
    expect(told).toHaveLength(1)
    expect(told[0]).toContain(`filter-unmatched: `)
    expect(told[0]).toContain(message)
  }
})

test('P31: one of several values that matches nothing is named beside the hits of the others', async () => {
  expect(await remarks('rent', { tags: ['person', 'persn'] })).toEqual([
    'filter-unmatched: No indexed text has the tag "persn". Near: "person".',
  ])
  expect(await remarks('rent', { tags: ['person', 'money'], paths: ['memory', 'people'] })).toEqual([])
  expect(await remarks('rent tag:persn')).toHaveLength(1)
})

test('P31: names of notes are shown in quotes, cut, and without signs that a screen or a model could obey', async () => {
  const { memory } = await openNotes({ [`a\u202e\u001b[2Jb${'x'.repeat(300)}.md`]: 'rent' })
  const { degraded } = await search(memory, 'rent', { filter: { paths: ['nowhere'] } })
  expect(degraded[0]?.message).toContain('"a\\u{202e}\\u{1b}[2Jbxxx')
  expect(degraded[0]?.message.length).toBeLessThan(200)
})

test('P31: an index of nothing says what was looked at', async () => {
  const { memory } = await openNotes({})
  for (const filter of [{}, { paths: ['decisions/'] }]) {
    const reply = await search(memory, 'rent', { filter })
    expect(reply.hits).toEqual([])
    expect(reply.degraded.map(({ code }) => code)).toEqual(['nothing-indexed'])
  }
})

test('P32: what was excluded is named when that leaves nothing', async () => {
  expect(await remarks('rent -rent')).toEqual([
    'all-excluded: Everything that was found is excluded by -rent. Leave the sign out to see it.',
  ])
  expect(await remarks('paid -"the first" -money')).toEqual([
    'all-excluded: Everything that was found is excluded by -"the first" -money. Leave the sign out to see it.',
  ])
  expect(await remarks('rent -paid')).toEqual([])
  expect(await remarks('xylophone -rent')).toEqual([])
  expect(await remarks('tag:money -rent')).toHaveLength(1)
})

test('P34: a tag finds what is below it, however it is written', async () => {
  for (const tag of ['project', 'project/alpha', '#project', 'PROJECT/', '[[Project/Alpha]]'])
    expect(await found('rent', { tags: [tag] })).toEqual(['decisions/rent.md'])
  expect(await found('rent', { tags: ['proj'] })).toEqual([])
  expect(await found('rent', { tags: ['#money'] })).toEqual(['memory/2025-01-01.md', 'memory/2026-03-14.md'])
  expect(await found('rent', { tags: ['مَال'] })).toEqual(['memory/2026-03-15.md'])
})

test('P34: without words a filter lists newest first, each note once', async () => {
  const { memory } = await openNotes({
    ...NOTES,
    'memory/2026-03-10.md': Array.from({ length: 400 }, (_, at) => `## Part ${at}\n\n#money ${'word '.repeat(90)}`).join('\n\n'),
  })
  const list = (filter: ChunkFilter, limit = 10) => pathsFor(memory, '', { filter, limit })
  expect(await list({ tags: ['money'] })).toEqual(['memory/2026-03-14.md', 'memory/2026-03-10.md', 'memory/2025-01-01.md'])
  expect(await list({ tags: ['money'] }, 2)).toEqual(['memory/2026-03-14.md', 'memory/2026-03-10.md'])
  expect(await list({ tags: ['person'] })).toEqual(['memory/2025-01-01.md', 'people/أحمد.md'])
  expect(await list({ paths: ['memory'] }, 2)).toEqual(['memory/2026-03-15.md', 'memory/2026-03-14.md'])
  expect(await list({ kinds: ['note'], since: '2026-03' }, 2)).toEqual(['memory/2026-03-15.md', 'memory/2026-03-14.md'])
  expect(await pathsFor(memory, 'tag:person path:memory')).toEqual(['memory/2025-01-01.md'])
  expect(await pathsFor(memory, '', {})).toEqual([])
  const [hit] = (await search(memory, '', { filter: { tags: ['person'] } })).hits
  expect(hit).toMatchObject({ score: 0, highlights: [], snippet: expect.stringContaining('rent last year') })
})

test('P34: a list says why a place is not in it', async () => {
  const { memory } = await openNotes(NOTES)
  const why = async (path: string) => (await search(memory, 'tag:person', { why: { path } })).why
  expect(await why('people/أحمد.md')).toMatchObject({ reason: 'returned' })
  expect(await why('MEMORY.md')).toMatchObject({ reason: 'no-match' })
})

test.each<[string, readonly string[]]>([
  ['rent tag:person', ['memory/2025-01-01.md', 'people/أحمد.md']],
  ['tag:#person rent', ['memory/2025-01-01.md', 'people/أحمد.md']],
  ['rent tags:"project/alpha"', ['decisions/rent.md']],
  ['rent tag:person,money', ['memory/2025-01-01.md', 'memory/2026-03-14.md', 'people/أحمد.md']],
  ['rent path:decisions/', ['decisions/old [2020]/rent.md', 'decisions/rent.md']],
  ['rent path:"decisions/old [2020]"', ['decisions/old [2020]/rent.md']],
  ['rent path:«decisions/old [2020]»', ['decisions/old [2020]/rent.md']],
  ['rent -path:decisions -path:memory -path:people/', ['MEMORY.md']],
  ['rent file:Rent', ['decisions/old [2020]/rent.md', 'decisions/rent.md']],
  ['rent file:أحمد', ['people/أحمد.md']],
  ['rent file:2026-*.md', ['memory/2026-03-14.md', 'memory/2026-03-15.md']],
  ['rent path:memory file:2026', ['memory/2026-03-14.md', 'memory/2026-03-15.md']],
  ['rent since:2026-03', ['memory/2026-03-14.md', 'memory/2026-03-15.md']],
  ['rent since:7d', ['memory/2026-03-14.md', 'memory/2026-03-15.md']],
  ['rent since:yesterday', ['memory/2026-03-15.md']],
  ['rent since:امس', ['memory/2026-03-15.md']],
  ['rent since:昨天', ['memory/2026-03-15.md']],
  ['rent since:"last week" until:2026-03-14', ['memory/2026-03-14.md']],
  ['rent until:2025', ['memory/2025-01-01.md']],
  ['what is the rent path:decisions/rent.md?', ['decisions/rent.md']],
  ['rent kind:note', ALL],
])('P34: %s narrows the search down', async (query, paths) => {
  expect(await found(query)).toEqual(paths)
})

test('P34: what the query says narrows down what the caller allows, and never widens it', async () => {
  expect(await found('rent path:decisions', { paths: ['memory'] })).toEqual([])
  expect(await found('rent tag:money', { paths: ['memory'], since: '2026' })).toEqual(['memory/2026-03-14.md'])
  expect(await found('tag:person', { tags: ['money'] })).toEqual(['memory/2025-01-01.md'])
  const { memory } = await openNotes(NOTES)
  const { degraded } = await search(memory, 'rent tag:persons', { filter: { paths: ['decisions'] } })
  expect(degraded.map(({ message }) => message).join()).not.toContain('"person"')
})

test('P34: addresses, Windows paths, times and front matter stay text', async () => {
  const notes = {
    'url.md': 'file:///etc/hosts and https://path:8080/x tag://x',
    'windows.md': 'kept in C:\\tools\\router',
    'time.md': 'at 10:30 tea',
    'device.md': '---\nkind: device\ntype: printer\nsince: always\n---\nupstairs',
    'phrase.md': 'docker tag:latest image',
    'colon.md': 'the path: is long, tags:: none',
  }
  const { memory } = await openNotes(notes)
  expect(await pathsFor(memory, 'file:///etc/hosts')).toContain('url.md')
  expect(await pathsFor(memory, 'https://path:8080/x')).toContain('url.md')
  expect(await pathsFor(memory, 'C:\\tools\\router')).toContain('windows.md')
  expect((await pathsFor(memory, '10:30'))[0]).toBe('time.md')
  expect(await pathsFor(memory, 'type:printer')).toContain('device.md')
  expect(await pathsFor(memory, 'kind:device')).toContain('device.md')
  expect(await pathsFor(memory, 'since:always')).toContain('device.md')
  expect(await pathsFor(memory, '"docker tag:latest image"')).toEqual(['phrase.md'])
  expect(await pathsFor(memory, 'path: long')).toContain('colon.md')
  expect(await pathsFor(memory, 'tags:: none')).toContain('colon.md')
})

test.each([
  ['since', 'someday'],
  ['since', '2026-02-30'],
  ['until', '2026-13'],
  ['asOf', '7 bananas'],
] as const)('P34: %s %j is refused with what a day may be', async (name, value) => {
  const { memory } = await openNotes(NOTES)
  const error: unknown = await search(memory, 'rent', { filter: { [name]: value } }).catch((reason: unknown) => reason)
  expect(ConfigError.isInstance(error) && error.message).toContain(`${name}: there is no day ${value}; a day is YYYY-MM-DD`)
})

test('P34: days in the wrong order and globs that would take for ever are refused, in a query too', async () => {
  const { memory } = await openNotes(NOTES)
  const refused = (text: string, filter: ChunkFilter = {}) =>
    expect(search(memory, text, { filter })).rejects.toThrow(ConfigError)
  await refused('rent', { since: '2026-03-02', until: '2026-03-01' })
  await refused('rent since:2026 until:2025')
  await refused('rent', { paths: ['*a*a*a*a*'] })
  await refused('rent path:*a*a*a*a*')
  await refused('rent file:*a*a*a*a*')
  await refused('rent', { excludePaths: ['+(a|b)*(c)'] })
})
