import type { DocumentContent } from '@mnemark/spec'
import { describe, expect, test } from 'vitest'
import { parseDocument } from '../document/parse-document.ts'
import { estimateTokens } from '../text/estimate-tokens.ts'
import { type ChunkOptions, chunkDocument } from './chunk-document.ts'
import { indexedText } from './context.ts'

const chunk = (text: string, options: ChunkOptions & { path?: string } & Omit<DocumentContent, 'text'> = {}) => {
  const { path = 'note.md', tokens, overlap, countTokens, ...rest } = options
  const content = { text, ...rest }
  const settings = {
    ...(tokens !== undefined && { tokens }),
    ...(overlap !== undefined && { overlap }),
    ...(countTokens && { countTokens }),
  }
  return chunkDocument(parseDocument({ source: 'memory', path }, content), content, settings)
}
const textsOf = (chunks: readonly { readonly text: string }[]) => chunks.map(({ text }) => text)
const filler = (words: number) => 'word '.repeat(words).trim()

describe('sizes', () => {
  test('B17: a cut never goes through an emoji', () => {
    for (let tokens = 1; tokens <= 50; tokens++) {
      for (const text of [`${'a'.repeat(39)}🌸`, '🌸'.repeat(2_000)]) {
        const chunks = chunk(text, { tokens, overlap: Math.floor(tokens / 4) })
        expect(chunks.every((part) => part.text.isWellFormed() && estimateTokens(part.text) <= tokens)).toBe(true)
        expect(covered(text, chunks)).toBe(text.length)
      }
    }
  })

  test('B19: overlap counts inside the budget', () => {
    for (const line of ['x'.repeat(3_000), 'word '.repeat(600), 'A sentence here. '.repeat(180)]) {
      const chunks = chunk(`before\n${line}\nafter`, { tokens: 400, overlap: 80 })
      expect(chunks.length).toBeGreaterThan(1)
      for (const { text } of chunks) expect(estimateTokens(text)).toBeLessThanOrEqual(400)
    }
  })

  test.each([
    { tokens: 100, overlap: 99 },
    { tokens: 100, overlap: 0 },
    { tokens: 2, overlap: 1 },
  ])('B21: every accepted setting ends with a bounded number of chunks: %j', (settings) => {
    const text = `${'x'.repeat(60)}\n${'y'.repeat(5_000)}`
    const chunks = chunk(text, settings)
    expect(chunks.length).toBeLessThanOrEqual((4 * estimateTokens(text)) / settings.tokens + 2)
  })

  test('B21: bad settings are refused', () => {
    expect(() => chunk('x', { tokens: 100, overlap: 100 })).toThrow(/chunking\.overlap must be smaller than chunking\.tokens/)
  })

  test.each(['：', '─', '👩‍💻', '会'])('B22: chunks of %s hold no more code points than tokens', (part) => {
    for (const { text } of chunk(part.repeat(600), { tokens: 128, overlap: 20 }))
      expect([...text].length).toBeLessThanOrEqual(128)
  })

  test('a line over the budget keeps its number', () => {
    const chunks = chunk(`first\n${'A fine sentence about pottery. '.repeat(1_600)}\nlast`)
    expect(chunks.length).toBeGreaterThan(20)
    expect(chunks.slice(1, -1).every(({ startLine, endLine }) => startLine === 2 && endLine === 2)).toBe(true)
    expect(chunks.at(-1)?.endLine).toBe(3)
  })

  test('near 400 tokens a chunk, whatever the length of sections', () => {
    const text = Array.from({ length: 200 }, (_, index) => `## Part ${index}\n\n${filler(20 + ((index * 37) % 60))}\n`).join('\n')
    const sizes = chunk(text).map((part) => estimateTokens(part.text))
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeGreaterThan(260)
  })

  test('a tokenizer of the caller is used and its budget kept', () => {
    const countTokens = (text: string) => [...text].length
    const text = `${'short line\n'.repeat(40)}\n${'longer than the budget '.repeat(30)}\n🌸🌸🌸`
    const chunks = chunk(text, { tokens: 50, overlap: 12, countTokens })
    expect(chunks.every((part) => countTokens(part.text) <= 50)).toBe(true)
    expect(covered(text, chunks)).toBe(text.replace(/\s/g, '').length)
    expect(() => chunk('x', { countTokens: () => Number.NaN })).toThrow(RangeError)
  })
})

/** Characters that are not blank and in some chunk. */
function covered(text: string, chunks: readonly { readonly startOffset: number; readonly text: string }[]): number {
  let count = 0
  let until = 0
  for (const { startOffset, text: part } of chunks) {
    count += text.slice(Math.max(until, startOffset), startOffset + part.length).replace(/\s/g, '').length
    until = Math.max(until, startOffset + part.length)
  }
  return count
}

describe('borders', () => {
  test('B24: code stays with its section, headings begin chunks', () => {
    const code = '```python\n# a comment\nx = 1\n```'
    const chunks = chunk(`# Real Title\n\n${code}\n${filler(50)}\n# Next\n\n${filler(50)}`, { tokens: 90, overlap: 0 })
    expect(chunks.map(({ headingTrail, startLine }) => [headingTrail, startLine])).toEqual([
      [['Real Title'], 1],
      [['Next'], 8],
    ])
    expect(chunks[0]?.text).toContain(code)
  })

  test('a fence or table that fits is whole, with no overlap into its middle', () => {
    for (const block of [`\`\`\`\n${'let a = 1\n'.repeat(20)}\`\`\``, `| a | b |\n|---|---|\n${'| x | y |\n'.repeat(20)}`]) {
      const text = `${filler(60)}\n\n${filler(40)}\n\n${block}\n\n${filler(80)}`
      const chunks = chunk(text, { tokens: 150, overlap: 60 })
      const touching = textsOf(chunks).filter((part) => /[`|]/.test(part))
      expect(touching.length).toBeGreaterThan(0)
      for (const part of touching) expect(part).toContain(block.trimEnd())
    }
  })

  test('a heading is never left alone at the end of a chunk', () => {
    const text = Array.from({ length: 40 }, (_, index) => `## Part ${index}\n\n${filler(15 + (index % 9) * 5)}`).join('\n\n')
    for (const part of textsOf(chunk(text, { tokens: 120, overlap: 0 }))) expect(part).not.toMatch(/(?:^|\n)#[^\n]*$/)
  })

  test('overlap repeats whole lines, but not across a heading of level 1 or 2', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `- item ${index} ${filler(8)}`)
    const [first, second] = chunk(lines.join('\n'), { tokens: 100, overlap: 30 })
    expect(second?.startLine).toBeLessThanOrEqual(first?.endLine ?? 0)
    expect(lines).toContain(second?.text.split('\n')[0])
    const cut = chunk(`${lines.slice(0, 6).join('\n')}\n## New\n${lines.slice(6, 12).join('\n')}`, { tokens: 100, overlap: 30 })
    expect(cut[1]?.text).toMatch(/^## New/)
  })
})

describe('curated notes', () => {
  const text =
    '# Memory\n\n## Tools\n\n- Uses pnpm\n  - since 2025\n- Uses vim\n  lazily\n\n## People\n\nMel is a friend.\n\nShe paints.\n'
  const facts = [
    '# Memory\n\n## Tools\n\n- Uses pnpm\n  - since 2025',
    '- Uses vim\n  lazily',
    '## People\n\nMel is a friend.\n\nShe paints.',
  ]

  test.each(['MEMORY.md', 'memory.md', 'bank/world.md'])('%s: one fact is one chunk', (path) => {
    const chunks = chunk(text, { path })
    expect(textsOf(chunks)).toEqual(facts)
    expect(chunks.map(({ headingTrail }) => headingTrail)).toEqual([
      ['Memory', 'Tools'],
      ['Memory', 'Tools'],
      ['Memory', 'People'],
    ])
  })

  test('a fact without a bullet keeps its nested lines', () => {
    const opinions = '# Opinions\n\nO(c=0.9) @A: one\n  - Evidence: x\nO(c=0.8) @B: two\n  - Evidence: y'
    expect(textsOf(chunk(opinions, { path: 'bank/opinions.md' }))).toEqual([
      '# Opinions\n\nO(c=0.9) @A: one\n  - Evidence: x',
      'O(c=0.8) @B: two\n  - Evidence: y',
    ])
  })

  test('so does a Retain section in any note, and only that', () => {
    const log = '# Day\n\n- a\n- b\n\n## Retain\n\n- W @Mel: paints\n- B: shipped it\n\n## Later\n\n- c\n- d'
    expect(textsOf(chunk(log, { path: 'memory/2026-02-14.md' }))).toEqual([
      '# Day\n\n- a\n- b',
      '## Retain\n\n- W @Mel: paints',
      '- B: shipped it',
      '## Later\n\n- c\n- d',
    ])
  })

  test('an entry over the budget is cut like any text', () => {
    for (const { text: part } of chunk(`- ${filler(300)}\n- b`, { path: 'MEMORY.md', tokens: 50 }))
      expect(estimateTokens(part)).toBeLessThanOrEqual(50)
  })
})

describe('trails', () => {
  test('the nearest H1 above counts, not the first of the file; markup and times are off', () => {
    const text = `# One\n\n${filler(80)}\n\n# Two 🚀\n\n## <b>14:30</b> Sub ##\n\n${filler(80)}`
    expect(chunk(text, { tokens: 100 }).map(({ headingTrail }) => headingTrail)).toEqual([['One'], ['Two', 'Sub']])
  })

  test('without headings the parent bullets are the trail', () => {
    const text = `- ## Project\n  - **Server**\n${`    - ${filler(10)}\n`.repeat(20)}- Other`
    const trails = chunk(text, { tokens: 100, overlap: 0 }).map(({ headingTrail }) => headingTrail)
    expect(trails[0]).toEqual([])
    expect(trails[1]).toEqual(['Project', 'Server'])
  })

  test('the same heading twice in a row is said once', () => {
    expect(chunk('# Plan\n## Plan\ntext')[0]?.headingTrail).toEqual(['Plan'])
  })
})

describe('attributes', () => {
  test('dated headings date the chunks under them, and days are not mixed', () => {
    const chunks = chunk('# Log\n\nintro\n\n## 2026-02-13\n\na\n\n### 18:30 late\n\nb\n\n## 2026-02-14 9:05\n\nc')
    expect(chunks.map(({ attributes }) => attributes)).toEqual([
      {},
      { from: '2026-02-13', to: '2026-02-13' },
      { from: '2026-02-14', to: '2026-02-14', time: '09:05' },
    ])
  })

  test('the day of the name stands above headings, which still give the time', () => {
    const [only] = chunk('## 2020-01-01 18:30 copied\n\na', { path: 'memory/2026-02-14.md' })
    expect(only?.attributes).toEqual({ from: '2026-02-14', to: '2026-02-14', time: '18:30' })
  })

  test('tags and marks of the document are on every chunk', () => {
    const [only] = chunk('---\ntags: [home]\nstatus: superseded\n---\nx', { path: 'archive/a.md' })
    expect(only?.attributes).toEqual({ tags: ['home'], marks: ['archived', 'superseded'] })
  })

  test('TODO and DONE in front of items are tags of the chunk that holds them', () => {
    const chunks = chunk('# Day\n\n- TODO call Ann\n\t1. DONE pay\n- TODOS are many\n- said TODO\n', { path: 'MEMORY.md' })
    expect(chunks.map(({ attributes }) => attributes.tags ?? [])).toEqual([['TODO', 'DONE'], [], []])
    expect(chunk('---\ntags: [home, done]\n---\n- DONE x')[0]?.attributes.tags).toEqual(['home', 'done', 'DONE'])
  })

  test('sections are borders, with their context and attributes; the line map gives file lines', () => {
    const sections = [
      { startLine: 1, endLine: 2, context: 'Mel', attributes: { speaker: 'Mel' } },
      { startLine: 3, endLine: 4, context: 'Jon', attributes: { speaker: 'Jon', from: '2026-01-01' } },
    ]
    const chunks = chunk('a\nb\nc\nd\ne', {
      sections,
      lineMap: new Uint32Array([10, 10, 12, 12, 14]),
      attributes: { session: 's' },
    })
    expect(chunks.map(({ text, startLine, endLine, headingTrail }) => [text, startLine, endLine, headingTrail])).toEqual([
      ['a\nb', 10, 10, ['Mel']],
      ['c\nd', 12, 12, ['Jon']],
      ['e', 14, 14, []],
    ])
    expect(chunks.map(({ attributes }) => attributes)).toEqual([
      { session: 's', speaker: 'Mel' },
      { session: 's', speaker: 'Jon', from: '2026-01-01' },
      { session: 's' },
    ])
  })
})

describe('what is not indexed', () => {
  test('stays in the cited text, with ranges relative to it', () => {
    const [only] = chunk('---\ntitle: T\n---\n# T\n\na <!-- secret --> b\n<relevant-memories>\nold\n</relevant-memories>\nc')
    expect(only?.text).toContain('secret')
    expect(indexedText(only?.text ?? '', only?.unindexed)).toBe('# T\n\na  b\n\nc')
  })

  test('ranges follow the overlap and the cuts', () => {
    const text = `${filler(60)}\n<!-- ${filler(5)} -->\n${filler(60)} <!-- x -->\n${filler(60)}`
    for (const part of chunk(text, { tokens: 80, overlap: 20 }))
      expect(indexedText(part.text, part.unindexed)).not.toMatch(/<!--|-->/)
  })

  test.each([
    ['', 1, 1, []],
    ['\n \n', 1, 1, []],
    ['# Only\n\n## Headings\n', 1, 3, ['Only', 'Headings']],
    ['# Day\n\n- [ ]\n- \n\n---\n', 1, 6, ['Day']],
    ['---\ntitle: x\n---\n', 1, 3, []],
    ['<!-- nothing\nelse -->', 1, 2, []],
    ['Title\n===', 1, 2, ['Title']],
  ])('%j is one stub at line 1', (text, startLine, endLine, headingTrail) => {
    const chunks = chunk(text)
    expect(chunks).toHaveLength(1)
    expect(chunks[0]).toMatchObject({ isStub: true, startLine, endLine, headingTrail, text: text.trimEnd() })
    expect(indexedText(chunks[0]?.text ?? '', chunks[0]?.unindexed)).toBe('')
  })

  test('B28: an unclosed block at the top of a long note loses nothing', () => {
    const text = `---\ntitle: x\n${`${filler(20)}\n`.repeat(50)}`
    const chunks = chunk(text)
    expect(covered(text, chunks)).toBe(text.replace(/\s/g, '').length)
    expect(chunks.every(({ unindexed }) => unindexed.length === 0)).toBe(true)
  })

  test('B26: CRLF changes no line number and leaves no return at the end of a chunk', () => {
    const text = `# A\n\n${`${filler(20)}\n`.repeat(50)}\n# B\n\ntext\n`
    const lines = (chunks: ReturnType<typeof chunk>) =>
      chunks.map(({ startLine, endLine, headingTrail }) => [startLine, endLine, headingTrail])
    const windows = chunk(text.replaceAll('\n', '\r\n'), { tokens: 4_000 })
    expect(lines(windows)).toEqual(lines(chunk(text, { tokens: 4_000 })))
    expect(windows.every((part) => !part.text.endsWith('\r'))).toBe(true)
  })
})
