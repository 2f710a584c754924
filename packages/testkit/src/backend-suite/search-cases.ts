import assert from 'node:assert/strict'
import { ConfigError, type HitVersions, type MemoryBackend, type SearchQuery } from '@mnemark/spec'
import { type BackendCase, errorOf, OWNER, onlyHit, pathsFor, read, search } from './backend-context.ts'

const TWO = { 'MEMORY.md': '# Memory\n\nplain text\n\nThe zebra sleeps.\n', 'memory/other.md': 'nothing of the kind\n' }

export const searchCases: readonly BackendCase[] = [
  {
    id: 'M1',
    title: 'it has a name, and every reply and status names it',
    async run(context) {
      const { backend } = await context.openSynced(TWO)
      assert.equal(backend.specVersion, 'v1')
      assert.match(backend.name, /^\S+$/)
      assert.equal((await search(backend, 'zebra')).backend, backend.name)
      assert.equal((await backend.status()).backend, backend.name)
    },
  },
  {
    id: 'M2',
    title: 'a hit names path, lines and citation, and its snippet and marks are those of the note',
    async run(context) {
      const { backend } = await context.openSynced(TWO)
      const hit = await onlyHit(backend, 'zebra')
      assert.equal(hit.path, 'MEMORY.md')
      assert.equal(hit.source, 'memory')
      const lines = TWO['MEMORY.md'].split('\n').slice(hit.startLine - 1, hit.endLine)
      assert.ok(lines.includes('The zebra sleeps.'), 'the lines of the hit hold the word')
      assert.equal(hit.citation, `MEMORY.md#L${hit.startLine}-L${hit.endLine}`)
      assert.ok(hit.snippet.includes('The zebra sleeps.'))
      assert.ok(Number.isFinite(hit.score) && hit.score >= 0 && hit.score <= 1, `a score is from 0 to 1, not ${hit.score}`)
      const marked = hit.highlights.map(([start, end]) => hit.snippet.slice(start, end))
      assert.deepEqual(marked, ['zebra'])
    },
  },
  {
    id: 'M3',
    title: 'what was found can be read back, by path and lines and by citation',
    async run(context) {
      const { backend } = await context.openSynced(TWO)
      const hit = await onlyHit(backend, 'zebra')
      const byLines = await read(backend, hit.path, { from: hit.startLine, lines: hit.endLine - hit.startLine + 1 })
      assert.equal(byLines.status, 'ok')
      assert.ok(byLines.text.includes('The zebra sleeps.'))
      const byCitation = await read(backend, hit.citation)
      assert.deepEqual([byCitation.path, byCitation.startLine, byCitation.text], [hit.path, hit.startLine, byLines.text])
    },
  },
  {
    id: 'M4',
    title: 'hits come best first, never more than asked for, and fewer are the beginning of more',
    async run(context) {
      const notes = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((count) => [`memory/n${count}.md`, noteWith(count)]))
      const { backend } = await context.openSynced({ ...notes, 'memory/other.md': 'nothing\n' })
      const { hits } = await search(backend, 'zebra', { limit: 8 })
      assert.equal(hits.length, 8)
      const scores = hits.map(({ score }) => score)
      assert.deepEqual(
        scores,
        [...scores].sort((left, right) => right - left),
      )
      assert.equal(new Set(hits.map(({ citation }) => citation)).size, 8, 'no place twice')
      const few = await search(backend, 'zebra', { limit: 3 })
      assert.deepEqual(
        few.hits.map(({ path }) => path),
        hits.slice(0, 3).map(({ path }) => path),
      )
    },
  },
  {
    id: 'M5',
    title: 'a limit that is no whole number from 1 to 100 is refused as a setting',
    async run(context) {
      const { backend } = await context.openSynced(TWO)
      for (const limit of [0, 101, 1.5, Number.NaN]) {
        const error = await errorOf(search(backend, 'zebra', { limit }))
        assert.ok(ConfigError.isInstance(error) && error.code === 'invalid-value', `limit ${limit}: ${String(error)}`)
      }
      assert.equal((await search(backend, 'zebra', { limit: 100 })).hits.length, 1)
    },
  },
  {
    id: 'M6',
    title: 'nothing found, and nothing asked, are empty answers and no failures',
    async run(context) {
      const { backend } = await context.openSynced(TWO)
      for (const text of ['xylophone', '', '   ', '?!']) {
        const { hits, degraded, mode } = await search(backend, text)
        assert.deepEqual([hits, degraded], [[], []], JSON.stringify(text))
        assert.notEqual(mode, 'unavailable')
      }
    },
  },
  {
    id: 'M7',
    title: 'filters by source and by path choose before the best are taken',
    async run(context) {
      const many = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((count) => [`memory/a/n${count}.md`, 'zebra zebra\n']))
      const { backend } = await context.openSynced({ ...many, 'memory/b/one.md': 'a zebra among other words\n' })
      const found = (filter: object): Promise<string[]> => pathsFor(backend, 'zebra', { filter, limit: 1 })
      assert.deepEqual(await found({ paths: ['memory/b/**'] }), ['memory/b/one.md'])
      assert.deepEqual(await found({ excludePaths: ['memory/a/**'] }), ['memory/b/one.md'])
      assert.equal((await found({ sources: ['memory'] })).length, 1)
      assert.deepEqual(await found({ sources: ['elsewhere'] }), [])
    },
  },
  {
    id: 'M8',
    title: 'a question is text, whatever signs it is made of',
    async run(context) {
      const { backend } = await context.openSynced(TWO)
      const signs = ['"', "'; --", 'NEAR(zebra, 2) OR (', '--help', '$(id) & del %PATH%', '\u0000', '\ud800', 'x'.repeat(9_999)]
      for (const text of signs)
        assert.equal((await search(backend, text)).backend, backend.name, JSON.stringify(text.slice(0, 20)))
      assert.deepEqual(await pathsFor(backend, ' zebra\n\n'), ['MEMORY.md'])
    },
  },
  {
    id: 'M9',
    title: 'notes with names of any script, and with blanks, are found and read by their names',
    async run(context) {
      const names = ['memory/东京 出差.md', 'memory/a & b (old).md', 'memory/مذكرة.md', 'memory/deep/er/Über.md']
      const { backend } = await context.openSynced(
        Object.fromEntries(names.map((name, index) => [name, `zebra ${'yxwv'[index]}\n`])),
      )
      assert.deepEqual(await pathsFor(backend, 'zebra', { limit: 10 }), [...names].sort())
      for (const name of names) assert.match((await read(backend, name)).text, /^zebra [v-y]/)
    },
  },
  {
    id: 'M10',
    title: 'a snippet ends with its source in a direct chat, and not in a group',
    async run(context) {
      const { backend } = await context.openSynced(TWO)
      const direct = await onlyHit(backend, 'zebra', { caller: OWNER })
      assert.ok(direct.snippet.endsWith(`Source: ${direct.citation}`))
      const group = await onlyHit(backend, 'zebra', { caller: { agentId: 'main', chatType: 'group' } })
      assert.ok(!group.snippet.includes('Source:'))
      assert.equal(group.citation, direct.citation)
    },
  },
  {
    id: 'M11',
    title: 'a snippet has at most 700 characters, and cuts none in two',
    async run(context) {
      const family = '👨‍👩‍👧‍👦'
      const { backend } = await context.openSynced({ 'MEMORY.md': `${family.repeat(300)} zebra ${family.repeat(300)}\n` })
      const { snippet } = await onlyHit(backend, 'zebra')
      assert.ok(snippet.length <= 700, `${snippet.length} characters`)
      assert.ok(snippet.includes('zebra'), 'it is the part that answers')
      const rest = snippet
        .replace(/\nSource: .*$/, '')
        .replaceAll(family, '')
        .replaceAll(/[…\s]/g, '')
      assert.equal(rest, 'zebra')
    },
  },
  {
    id: 'M12',
    title: 'searches at once answer as searches one after another',
    async run(context) {
      const words = ['amber', 'birch', 'cedar']
      const { backend } = await context.openSynced(Object.fromEntries(words.map((word) => [`memory/${word}.md`, `${word}\n`])))
      const found = await Promise.all(words.map((word) => pathsFor(backend, word)))
      assert.deepEqual(
        found,
        words.map((word) => [`memory/${word}.md`]),
      )
    },
  },
  {
    id: 'M21',
    title: 'texts that differ in a value or a name are never said to be the same, and each is shown',
    async run(context) {
      const pairs = [
        ['rent is 900 euro', 'rent is 1050 euro', '900', '1050'],
        ['rent was approved by Dana', 'rent was approved by Dane', 'Dana', 'Dane'],
      ] as const
      for (const [old, recent, ...differing] of pairs) {
        const { backend } = await context.openSynced({
          'memory/2025-01-01.md': `${old}\n`,
          'memory/2025-06-01.md': `${recent}\n`,
        })
        const { hits } = await search(backend, 'rent')
        for (const { repeats } of hits) assert.equal(repeats, undefined, `${old} and ${recent} are two texts`)
        const shown = hits.flatMap(({ snippet, versions }) => [
          snippet,
          ...(versions?.items ?? []).flatMap(({ differs }) => differs),
        ])
        for (const piece of differing) assert.ok(shown.join('\n').includes(piece), `${piece} is shown`)
        for (const { versions } of hits) if (versions) await checkVersions(backend, versions)
      }
    },
  },
  {
    id: 'M22',
    title: 'null, blank texts and empty lists in a query count as left out, beside others too',
    async run(context) {
      const { backend } = await context.openSynced(TWO)
      const lists = {
        sources: [],
        paths: [''],
        excludePaths: [],
        kinds: [],
        entities: [''],
        tags: [],
        sessions: [],
        audiences: [],
      }
      const blank = {
        limit: null,
        filter: { ...lists, since: '', until: null, asOf: ' ' },
        overrides: {},
        why: null,
        explain: null,
      }
      // Safe: models and programs in other languages send it, whatever the types say.
      assert.deepEqual(await pathsFor(backend, 'zebra', blank as unknown as Partial<SearchQuery>), ['MEMORY.md'])
      assert.deepEqual(await pathsFor(backend, 'zebra', { filter: { paths: ['', 'memory/**'] } }), [])
      const none = { filter: null } as unknown as Partial<SearchQuery>
      assert.deepEqual(await pathsFor(backend, 'zebra', none), ['MEMORY.md'])
    },
  },
  {
    id: 'M23',
    title: 'a hit names the line of its best match, the line of each line it shows, and how much of the question it holds',
    async run(context) {
      const rows = ['---', 'title: Animals', '---', '# Memory', '', 'plain text', '', 'The zebra sleeps.', 'And more.']
      const { backend } = await context.openSynced({ 'MEMORY.md': rows.join('\r\n') })
      const hit = await onlyHit(backend, 'zebra', { caller: OWNER })
      assert.equal(hit.line, 8)
      assert.ok(hit.startLine <= hit.line && hit.line <= hit.endLine, 'the line is one of the hit')
      const shown = hit.snippet.split('\n').filter((row) => row !== `Source: ${hit.citation}`)
      assert.equal(hit.snippetLines.length, shown.length, 'each line shown has its number')
      for (const [at, row] of shown.entries()) {
        const inFile = rows[(hit.snippetLines[at] ?? 0) - 1] ?? ''
        assert.ok(inFile.includes(row.replaceAll('…', '').trim()), `line ${hit.snippetLines[at]} holds ${JSON.stringify(row)}`)
      }
      assert.equal(hit.share, 1, 'it holds every word of the question')
    },
  },
]

async function checkVersions(backend: MemoryBackend, { items, total }: HitVersions): Promise<void> {
  assert.ok(items.length <= 10 && items.length <= total, `${items.length} of ${total} versions are listed, ten at most`)
  const days = items.map(({ day }) => day ?? '')
  assert.deepEqual(days, [...days].sort().reverse(), 'versions come newest first, those without a day last')
  for (const { citation, differs } of items) {
    assert.ok(differs.length <= 5 && differs.every(({ length }) => length <= 80), 'five pieces of 80 characters at most')
    const { status, text } = await read(backend, citation)
    assert.equal(status, 'ok', `${citation} can be read`)
    for (const piece of differs) assert.ok(text.includes(piece), `${citation} holds ${piece}`)
  }
}

/** A note with the word diluted by `count`, so that notes differ in score. */
function noteWith(count: number): string {
  return `zebra\n${'filling words of no interest\n'.repeat(count * 3)}`
}
