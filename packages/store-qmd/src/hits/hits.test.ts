import { describe, expect, test } from 'vitest'
import { openFake, OWNER, results } from '../__fixtures__/open-qmd.ts'
import { planCollections } from '../collections/qmd-collection.ts'
import { linesOf, placeOf } from './result-place.ts'

const NOTES = {
  'MEMORY.md': 'first\n\nThe router has VLAN 10.\nlast\n',
  'memory/a.md': 'one router\n',
  'memory/b.md': 'two routers\n',
}

describe('where a result is', () => {
  const collections = planCollections({ workspace: '/w', includeDefaultMemory: false, paths: [{ path: '/h', name: 'book' }] })
  const registered = [{ name: 'book', folder: '/h', pattern: '**/*.md', as: 'theirs' }]

  test.each([
    ['qmd://book/a b/ü?.md', 'qmd/book/a b/ü?.md'],
    ['qmd://theirs/x.md', 'qmd/book/x.md'],
    ['qmd://book/x.md?index=other', 'qmd/book/x.md'],
    ['book/x.md', 'qmd/book/x.md'],
  ])('%s', (file, shown) => expect(placeOf(file, collections, registered)?.shown).toBe(shown))

  test.each(['qmd://unknown/x.md', 'qmd://book/../../etc/passwd.md', 'qmd://book', 'x.md', ''])('%j is none of ours', (file) => {
    expect(placeOf(file, collections, registered)).toBeNull()
  })
})

test('the lines of a result: those of its patch header, else the line it names, else the beginning', () => {
  const result = { file: 'x', score: 1, line: 9, snippet: '@@ -5,4 @@ (4 before, 35 after)\na\n\nb\nc...' }
  expect(linesOf(result)).toEqual({ from: 5, lines: 4, text: ['a', '', 'b'] })
  expect(linesOf({ ...result, snippet: '1: @@ -5,4 @@ (4 before)\n2: a' })).toMatchObject({ from: 5, lines: 4 })
  expect(linesOf({ ...result, snippet: 'plain' })).toEqual({ from: 9, lines: 4, text: [] })
  expect(linesOf({ ...result, snippet: '', line: null })).toMatchObject({ from: 1 })
})

describe('hits', () => {
  test('text and lines come from the file, blank lines around left out, whatever the program shows', async () => {
    const fake = await openFake({ notes: NOTES })
    const snippet = '@@ -2,2 @@ (1 before, 1 after)\n\nThe router has V...'
    fake.plan({ search: { output: results({ file: 'qmd://memory-root/MEMORY.md', snippet }) } })
    expect(await fake.search('router')).toMatchObject({
      stale: false,
      hits: [{ startLine: 3, endLine: 3, snippet: 'The router has VLAN 10.\nSource: MEMORY.md#L3-L3' }],
    })
  })

  test('are in the order of their scores, one per place, as many as asked for', async () => {
    const fake = await openFake({ notes: NOTES })
    const [a, b] = ['qmd://memory-dir/a.md', 'qmd://memory-dir/b.md']
    fake.plan({
      search: {
        output: results({ file: a, score: 0.2, line: 1 }, { file: b, score: 0.9, line: 1 }, { file: b, score: 0.8, line: 1 }),
      },
    })
    expect((await fake.search('router')).hits.map(({ path, score }) => [path, score])).toEqual([
      ['memory/b.md', 0.9],
      ['memory/a.md', 0.2],
    ])
    expect((await fake.search('router', { limit: 1 })).hits).toHaveLength(1)
  })

  test('a file that is gone, or that may not be read, is no hit', async () => {
    const fake = await openFake({ notes: { ...NOTES, 'memory/drawing.excalidraw.md': 'router' } })
    const output = results(
      { file: 'qmd://memory-dir/gone.md', line: 1 },
      { file: 'qmd://memory-dir/drawing.excalidraw.md', line: 1 },
    )
    fake.plan({ search: { output } })
    expect(await fake.search('router')).toMatchObject({ hits: [], stale: true })
  })

  test('end with their source in direct chats, always, or never', async () => {
    const output = results({ file: 'qmd://memory-dir/a.md', line: 1 })
    const endings = async (citations: 'on' | 'off' | 'auto', chatType: 'direct' | 'group'): Promise<string | undefined> => {
      const fake = await openFake({ notes: NOTES, citations })
      fake.plan({ search: { output } })
      return (await fake.search('router', { caller: { agentId: 'main', chatType } })).hits[0]?.snippet.split('\n')[1]
    }
    expect(await endings('auto', 'direct')).toBe('Source: memory/a.md#L1-L1')
    expect(await endings('auto', 'group')).toBeUndefined()
    expect(await endings('on', 'group')).toBe('Source: memory/a.md#L1-L1')
    expect(await endings('off', 'direct')).toBeUndefined()
  })

  test('stay within the size of a snippet, its source included, and of all snippets together, which is said', async () => {
    const long = `router ${'x'.repeat(3_000)}\n`
    const notes = { 'memory/a.md': long, 'memory/b.md': long, 'memory/c.md': long }
    const output = results(...['a', 'b', 'c'].map((name) => ({ file: `qmd://memory-dir/${name}.md`, line: 1 })))
    const fake = await openFake({ notes, limits: { maxSnippetChars: 200, maxInjectedChars: 450 } })
    fake.plan({ search: { output } })
    const { hits, degraded } = await fake.search('router')
    expect(hits).toHaveLength(2)
    for (const { snippet } of hits) expect([snippet.length > 150, snippet.length <= 200]).toEqual([true, true])
    expect(degraded).toMatchObject([{ code: 'budget-reached', message: expect.stringContaining('1 of 3 hits') }])
  })

  test('what QMD knows nothing about finds nothing here, and is for another backend to answer', async () => {
    const fake = await openFake({ notes: NOTES })
    fake.plan({ search: { output: results({ file: 'qmd://memory-dir/a.md', line: 1 }) } })
    const query = { text: 'router', caller: OWNER, filter: { since: '2026-01-01', tags: ['home'] } }
    expect((await fake.qmd.search(query)).hits).toEqual([])
    expect(fake.calls('search')).toHaveLength(0)
    expect(fake.qmd.cannotAnswer(query)).toBe('QMD knows nothing about since, tags.')
    expect(fake.qmd.cannotAnswer({ text: 'router', caller: OWNER, filter: { paths: ['memory/**'] } })).toBeNull()
  })

  test('why a place is not among them is told as far as QMD tells', async () => {
    const fake = await openFake({ notes: NOTES })
    fake.plan({ search: { output: results({ file: 'qmd://memory-dir/a.md', line: 1 }) } })
    const reasonFor = async (path: string): Promise<string | undefined> =>
      (await fake.search('router', { why: { path } })).why?.reason
    expect(await reasonFor('memory/a.md')).toBe('returned')
    expect(await reasonFor('memory/b.md')).toBe('no-match')
    expect(await reasonFor('memory/none.md')).toBe('not-indexed')
  })

  test('a blank question starts no program', async () => {
    const fake = await openFake()
    for (const text of ['', '  ', '?!', '-excluded', '""']) expect((await fake.search(text)).hits).toEqual([])
    expect(fake.calls()).toEqual([])
  })

  test('limits and options out of range are refused by name', async () => {
    const fake = await openFake()
    for (const limit of [0, 101, 1.5, Number.NaN]) {
      await expect(fake.search('router', { limit })).rejects.toMatchObject({
        code: 'invalid-value',
        message: expect.stringContaining('limit'),
      })
    }
    await expect(openFake({ limits: { maxResults: 0 } })).rejects.toMatchObject({
      message: expect.stringContaining('limits.maxResults'),
    })
    await expect(openFake({ limits: { timeoutMs: -1 } })).rejects.toMatchObject({
      message: expect.stringContaining('limits.timeoutMs'),
    })
    await expect(openFake({ agentId: '../other' })).rejects.toMatchObject({ code: 'invalid-value' })
  })
})
