import type { SearchHit } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { keywordScore } from '../hybrid/list-score.ts'
import { NoteSource } from '../../test/note-source.ts'
import { hitsFor, NOW, openMemory, openNotes, pathsFor, search } from '../../test/open-notes.ts'

const DAY_MS = 86_400_000

function dayBefore(days: number): string {
  return new Date(NOW - days * DAY_MS).toISOString().slice(0, 10)
}

function factorOf(hit: SearchHit | undefined): number {
  return hit?.explain?.decay?.factor ?? 1
}

test('a dated note keeps 84 % of its score after 7 days, 50 % after 30, 12.5 % after 90, 1.6 % after 180', async () => {
  const shares = new Map([
    [0, 1],
    [7, 0.84],
    [30, 0.5],
    [90, 0.125],
    [180, 0.016],
  ])
  const topics = ['copper', 'velvet', 'marble', 'walnut', 'indigo']
  const notes = [...shares.keys()].map((days, at): [string, string] => [
    `memory/${dayBefore(days)}.md`,
    `router ${topics[at]} installed`,
  ])
  const { memory } = await openNotes(Object.fromEntries(notes), { temporalDecay: { enabled: true } })
  const hits = await hitsFor(memory, 'router', { explain: true })
  expect(hits.map(({ path }) => path)).toEqual(notes.map(([path]) => path))
  for (const [at, share] of [...shares.values()].entries()) expect(Math.abs(factorOf(hits[at]) - share)).toBeLessThan(0.011)
  for (const hit of hits) expect(hit.score).toBeCloseTo((hit.explain?.fused ?? 0) * factorOf(hit), 10)
})

test('undated notes, MEMORY.md and the bank never decay; a future day is age 0; off by default', async () => {
  const notes = {
    'MEMORY.md': 'router copper, decided 2020-01-01',
    'memory/2020-01-01.md': 'router velvet',
    'memory/2027-01-01.md': 'router marble',
    'memory/projects.md': 'router walnut',
    'bank/2020-01-01.md': 'router indigo',
  }
  const { memory } = await openNotes(notes)
  const decay = { overrides: { temporalDecay: { enabled: true } }, explain: true }
  const factors = new Map((await hitsFor(memory, 'router', decay)).map((hit) => [hit.path, factorOf(hit)]))
  expect(factors.get('memory/2020-01-01.md')).toBeLessThan(0.001)
  for (const path of ['MEMORY.md', 'memory/2027-01-01.md', 'memory/projects.md', 'bank/2020-01-01.md'])
    expect(factors.get(path)).toBe(1)
  for (const hit of await hitsFor(memory, 'router', { explain: true })) expect(hit.explain?.decay).toBeUndefined()
})

test('B14: nested, suffixed and back-slashed daily notes are dated; undated ones are not', async () => {
  const topics = ['copper', 'velvet', 'marble', 'walnut', 'indigo', 'saffron']
  const paths = [
    'memory/2026-02-14.md',
    'memory/archive/2026-02-14.md',
    'memory/2026-02-14-1830-standup.md',
    'memory\\archive\\2026-02-14.md',
    'memory/projects.md',
    'MEMORY.md',
  ]
  const { memory } = await openNotes(Object.fromEntries(paths.map((path, at) => [path, `router ${topics[at]}`])))
  const hits = await hitsFor(memory, 'router', { overrides: { temporalDecay: { enabled: true } }, explain: true })
  const factors = new Map(hits.map((hit) => [hit.path, factorOf(hit)]))
  for (const [at, path] of paths.entries()) expect(factors.get(path)).toBeCloseTo(at < 4 ? 0.5 : 1, 6)
})

test('a day of a heading dates the chunk under it, and explain says so', async () => {
  const { memory } = await openNotes({ 'log.md': `# Log\n\n## 2026-02-14\n\nrouter restarted\n` })
  const [hit] = await hitsFor(memory, 'router', { overrides: { temporalDecay: { enabled: true } }, explain: true })
  expect(hit?.explain?.decay).toMatchObject({ day: '2026-02-14', reason: 'heading', ageDays: 30 })
})

test('with MMR a second note of like words gives its place to one that adds something', async () => {
  const notes = {
    'a.md': 'router configured, VLAN 10 for IoT devices in the cellar cabinet',
    'b.md': 'router configured with VLAN 10 for all IoT devices, cellar cabinet',
    'c.md': 'reference of every router port and cable, drawn in spring',
    'd.md': 'the resolver of the house answers slowly since the router update',
  }
  const { memory } = await openNotes(notes)
  const query = 'router VLAN IoT devices configured'
  const plain = await pathsFor(memory, query)
  expect(plain.slice(0, 2).sort()).toEqual(['a.md', 'b.md'])
  const hits = await hitsFor(memory, query, { overrides: { mmr: { enabled: true, lambda: 0.3 } }, explain: true })
  expect(hits.map(({ path }) => path).indexOf(plain[1] ?? '')).toBeGreaterThan(1)
  expect(hits[0]?.path).toBe(plain[0])
  for (const { explain, score } of hits) {
    expect(explain?.mmr?.value).toBeCloseTo(0.3 * score - 0.7 * (explain?.mmr?.similarity ?? 0), 10)
  }
})

test('filters apply before the cut: one right note among hundreds of better ones is found', async () => {
  const crowd = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [
      `noise/${at}.md`,
      `comet comet ${String.fromCharCode(97 + (at % 26)).repeat(5)} n${at}`,
    ]),
  )
  const { memory } = await openNotes({
    ...crowd,
    'work/one.md': `comet ${'and many other words '.repeat(50)}`,
    'work/tagged.md': `---\ntags: [sky]\n---\ncomet ${'and a few other things '.repeat(50)}`,
    'memory/2026-03-10.md': `comet ${'seen from the roof '.repeat(50)}`,
  })
  const find = async (filter: object): Promise<string[]> => pathsFor(memory, 'comet', { filter })
  expect((await find({ paths: ['work/**'] })).sort()).toEqual(['work/one.md', 'work/tagged.md'])
  expect(await find({ tags: ['sky'] })).toEqual(['work/tagged.md'])
  expect(await find({ since: '2026-03-01', until: '2026-03-31' })).toEqual(['memory/2026-03-10.md'])
  expect(await find({ since: '2026-03-11' })).toEqual([])
  expect(await find({ excludePaths: ['noise/**', 'work/**'] })).toEqual(['memory/2026-03-10.md'])
  expect(await find({ asOf: '2026-03-09', excludePaths: ['noise/**'] })).not.toContain('memory/2026-03-10.md')
  expect(await find({ kinds: ['opinion'] })).toEqual([])
  expect(await find({ sources: ['sessions'] })).toEqual([])
})

test('attributes that a source gives can be filtered by: kind, entity, session, audience', async () => {
  const source = new NoteSource({ 'plain.md': 'comet walnut' })
  source.write('fact.md', 'comet velvet', {
    attributes: { kind: 'opinion', entities: ['Rana'], session: 's1', audience: 'family' },
  })
  const memory = await openMemory([source])
  for (const filter of [{ kinds: ['opinion'] }, { entities: ['rana'] }, { sessions: ['s1'] }, { audiences: ['family'] }])
    expect(await pathsFor(memory, 'comet', { filter })).toEqual(['fact.md'])
})

test('the numbers of an explanation add up', async () => {
  const { memory } = await openNotes({
    'a.md': '# Servers\n\nThe naïve load balancer of memorySearch.query.hybrid needs 2026-03-14 and C++.',
    'notes/会议.md': '# 会议\n\n东京的会议改到星期五, load balancer too',
    'archive/b.md': 'مكتبة load balancers and searches in the old cellar',
    'c.md': 'nothing of note but a load of wood',
  })
  for (const query of [
    'load balancer',
    'memorySearch.query.hybrid',
    '会议 load',
    'مكتبه balancer',
    'balanc*',
    'C++ 2026-03-14',
  ]) {
    const hits = await hitsFor(memory, query, { explain: true })
    expect(hits.length).toBeGreaterThan(0)
    for (const { explain, score } of hits) {
      const { bm25 = 0, score: keywords = 0, possible = 0, terms = [] } = explain?.keywords ?? {}
      expect(terms.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(bm25, 4)
      expect(explain?.fused).toBeCloseTo(keywordScore(keywords / possible), 10)
      expect(score).toBe(explain?.fused)
    }
    expect(hits.map(({ explain }) => explain?.keywords?.rank)).toEqual(hits.map((_, at) => at + 1))
  }
})

test('without explain a hit has no explanation', async () => {
  const { memory } = await openNotes({ 'a.md': 'comet' })
  expect((await hitsFor(memory, 'comet'))[0]).not.toHaveProperty('explain')
})

test.each([0, -1, 2.5, 101, Number.NaN, Number.POSITIVE_INFINITY])('a limit of %d is refused', async (limit) => {
  const { memory } = await openNotes({ 'a.md': 'comet' })
  await expect(search(memory, 'comet', { limit })).rejects.toMatchObject({ code: 'invalid-value' })
})

test('settings that cannot work are refused when the memory is made', async () => {
  await expect(openNotes({}, { minScore: 2 })).rejects.toMatchObject({ code: 'invalid-value' })
  await expect(openNotes({}, { mmr: { enabled: true, lambda: -1 } })).rejects.toMatchObject({ code: 'invalid-value' })
  await expect(openNotes({}, { maxResults: 0 })).rejects.toMatchObject({ code: 'invalid-value' })
  await expect(openNotes({}, { chunkTokens: 100, chunkOverlap: 100 })).rejects.toThrow(/overlap/)
})
