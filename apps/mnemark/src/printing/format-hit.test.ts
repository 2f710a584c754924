import type { SearchHit } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { formatHit } from './format-hit.ts'
import { isolate, printable } from '../terminal/isolate.ts'
import { createPaint } from '../terminal/paint.ts'

const plain = createPaint(false)
const marked = { bold: (text: string) => text, dim: (text: string) => text, highlight: (text: string) => `[${text}]` }

function hit(members: Partial<SearchHit>): SearchHit {
  return {
    source: 'memory',
    path: 'memory/a.md',
    startLine: 1,
    endLine: 2,
    line: 1,
    score: 0.5,
    share: 0.6,
    snippet: '',
    snippetLines: Array.from({ length: 20 }, (_, at) => at + 1),
    highlights: [],
    citation: 'memory/a.md#L1-L2',
    ...members,
  }
}

test('right-to-left paths and lines are isolated, each by itself, and others are left alone', () => {
  const snippet = '# إطلاق\nتم الإطلاق اليوم\nplain line'
  const highlights = [
    [11, 18],
    [25, 30],
  ] as const
  const text = formatHit(hit({ path: 'memory/ملاحظات.md', snippet, highlights, line: 2 }), plain)
  expect(text.split('\n')).toEqual([
    '\u2068memory/ملاحظات.md:2\u2069  0.50  60 % of the words  lines 1-2  \u2068إطلاق\u2069',
    '   2: \u2068تم الإطلاق اليوم\u2069',
    '   3: plain line',
  ])
})

test('what matched is set off on the right line, also where a range crosses lines', () => {
  const snippet = 'one two\nthree four'
  expect(
    formatHit(
      hit({
        snippet,
        highlights: [
          [4, 7],
          [8, 13],
        ],
      }),

      marked,
    ),
  ).toContain('   1: one [two]\n   2: [three] four')
  expect(formatHit(hit({ snippet, highlights: [[4, 13]] }), marked)).toContain('   1: one [two]\n   2: [three] four')
})

test('the lines that match are shown, under the heading above them that is no comment of a code block', () => {
  const snippet = '# Network\n\nfirst\n```sh\n# not a heading\n```\nvlan ten\nlast'
  const at = snippet.indexOf('vlan')
  expect(formatHit(hit({ snippet, highlights: [[at, at + 4]], line: 7, share: 1 }), plain)).toBe(
    'memory/a.md:7  0.50  all words  lines 1-2  Network\n   7: vlan ten\n   8- last',
  )
  expect(
    formatHit(hit({ snippet: 'a\n\nb\nc\nd\ne' }), plain)
      .split('\n')
      .slice(1),
  ).toEqual(['   1- a', '   3- b', '   4- c', '   5- d'])
})

test('P14: line numbers stand in a right-aligned gutter, as rg sets them: a colon for a match, a hyphen beside one', () => {
  const snippet = 'vlan six\nwithout\nvlan ten'
  const highlights = [
    [0, 4],
    [17, 21],
  ] as const
  const text = formatHit(hit({ snippet, highlights, line: 8, snippetLines: [8, 9, 110], startLine: 1, endLine: 200 }), plain)
  expect(text.split('\n').slice(1)).toEqual(['     8: vlan six', '     9- without', '   110: vlan ten'])
})

test('P11: of many lines that match the best is shown, with what stands under it', () => {
  const bullets = Array.from({ length: 12 }, (_, at) => `- printer ${at}`)
  const lines = [...bullets, '', '### Printer warranty number', '', 'PW-4471', '', '## Other']
  const snippet = lines.join('\n')
  const found = [...snippet.matchAll(/printer|warranty|number/gi)].map(
    ({ index, 0: word }) => [index, index + word.length] as const,
  )
  const text = formatHit(hit({ snippet, highlights: found, line: 14, startLine: 1, endLine: 18 }), plain)
  expect(text.split('\n').slice(1)).toEqual([
    '   11: - printer 10',
    '   12: - printer 11',
    '   14: ### Printer warranty number',
    '   16- PW-4471',
  ])
})

test('a row of a table stands under its column names', () => {
  const rows = ['| device | serial |', '…| lamp | S-1 |', '| printer | PW-4471 |', '| fan | F-1 |']
  const snippet = rows.join('\n')
  const at = snippet.indexOf('printer')
  const made = hit({ snippet, highlights: [[at, at + 7]], line: 33, snippetLines: [1, 32, 33, 34], endLine: 40 })
  expect(formatHit(made, plain).split('\n').slice(1)).toEqual([
    '    1- | device | serial |',
    '   33: | printer | PW-4471 |',
    '   34- | fan | F-1 |',
  ])
})

test('the source line is not said twice', () => {
  const text = formatHit(hit({ snippet: 'words\n\nSource: memory/a.md#L1-L2', share: 0 }), plain)
  expect(text).toBe('memory/a.md:1  0.50  0 % of the words  lines 1-2\n   1- words')
})

test('text from a file cannot drive the terminal or leave its isolate', () => {
  const text = '\u001b[31mred\u0007 \u202Eevil\u2069 \u0085'
  expect(printable(text)).toBe('\uFFFD[31mred\uFFFD \u200Bevil\u200B \uFFFD')
  expect(printable(text)).toHaveLength(text.length)
  expect(printable('a\tb\nc')).toBe('a\tb\nc')
  expect(isolate('עברית')).toBe('\u2068עברית\u2069')
})

test('versions are listed with what differs, day and place, and near copies are not called complete', () => {
  const items = [
    { citation: 'a.md#L1-L1', day: '2026-03-14', differs: ['5', '6 euro'] },
    { citation: 'b.md#L2-L2', differs: ['7', '8 euro'] },
  ]
  const linesOf = (members: Partial<SearchHit>) => formatHit(hit(members), plain).split('\n').slice(-4)
  expect(linesOf({ versions: { items, total: 12, isComplete: true } })).toEqual([
    '   same wording, other values, 12 in all:',
    '      5, 6 euro  2026-03-14  a.md#L1-L1',
    '      7, 8 euro  undated  b.md#L2-L2',
    '      and 10 more',
  ])
  const near = formatHit(hit({ versions: { items, total: 2, isComplete: false } }), plain)
  expect(near).toContain('nearly the same wording, other values, 2 among the notes compared:')
})

test('an explanation has a line for each stage that had a say', () => {
  const explain = {
    keywords: { rank: 2, bm25: 3.25, score: 0.8, possible: 1, terms: [{ term: 'vlan', stream: 'exact', part: 3.25 }] },
    path: { rank: 1, match: 'stem' as const },
    name: { match: 'alias' as const },
    heldBack: 'template' as const,
    fused: 0.8,
    decay: { day: '2026-03-14', reason: 'name', ageDays: 30, factor: 0.5 },
    mmr: { similarity: 0.1, value: 0.53 },
    version: { of: 'a.md#L1-L1', score: 0.4 },
  }
  const lines = formatHit(hit({ explain }), plain).split('\n').slice(1)
  expect(lines.map((line) => line.trim().split(/ +/)[0])).toEqual([
    'keywords',
    'path',
    'name',
    'held',
    'together',
    'decay',
    'version',
    'diversity',
  ])
  expect(lines[0]).toContain('rank 2, BM25 3.25 = vlan exact 3.25')
  expect(lines[2]).toContain('an alias of the note')
  expect(lines[5]).toContain('× 0.500  dated 2026-03-14 by name, 30 days old')
})
