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

describe('P42: runs of data', () => {
  /** Seeded, and as mixed as an image. */
  function noise(length: number, letters: string): string {
    let state = 20_261_130
    let text = ''
    for (let index = 0; index < length; index += 1) {
      state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
      text += letters.charAt(Math.floor((state / 4_294_967_296) * letters.length))
    }
    return text
  }
  const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const image = noise(300_000, BASE64)
  const bundle = '!function(e,t){"object"==typeof(e)?t(e):e.X=t(1);var n={a:1,b:"c"};}(this,function(){});'.repeat(60)
  const members = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, name: `n${id}` })))

  test.each([
    ['an image in Markdown', `![cat](data:image/png;base64,${image})`],
    ['an image in HTML', `<img alt="cat" src="data:image/jpeg;base64,${image}">`],
    ['a written out picture', `<img src="data:image/svg+xml;utf8,<svg xmlns='x'>${"<path d='M1 2'/>".repeat(20)}</svg>">`],
    ['base64', image],
    ['base64url', noise(5_000, BASE64.replace('+/', '-_'))],
    ['hex', noise(40_000, '0123456789abcdef')],
    ['capital hex', noise(1_000, '0123456789ABCDEF')],
    ['base64 in lines', image.replace(/.{76}/g, '$&\n')],
    ['a certificate', image.slice(0, 1_600).replace(/.{64}/g, '$&\n')],
    ['a bundled script', bundle],
    ['a bundled script in a fence', `\`\`\`js\n${bundle}\n\`\`\``],
    ['JSON in one line', members],
    ['in a quote in an item', `- > ${image}`],
    ['in a cell of a table', `| a | b |\n|---|---|\n| x | ${image} |`],
    ['in Arabic', `صورة ${image} هنا`],
    ['CRLF', `${image}\r`],
  ])('%s is cited in one chunk, and nothing of it indexed', (_name, data) => {
    const text = `# Photos\n\nbefore the run\n\n${data}\n\nbehind the run\n`
    const chunks = chunk(text)
    expect(chunks).toHaveLength(1)
    expect(chunks[0]?.text).toBe(text.trim())
    const indexed = indexedText(chunks[0]?.text ?? '', chunks[0]?.unindexed)
    expect(indexed.length).toBeLessThan(140)
    expect(indexed).toContain('before the run')
    expect(indexed).toContain('behind the run')
    expect(chunks[0]?.headingTrail).toEqual(['Photos'])
  })

  test.each([
    ['an address', `https://example.com/${noise(400, BASE64)}?q=1`],
    ['an address in a link', `[here](https://example.com/a?token=${noise(300, BASE64)})`],
    ['parameters', `https://example.com/?${Array.from({ length: 60 }, (_, key) => `key${key}=value${key}`).join('&')}`],
    ['a path', `/usr/${'local/share/applications/'.repeat(20)}`],
    ['paths', 'C:\\Windows\\System32;C:\\Tools\\bin;'.repeat(10)],
    ['a German compound', 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(8)],
    ['one without umlauts', 'Rechtsschutzversicherungsgesellschaften'.repeat(9)],
    ['Thai', 'ประชุมถูกเลื่อนไปวันศุกร์'.repeat(20)],
    ['Chinese', '会议改到星期五'.repeat(60)],
    ['Chinese in JSON', JSON.stringify(Array.from({ length: 30 }, (_, id) => ({ 编号: `第${id}号`, 名称: '会议改到星期五' })))],
    ['a row of a table', `|${'name|value|'.repeat(40)}`],
    ['a name of code', 'thisIsAVeryLongCamelCaseIdentifier'.repeat(10)],
    ['another', 'a_very_long_snake_case_name_'.repeat(12)],
    ['values with commas', Array.from({ length: 60 }, (_, item) => `item${item}`).join(',')],
    ['checksums', Array.from({ length: 6 }, (_, line) => noise(64 + line * 0, `${line}123456789abcdef`)).join('\n')],
    ['a long key', noise(180, BASE64)],
    ['links', '[[Note]]'.repeat(40)],
    ['a formula', '\\frac{a}{b}=\\sum_{i=1}^{n}x_{i};'.repeat(12)],
    ['one letter', 'x'.repeat(1_000)],
    ['a number', '3141592653589793238462643383279502884197'.repeat(6)],
  ])('%s is text', (_name, run) => {
    const chunks = chunk(`see ${run} there`)
    expect(chunks.flatMap(({ unindexed }) => unindexed)).toEqual([])
  })

  test('a longer run is cut into few pieces, which answer no question; overlap repeats none of it', () => {
    const run = noise(1_000_000, BASE64).repeat(5)
    const text = `# Photos\n\nbefore ${run} behind\n\n- one\n- two\n`
    const chunks = chunk(text)
    expect(chunks.length).toBeLessThanOrEqual(7)
    expect(covered(text, chunks)).toBe(text.replace(/\s/g, '').length)
    expect(
      chunks.filter(({ isCitedOnly }) => !isCitedOnly).map(({ text: part, unindexed }) => indexedText(part, unindexed)),
    ).toEqual(['# Photos\n\nbefore', expect.stringMatching(/^behind\s+- one\n- two$/)])
    expect(chunks.reduce((sum, { text: part }) => sum + part.length, 0)).toBeLessThan(text.length * 1.01)
  })

  test('many images in one note leave its text in chunks of the usual size', () => {
    const text = Array.from(
      { length: 40 },
      (_, index) => `Photo ${index}\n\n![](data:image/png;base64,${image.slice(index, 20_000)})\n`,
    ).join('\n')
    const chunks = chunk(text)
    expect(chunks.length).toBeLessThan(10)
    expect(covered(text, chunks)).toBe(text.replace(/\s/g, '').length)
  })

  test('the name of a section or a bullet holds none of it', () => {
    const heading = `# Cat ![](data:image/png;base64,${image.slice(0, 3_000)})\n\ntext`
    expect(chunk(heading)[0]?.headingTrail).toEqual(['Cat'])
    const bullets = `- Cat ${image.slice(0, 3_000)}\n${`  - ${filler(20)}\n`.repeat(30)}`
    expect(chunk(bullets, { tokens: 100, overlap: 0 }).at(-1)?.headingTrail).toEqual(['Cat'])
  })
})

describe('P43: comments and tables', () => {
  test.each([
    ['a %%hidden%% b', 'a  b'],
    ['text %% hidden %%', 'text'],
    ['%%\n# hidden\n\nhidden\n%%\nkept', 'kept'],
    ['%% kanban:settings\n```\n{"a":1}\n```\n%%\nkept', 'kept'],
    ['- %% hidden %% kept', '-  kept'],
    ['> %%hidden%% kept', '>  kept'],
    ['文字%%注释%%文字', '文字 文字'],
    ['كلمة %% تعليق %% كلمة', 'كلمة  كلمة'],
    ['`%%` and %%hidden%% x', '`%%` and  x'],
    ['%%a%% %%b%% kept', 'kept'],
  ])('%j: the comment is cited and not indexed', (text, expected) => {
    const [only] = chunk(`${text}\n`)
    expect(only?.text).toBe(text)
    expect(indexedText(only?.text ?? '', only?.unindexed).trim()).toBe(expected)
  })

  test.each([
    '100%% sure, 50%% done',
    '٥٠%% و ٦٠%% تم',
    'never closed %% here',
    '%%\nnever closed',
    '```\n%% code %%\n```',
    '`%% code %%`',
    'x\n\n    %% code %%',
    'for %%i in (*) do echo %%i',
    'printf "%d%% of %d%%"',
    'a rule %%%% of %%%% signs',
    "LIKE '%%word%%'",
    'in a line %% and\nin another %%',
  ])('%j holds no comment', (text) => {
    expect(chunk(text)[0]?.unindexed).toEqual([])
  })

  test('a heading is said without its comment', () => {
    expect(chunk('# Plan %%draft%%\n\ntext')[0]?.headingTrail).toEqual(['Plan'])
  })

  test('later chunks of a table carry its column names behind the trail, and cite their rows exactly', () => {
    const rows = Array.from({ length: 120 }, (_, row) => `| widget ${row} | ${row * 3} | a \\| b |`)
    const text = `# Shop\n\n| **Item** | Price [€] | \`a\` |\n|---|---|---|\n${rows.join('\n')}\n\nThat is all.\n\n${filler(300)}`
    const chunks = chunk(text)
    expect(chunks.length).toBeGreaterThan(4)
    const isLater = chunks.map(({ text: part }) => part.startsWith('| widget'))
    expect(isLater.filter(Boolean).length).toBeGreaterThan(3)
    expect(chunks.map(({ headingTrail }) => headingTrail)).toEqual(
      isLater.map((later) => (later ? ['Shop', 'Item | Price [€] | a'] : ['Shop'])),
    )
    for (const { text: part, startOffset } of chunks) expect(text.slice(startOffset, startOffset + part.length)).toBe(part)
  })

  test('each of two tables gives its own names, in any script, and a table without a heading too', () => {
    const table = (head: string, cell: string) => `${head}\n|---|---|\n${`| ${cell} | x |\n`.repeat(80)}`
    const text = `${table('| 品名 | 価格 |', '部品')}\n${table('| الاسم | السعر |', 'قطعة')}`
    const trails = chunk(text, { tokens: 100 }).map(({ headingTrail }) => headingTrail)
    expect(new Set(trails.flat())).toEqual(new Set(['品名 | 価格', 'الاسم | السعر']))
    expect(trails[0]).toEqual([])
  })
})
