import type { SearchHit } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { formatHit } from './format-hit.ts'
import { isolate, printable } from './isolate.ts'
import { createPaint } from './paint.ts'

const plain = createPaint(false)
const marked = { bold: (text: string) => text, dim: (text: string) => text, highlight: (text: string) => `[${text}]` }

function hit(members: Partial<SearchHit>): SearchHit {
  return {
    source: 'memory',
    path: 'memory/a.md',
    startLine: 1,
    endLine: 2,
    score: 0.5,
    snippet: '',
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
  const text = formatHit(hit({ citation: 'memory/ملاحظات.md#L1-L2', snippet, highlights }), 1, plain)
  expect(text.split('\n')).toEqual([
    '1. \u2068memory/ملاحظات.md#L1-L2\u2069  0.50  \u2068إطلاق\u2069',
    '   \u2068تم الإطلاق اليوم\u2069',
    '   plain line',
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
      1,
      marked,
    ),
  ).toContain('   one [two]\n   [three] four')
  expect(formatHit(hit({ snippet, highlights: [[4, 13]] }), 1, marked)).toContain('   one [two]\n   [three] four')
})

test('the lines that match are shown, under the heading above them that is no comment of a code block', () => {
  const snippet = '# Network\n\nfirst\n```sh\n# not a heading\n```\nvlan ten\nlast'
  const at = snippet.indexOf('vlan')
  expect(formatHit(hit({ snippet, highlights: [[at, at + 4]] }), 2, plain)).toBe(
    '2. memory/a.md#L1-L2  0.50  Network\n   vlan ten',
  )
  expect(
    formatHit(hit({ snippet: 'a\n\nb\nc\nd\ne' }), 1, plain)
      .split('\n')
      .slice(1),
  ).toEqual(['   a', '   b', '   c', '   d'])
})

test('the source line is not said twice', () => {
  const text = formatHit(hit({ snippet: 'words\n\nSource: memory/a.md#L1-L2' }), 1, plain)
  expect(text).toBe('1. memory/a.md#L1-L2  0.50\n   words')
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
  const linesOf = (members: Partial<SearchHit>) => formatHit(hit(members), 1, plain).split('\n').slice(-4)
  expect(linesOf({ versions: { items, total: 12, isComplete: true } })).toEqual([
    '   same wording, other values, 12 in all:',
    '      5, 6 euro  2026-03-14  a.md#L1-L1',
    '      7, 8 euro  undated  b.md#L2-L2',
    '      and 10 more',
  ])
  const near = formatHit(hit({ versions: { items, total: 2, isComplete: false } }), 1, plain)
  expect(near).toContain('nearly the same wording, other values, 2 among the notes compared:')
})

test('an explanation has a line for each stage that had a say', () => {
  const explain = {
    keywords: { rank: 2, bm25: 3.25, score: 0.8, terms: [{ term: 'vlan', stream: 'exact', part: 3.25 }] },
    path: { rank: 1, match: 'stem' as const },
    fused: 0.8,
    decay: { day: '2026-03-14', reason: 'name', ageDays: 30, factor: 0.5 },
    mmr: { similarity: 0.1, value: 0.53 },
    version: { of: 'a.md#L1-L1', score: 0.4 },
  }
  const lines = formatHit(hit({ explain }), 1, plain).split('\n').slice(1)
  expect(lines.map((line) => line.trim().split(/ +/)[0])).toEqual([
    'keywords',
    'path',
    'together',
    'decay',
    'version',
    'diversity',
  ])
  expect(lines[0]).toContain('rank 2, BM25 3.25 = vlan exact 3.25')
  expect(lines[3]).toContain('× 0.500  dated 2026-03-14 by name, 30 days old')
})
