import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDocument } from '../document/parse-document.ts'
import { estimateTokens } from '../text/estimate-tokens.ts'
import { outlineOf } from '../document/markdown/outline.ts'
import { chunkDocument } from './chunk-document.ts'
import { indexedText } from './context.ts'

const words = fc.constantFrom(
  'word',
  'memorySearch.query.hybrid',
  'قَرَّرَ',
  'الاجتماع',
  '会议改到星期五。',
  'しりとり、',
  '데이터베이스를',
  'ประชุมถูกเลื่อน',
  'हिन्दी',
  '👩‍💻',
  '🇩🇪🇫🇷',
  'e\u0301\u0323',
  '𠮷野家',
  '`code`',
  '<!-- x',
  '-->',
  'end.',
  '：──',
  '2026-02-14',
  'x'.repeat(300),
  // A run of data, and a comment.
  `![](data:image/png;base64,${'aB3dE5gH7+'.repeat(40)})`,
  '7fA2bC4dE6'.repeat(30),
  '%%',
)
const line = fc.array(words, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(' '))
const unspaced = fc.array(words, { minLength: 1, maxLength: 40 }).map((parts) => parts.join(''))
const block = fc.oneof(
  line,
  unspaced,
  line.map((text) => `# ${text}`),
  line.map((text) => `### ${text} ##`),
  line.map((text) => `${text}\n---`),
  fc.array(line, { maxLength: 6 }).map((lines) => `\`\`\`js\n# ${lines.join('\n')}\n\`\`\``),
  fc.array(line, { maxLength: 4 }).map((lines) => `- ~~~\n  ${lines.join('\n  ')}\n  ~~~`),
  fc
    .array(line, { maxLength: 6 })
    .map((lines) => lines.map((text, index) => `${' '.repeat((index % 4) * 2)}- ${text}`).join('\n')),
  fc.array(line, { maxLength: 6 }).map((lines) => `| a | b |\n|---|---|\n${lines.map((text) => `| ${text} | y |`).join('\n')}`),
  fc.constantFrom(
    '',
    ' \t',
    '---',
    '```',
    '>',
    '<relevant-memories>',
    '</relevant-memories>',
    '## Retain',
    ':LOGBOOK:',
    ':END:',
    '===',
    '2026-02-14\n===',
  ),
)
const note = fc
  .tuple(fc.array(block, { maxLength: 40 }), fc.constantFrom('\n', '\n\n', '\r\n'))
  .map(([blocks, gap]) => blocks.join(gap))
const settings = fc.oneof(
  fc
    .integer({ min: 1, max: 60 })
    .chain((tokens) => fc.record({ tokens: fc.constant(tokens), overlap: fc.integer({ min: 0, max: tokens - 1 }) })),
  fc.constant({ tokens: 400, overlap: 80 }),
)
const path = fc.constantFrom('note.md', 'MEMORY.md', 'memory/2026-02-14.md')

const chunk = (text: string, given: { tokens: number; overlap: number }, at: string) =>
  chunkDocument(parseDocument({ source: 'memory', path: at }, { text }), { text }, given)

describe('chunks of any note', () => {
  test('are exact parts of it, in order, within the budget, on whole lines, with nothing lost and nothing changed on repetition', () => {
    fc.assert(
      fc.property(note, settings, path, (text, given, at) => {
        const chunks = chunk(text, given, at)
        expect(chunk(text, given, at)).toEqual(chunks)
        const isStub = chunks[0]?.isStub === true
        expect(chunks.length === 1 || !isStub).toBe(true)
        let covered = 0
        let last = -1
        for (const part of chunks) {
          const end = part.startOffset + part.text.length
          expect(text.slice(part.startOffset, end)).toBe(part.text)
          expect(estimateTokens(withoutRuns(text, part))).toBeLessThanOrEqual(given.tokens)
          expect(part.text.isWellFormed()).toBe(true)
          expect(text.slice(covered, Math.max(covered, part.startOffset)).trim()).toBe('')
          expect(end).toBeGreaterThan(last)
          expect(part.startLine).toBe(lineAt(text, part.startOffset))
          expect(part.endLine).toBe(lineAt(text, Math.max(part.startOffset, end - 1)))
          expect(isLineStart(text, part.startOffset) || tokensOfLine(text, part.startOffset) > given.tokens).toBe(true)
          expectRanges(part)
          covered = Math.max(covered, end)
          last = end
        }
        // A stub shows the part that fits of a text without anything to find.
        expect(isStub ? '' : text.slice(covered).trim()).toBe('')
      }),
      { numRuns: 400, seed: 20_260_214 },
    )
  })

  test('graphemes stay whole where they fit', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    fc.assert(
      fc.property(unspaced, fc.integer({ min: 12, max: 40 }), (text, tokens) => {
        const borders = new Set([...segmenter.segment(text)].map(({ index }) => index))
        for (const { startOffset } of chunk(text, { tokens, overlap: 3 }, 'note.md')) expect(borders.has(startOffset)).toBe(true)
      }),
      { numRuns: 300, seed: 20_260_215 },
    )
  })
})

/** The part's text without the runs of data in it. */
function withoutRuns(text: string, { startOffset, text: part }: { readonly startOffset: number; readonly text: string }): string {
  const { data } = outlineOf(text)
  const end = startOffset + part.length
  const inside = data.filter((run) => run.start < end && run.end > startOffset)
  const clipped = inside.map((run) => [Math.max(0, run.start - startOffset), Math.min(end, run.end) - startOffset] as const)
  return indexedText(part, clipped)
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function isLineStart(text: string, offset: number): boolean {
  return offset === 0 || text.charAt(offset - 1) === '\n'
}

function tokensOfLine(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset)
  return estimateTokens(text.slice(text.lastIndexOf('\n', offset - 1) + 1, newline === -1 ? text.length : newline))
}

function expectRanges(part: { readonly text: string; readonly unindexed: readonly (readonly [number, number])[] }): void {
  let until = 0
  for (const [start, end] of part.unindexed) {
    expect(start).toBeGreaterThanOrEqual(until)
    expect(end).toBeGreaterThan(start)
    until = end
  }
  expect(until).toBeLessThanOrEqual(part.text.length)
}
