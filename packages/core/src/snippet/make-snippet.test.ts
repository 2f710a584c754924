import { ConfigError } from '@mnemark/spec'
import fc from 'fast-check'
import { assertGrowsLinearly } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { makeSnippet, type Snippet } from './make-snippet.ts'

function matchesOf(text: string, word: string, weight = 1): { start: number; end: number; weight: number }[] {
  return Array.from(text.matchAll(new RegExp(word, 'gu')), ({ index }) => ({ start: index, end: index + word.length, weight }))
}

function highlighted({ snippet, highlights }: Snippet): string[] {
  return highlights.map(([start, end]) => snippet.slice(start, end))
}

test('B88: the snippet holds the words and the line they stand on', () => {
  const lines = Array.from({ length: 60 }, (_, line) =>
    line === 49 ? 'Bella is the dog' : `line ${line + 1} of other things to be said`,
  )
  const text = lines.join('\n')
  const made = makeSnippet({ text, matches: matchesOf(text, 'Bella') })
  expect(made.snippet).toContain('Bella is the dog')
  expect(made.lineOffset).toBe(49)
  expect(highlighted(made)).toEqual(['Bella'])
  expect(text.slice(made.startOffset, made.endOffset)).toBe(made.snippet.replaceAll('…', ''))
})

test('whole lines are preferred to parts of lines', () => {
  const text = Array.from({ length: 200 }, (_, line) => `- item ${line} of the list`).join('\n')
  const { snippet } = makeSnippet({ text, matches: matchesOf(text, 'item 100 ') })
  const shown = snippet.slice(1, -1).split('\n')
  expect(shown.length).toBeGreaterThan(20)
  expect(shown.every((line) => text.split('\n').includes(line))).toBe(true)
})

test('in one long line the cuts fall between sentences or words', () => {
  const text =
    'The quick brown fox jumps over it. '.repeat(60) + 'Needle here. ' + 'Another sentence follows this one. '.repeat(60)
  const { snippet } = makeSnippet({ text, matches: matchesOf(text, 'Needle') })
  expect(snippet.startsWith('…The quick')).toBe(true)
  expect(snippet.endsWith('this one.…')).toBe(true)
})

test.each([
  ['Thai', 'ฉันชอบกินข้าวผัดกับเพื่อนที่ตลาด', 'เพื่อน'],
  ['Chinese', '我们决定把东京的会议改到星期五', '会议'],
  ['Arabic', 'اجتمع الفريق في المكتبة أمس ', 'المكتبة'],
])('a long %s line is cut inside the limit around its match', (_name, sentence, word) => {
  const text = sentence.repeat(80)
  const middle = text.indexOf(word, text.length / 2)
  const made = makeSnippet({ text, matches: [{ start: middle, end: middle + word.length, weight: 1 }] })
  expect(made.snippet.length).toBeLessThanOrEqual(700)
  expect(made.snippet.length).toBeGreaterThan(500)
  expect(highlighted(made)).toEqual([word])
})

test('the heaviest cluster of matches is shown, not the first match', () => {
  const text = `alpha ${'x '.repeat(2000)}alpha beta gamma ${'y '.repeat(2000)}`
  const matches = [...matchesOf(text, 'alpha'), ...matchesOf(text, 'beta', 3), ...matchesOf(text, 'gamma', 2)]
  const made = makeSnippet({ text, matches })
  expect(highlighted(made)).toEqual(['alpha', 'beta', 'gamma'])
  expect(text.slice(0, made.startOffset).length).toBeGreaterThan(3000)
})

test('a short text is shown as it is, without marks', () => {
  expect(makeSnippet({ text: '\n# Title\n\nBody 🌸\n', matches: [] })).toEqual({
    snippet: '# Title\n\nBody 🌸',
    highlights: [],
    startOffset: 1,
    endOffset: 17,
    lineOffset: 1,
    lineOffsets: [1, 2, 3],
  })
  expect(makeSnippet({ text: '', matches: [] }).snippet).toBe('')
  expect(makeSnippet({ text: ' \n ', matches: [{ start: 0, end: 1, weight: 1 }] })).toMatchObject({ snippet: '', highlights: [] })
})

test('B26: carriage returns are not shown and do not shift highlights or lines', () => {
  const text = 'first\r\nsecond ship it\r\nthird\rlast\r\n'
  const made = makeSnippet({ text, matches: [...matchesOf(text, 'ship'), ...matchesOf(text, 'last')] })
  expect(made.snippet).toBe('first\nsecond ship it\nthird last')
  expect(highlighted(made)).toEqual(['ship', 'last'])
  expect(made.lineOffset).toBe(1)
})

test('hidden ranges are left out with a mark, and matches inside them do not count', () => {
  const text = '---\ntitle: secret\n---\nThe plan <!-- secret --> is secret no more'
  const comment = text.indexOf('<!--')
  const made = makeSnippet({
    text,
    matches: matchesOf(text, 'secret'),
    hidden: [
      [0, 22],
      [comment, comment + 15],
    ],
  })
  expect(made.snippet).toBe('…The plan … is secret no more')
  expect(highlighted(made)).toEqual(['secret'])
  expect(made.lineOffset).toBe(3)
})

test('highlights are widened to whole graphemes and merged', () => {
  const text = 'cafe\u0301 au lait 👩‍💻 ok'
  const emoji = text.indexOf('👩')
  const made = makeSnippet({
    text,
    matches: [
      { start: 0, end: 4, weight: 1 },
      { start: 2, end: 4, weight: 5 },
      { start: emoji, end: emoji + 2, weight: 1 },
    ],
  })
  expect(highlighted(made)).toEqual(['cafe\u0301', '👩‍💻'])
})

test.each([0, 19, 20.5, Number.NaN])('refuses a size of %s', (maxCharacters) => {
  expect(() => makeSnippet({ text: 'x', matches: [], maxCharacters })).toThrow(ConfigError)
})

const pieces = fc.constantFrom(
  'word ',
  'längeres',
  '\n',
  '. ',
  '。',
  '会',
  '議',
  'ข้าว',
  '👩‍💻',
  '👨‍👩‍👧‍👦',
  '🇫🇷',
  '🇩🇪',
  'e\u0301',
  '각',
  '\u1112\u1161\u11ab',
  'क्षि',
  '👍🏽',
  '  ',
  'اَلْ',
  '\u0301',
)
const texts = fc.array(pieces, { maxLength: 400 }).map((parts) => parts.join(''))

test('any text: inside the limit, whole graphemes at both cuts and in every highlight, the best match shown', () => {
  const spots = fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.integer({ min: 0, max: 12 }),
      weight: fc.integer({ min: 0, max: 5 }),
    }),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(texts, spots, fc.integer({ min: 40, max: 200 }), (text, given, maxCharacters) => {
      const matches = given.map(({ at, length, weight }) => ({
        start: Math.floor(at * text.length),
        end: Math.floor(at * text.length) + length,
        weight,
      }))
      const made = makeSnippet({ text, matches, maxCharacters })
      const borders = new Set(Array.from(new Intl.Segmenter('und').segment(text), ({ index }) => index).concat(text.length))
      expect(made.snippet.length).toBeLessThanOrEqual(maxCharacters)
      expect(borders.has(made.startOffset)).toBe(true)
      expect(borders.has(made.endOffset)).toBe(true)
      expect(made.snippet.replace(/^…|…$/gu, '')).toBe(text.slice(made.startOffset, made.endOffset).replace(/^…|…$/gu, ''))
      const lead = made.snippet.startsWith('…') ? 1 : 0
      let previous = 0
      for (const [start, end] of made.highlights) {
        expect(start >= previous && end > start && end <= made.snippet.length).toBe(true)
        expect(borders.has(start - lead + made.startOffset) && borders.has(end - lead + made.startOffset)).toBe(true)
        previous = end
      }
    }),
    { numRuns: 500 },
  )
})

test('the heaviest match is always shown and highlighted', () => {
  fc.assert(
    fc.property(texts, texts, fc.integer({ min: 40, max: 200 }), (before, after, maxCharacters) => {
      const start = before.length
      const matches = [{ start, end: start + 6, weight: 9 }, ...matchesOf(before, 'word')]
      const made = makeSnippet({ text: `${before}NEEDLE${after}`, matches: matches.slice(0, 5), maxCharacters })
      expect(highlighted(made).some((part) => part.includes('NEEDLE'))).toBe(true)
    }),
  )
})

test.each([
  ['ASCII', 'lorem ipsum '],
  ['no spaces', 'x'],
  ['ideographs', '会議'],
  ['flags', '🇫🇷'],
  ['emoji', '👩‍💻'],
  ['marks', 'e\u0301'],
  ['carriage returns', 'a\r\n'],
])('a line of a megabyte is cut in linear time (%s)', (_name, piece) => {
  const cut = (length: number): { readonly text: string; readonly made: Snippet } => {
    const text = piece.repeat(Math.ceil(length / piece.length))
    const middle = Math.floor(text.length / piece.length / 2) * piece.length
    return { text, made: makeSnippet({ text, matches: [{ start: middle, end: middle + piece.length, weight: 1 }] }) }
  }
  assertGrowsLinearly(cut, 1_000_000)
  const { text, made } = cut(1_000_000)
  expect(made.snippet.length).toBeLessThanOrEqual(700)
  expect(made.snippet.length).toBeGreaterThan(400)
  expect(made.snippet.slice(1, -1)).toBe(text.replaceAll('\r', '').slice(...visibleRange(text, made)))
})

function visibleRange(text: string, { startOffset, endOffset }: Snippet): [number, number] {
  const shift = (offset: number): number => text.slice(0, offset).replaceAll('\r', '').length
  return [shift(startOffset), shift(endOffset)]
}

test.each([
  ['words', 'word '],
  ['lines', 'word\n'],
  ['headings', '# word\n\n'],
  ['rows of a table', '| word | x |\n'],
  ['fences', '```\nword\n'],
])('a megabyte of %s with a match on every word is cut in linear time', (_name, piece) => {
  const cut = (characters: number): Snippet => {
    const text = piece.repeat(characters / piece.length)
    return makeSnippet({ text, matches: matchesOf(text, 'word').map((match) => ({ ...match, word: 0 })) })
  }
  assertGrowsLinearly(cut, 250_000)
  const made = cut(1_000_000)
  expect(made.snippet.length).toBeLessThanOrEqual(700)
  expect(made.highlights.length).toBeGreaterThan(30)
})

const blocks = fc.constantFrom(
  '# word heading\n',
  'other words\n',
  '| word | b |\n| - | - |\n',
  '| word | 2 |\n',
  'Title\n===\n',
  '```\nword\n```\n',
  '\n',
  '- word\n',
  '<!-- word\nhidden -->\n',
  'x'.repeat(120),
)

test('Markdown of any form: inside the limit, its lines are the lines of the text, and nothing hidden is in it', () => {
  fc.assert(
    fc.property(fc.array(blocks, { maxLength: 60 }), fc.integer({ min: 60, max: 300 }), (parts, maxCharacters) => {
      const text = parts.join('')
      const hidden = Array.from(
        text.matchAll(/<!--[^]*?-->\n/gu),
        ({ index, 0: comment }) => [index, index + comment.length] as const,
      )
      const made = makeSnippet({
        text,
        matches: matchesOf(text, 'word').map((match) => ({ ...match, word: 1 })),
        maxCharacters,
        hidden,
      })
      expect(made.snippet.length).toBeLessThanOrEqual(maxCharacters)
      expect(made.snippet).not.toContain('hidden')
      const lines = text.split('\n')
      const shown = made.snippet === '' ? [] : made.snippet.split('\n')
      expect(made.lineOffsets.length).toBe(shown.filter((line) => line !== '…' || shown.length > 1).length)
      for (const [at, line] of shown.entries())
        for (const piece of line.split('…')) expect(lines[made.lineOffsets[at] ?? -1] ?? '').toContain(piece)
      // A word that the limit cuts ends with a mark.
      for (const [start, end] of made.highlights)
        expect(made.snippet.slice(start, end)).toBe(made.snippet[end] === '…' ? 'word'.slice(0, end - start) : 'word')
    }),
    { numRuns: 500, examples: [[['other words\n', 'x'.repeat(120), 'Title\n===\n', 'other words\n'], 151]] },
  )
})
