import type { SearchHit } from '@mnemark/spec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hitsFor, openNotes } from '../../test/open-notes.ts'

function highlighted({ snippet, highlights }: { snippet: string; highlights: readonly (readonly [number, number])[] }): string[] {
  return highlights.map(([start, end]) => snippet.slice(start, end))
}

test.each([
  ['cafe', 'the naïve café owner', ['café']],
  ['naive owner', 'the nai\u0308ve café owner', ['nai\u0308ve', 'owner']],
  ['مكتبه', 'زرت المكتبة العامة', ['المكتبة']],
  ['قرر', 'قَرَّرَ المدير', ['قَرَّرَ']],
  ['会议', '东京的会议改到星期五', ['会议']],
  ['budget', 'three budgets were approved', ['budgets']],
  ['profile', 'renamed fetchUserProfile today', ['fetchUserProfile']],
  ['OC-41252', 'Ticket OC-41252 closed', ['OC-41252']],
  ['paint*', 'paintings for the painter', ['paintings', 'painter']],
  ['데이터베이스', '데이터베이스를 옮겼다', ['데이터베이스를']],
] as const)('the highlights of %j in %j are the words that match', async (query, text, words) => {
  const { memory } = await openNotes({ 'a.md': text })
  const [hit] = await hitsFor(memory, query)
  expect(hit && highlighted(hit)).toEqual(words)
})

test('stop words light up only where they are all there is', async () => {
  const { memory } = await openNotes({ 'a.md': 'where is the lamp of the house' })
  const [hit] = await hitsFor(memory, 'where is the lamp')
  expect(hit && highlighted(hit)).toEqual(['lamp'])
})

test('B88: the snippet holds the words, the lines are those of the file, and the cited range holds the words', async () => {
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1} ${'about nothing at all '.repeat(10)}`)
  lines[49] = 'Bella is the dog'
  const { memory } = await openNotes({ 'pets.md': lines.join('\n') })
  const [hit] = await hitsFor(memory, 'Bella')
  expect(hit?.snippet).toContain('Bella is the dog')
  expect(hit?.startLine).toBeLessThanOrEqual(50)
  expect(hit?.endLine).toBeGreaterThanOrEqual(50)
  expect(hit?.citation).toBe(`pets.md#L${hit?.startLine}-L${hit?.endLine}`)
  expect(lines.slice((hit?.startLine ?? 0) - 1, hit?.endLine).join('\n')).toContain('Bella is the dog')
})

test('B26: CRLF, LF and mixed line ends give the same hits, titles and lines, and no carriage return in a snippet', async () => {
  const text = '---\ntitle: Plan\n---\n# Goals\nship it\n\n## Later\nrest\n'
  const answers = []
  for (const version of [text, text.replaceAll('\n', '\r\n'), text.replace('# Goals\n', '# Goals\r\n')]) {
    const { memory } = await openNotes({ 'a.md': version })
    const hits = [...(await hitsFor(memory, 'ship')), ...(await hitsFor(memory, 'plan')), ...(await hitsFor(memory, 'later'))]
    expect(hits.every(({ snippet }) => !snippet.includes('\r'))).toBe(true)
    answers.push(hits.map(({ citation, score }) => ({ citation, score })))
  }
  expect(answers[0]).not.toHaveLength(0)
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
})

test('a citation ends the snippet when it is on, or on auto in a direct chat only', async () => {
  const ending = '\nSource: a.md#L1-L1'
  const chats = { direct: 'direct', group: 'group', channel: 'channel', none: undefined } as const
  const expected = { on: ['direct', 'group', 'channel', 'none'], auto: ['direct'], off: [] as string[] } as const
  for (const citations of ['on', 'auto', 'off'] as const) {
    const { memory } = await openNotes({ 'a.md': 'the lamp is broken' }, { citations })
    for (const [name, chatType] of Object.entries(chats)) {
      const [hit] = await hitsFor(memory, 'lamp', { caller: { agentId: 'main', ...(chatType && { chatType }) } })
      const cites = (expected[citations] as readonly string[]).includes(name) // widened to ask for any name
      expect(hit?.snippet).toBe(`the lamp is broken${cites ? ending : ''}`)
      expect(hit?.path).toBe('a.md')
    }
  }
})

test('a snippet has at most 700 characters, citation included, and its highlights lie inside it', async () => {
  const piece = fc.constantFrom(
    'lamp ',
    'мост ',
    '会议',
    '👩‍💻',
    'naïve ',
    '\n',
    'x'.repeat(300),
    '# Head\n',
    '- item\n',
    'مكتبة ',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 200 }), async (pieces) => {
      const { memory } = await openNotes({ 'a.md': `${pieces.join('')} lamp` }, { citations: 'on' })
      for (const { snippet, highlights } of await hitsFor(memory, 'lamp 会议 مكتبه', { limit: 10 })) {
        expect(snippet.length).toBeLessThanOrEqual(700)
        expect(snippet.isWellFormed()).toBe(true)
        for (const [start, end] of highlights) {
          expect(0 <= start && start < end && end <= snippet.length).toBe(true)
          expect(snippet.slice(start, end)).toMatch(/lamp|会|议|مكتبة/)
        }
      }
    }),
    { numRuns: 60, seed: 5 },
  )
})

test('comments and front matter are never shown as the match', async () => {
  const { memory } = await openNotes({ 'a.md': '---\nsecret: lamp\n---\n<!-- lamp -->\nThe lamp is broken' })
  const [hit] = await hitsFor(memory, 'lamp')
  expect(hit?.snippet).not.toContain('<!--')
  expect(hit?.snippet).not.toContain('secret')
  expect(hit && highlighted(hit)).toEqual(['lamp'])
})

test('B28: notes with odd or broken front matter are all found', async () => {
  const { memory } = await openNotes({
    'a.md': '---\ndate: 2025-10-24\nversion: 1.0\nok: true\ntags:\ntype: null\n---\nlamp velvet',
    'b.md': '---\ndescription: rule (A/B): read x.md\n---\nlamp marble',
    'c.md': `---\nlamp walnut\n${'a long note without an end of its front matter\n'.repeat(50)}`,
  })
  expect((await hitsFor(memory, 'lamp')).map(({ path }) => path).sort()).toEqual(['a.md', 'b.md', 'c.md'])
})

/** Checks that each line of a snippet is in the line it names, and so is the best line. */
function checkLines(hit: SearchHit, file: string): void {
  const rows = file.split(/\r?\n/)
  const shown = hit.snippet.split('\n').filter((row) => row !== `Source: ${hit.citation}`)
  expect(hit.snippetLines).toHaveLength(shown.length)
  for (const [at, row] of shown.entries()) {
    // Omitted text may have begun or ended on this line.
    for (const piece of row.split('…')) expect(rows[(hit.snippetLines[at] ?? 0) - 1]).toContain(piece.trim())
  }
  expect(hit.startLine <= hit.line && hit.line <= hit.endLine).toBe(true)
  expect(hit.snippetLines.toSorted((left, right) => left - right)).toEqual(hit.snippetLines)
}

function rowOf(file: string, piece: string): number {
  return file.split(/\r?\n/).findIndex((row) => row.includes(piece)) + 1
}

const long = (word: string, count: number): string => Array.from({ length: count }, (_, at) => `${word} ${at}`).join(' ')

describe('P11: the snippet is the stretch whose words are worth most together', () => {
  const bullets = Array.from({ length: 12 }, (_, at) => `- printer ${at} was moved to the room at the end of the hall`)
  const cases: Readonly<
    Record<string, { readonly note: string; readonly query: string; readonly holds: readonly string[]; readonly line: string }>
  > = {
    'a heading and the text under it, behind a list of one word': {
      note: ['# Office', '', ...bullets, '', '### Printer warranty number', '', 'PW-4471', '', '## Rest', long('paper', 90)].join(
        '\n',
      ),
      query: 'printer warranty number',
      holds: ['### Printer warranty number', 'PW-4471'],
      line: '### Printer warranty',
    },
    'an underlined heading': {
      note: [...bullets, '', 'Printer warranty number', '---', 'PW-4471', '', long('paper', 90)].join('\n'),
      query: 'printer warranty number',
      holds: ['Printer warranty number', 'PW-4471'],
      line: 'Printer warranty',
    },
    'the rare word beside the common one': {
      note: [...bullets, '- printer toner is kept in the cellar', ...bullets].join('\n'),
      query: 'where is the toner of the printer',
      holds: ['printer toner is kept in the cellar'],
      line: 'toner is kept',
    },
    'a bullet far under its heading, with that heading': {
      note: [
        '## Printer',
        '',
        ...Array.from({ length: 20 }, (_, at) => `- was cleaned on day ${at} by whoever came in first`),
        '- warranty number PW-4471',
      ].join('\n'),
      query: 'printer warranty number',
      holds: ['## Printer', '- warranty number PW-4471'],
      line: 'warranty number',
    },
    'a heading that matches elsewhere, with the text under it': {
      note: [
        '## Warranty',
        '',
        'See the drawer.',
        '',
        ...Array.from({ length: 25 }, (_, at) => `- nothing of note on day ${at}, really`),
        '- printer number is PW-4471, bought in May',
      ].join('\n'),
      query: 'printer warranty number',
      holds: ['## Warranty', 'See the drawer.', 'printer number is PW-4471'],
      line: 'printer number',
    },
    'a row of a table, with its column names': {
      note: [
        '| device | room | serial |',
        '| --- | --- | --- |',
        ...Array.from({ length: 30 }, (_, at) => `| lamp ${at} | hall ${at} | S-${1000 + at} |`),
        '| printer | attic | PW-4471 |',
        ...Array.from({ length: 30 }, (_, at) => `| fan ${at} | yard ${at} | F-${at} |`),
      ].join('\n'),
      query: 'printer in the attic',
      holds: ['| device | room | serial |', '| printer | attic | PW-4471 |'],
      line: '| printer |',
    },
    'Chinese without blanks': {
      note: [
        ...Array.from({ length: 40 }, (_, at) => `打印机${at}号搬到了走廊尽头的房间里，大家都知道。`),
        '打印机的保修编号是PW-4471。',
        ...Array.from({ length: 10 }, () => '今天没有什么特别的事情。'),
      ].join(''),
      query: '打印机保修编号',
      holds: ['保修编号是PW-4471'],
      line: '保修编号',
    },
    'Thai without blanks': {
      note: [
        ...Array.from({ length: 40 }, () => 'เครื่องพิมพ์อยู่ในห้องโถง'),
        'หมายเลขประกันของเครื่องพิมพ์คือ PW-4471 ',
        ...Array.from({ length: 40 }, () => 'วันนี้ไม่มีอะไรพิเศษ'),
      ].join(''),
      query: 'หมายเลขประกันเครื่องพิมพ์',
      holds: ['หมายเลขประกัน', 'PW-4471'],
      line: 'ประกัน',
    },
    Arabic: {
      note: [
        ...Array.from({ length: 20 }, (_, at) => `- نقلنا الطابعة ${at} إلى الغرفة في آخر الممر`),
        '## رقم ضمان الطابعة',
        '',
        'PW-4471',
        '',
        ...Array.from({ length: 10 }, () => 'لا شيء يذكر اليوم'),
      ].join('\n'),
      query: 'رقم ضمان الطابعه',
      holds: ['## رقم ضمان الطابعة', 'PW-4471'],
      line: 'رقم ضمان',
    },
    Hebrew: {
      note: [
        ...Array.from({ length: 20 }, (_, at) => `- המדפסת ${at} עברה לחדר בסוף המסדרון`),
        '## מספר אחריות המדפסת',
        'PW-4471',
        ...Array.from({ length: 10 }, () => 'שום דבר מיוחד היום'),
      ].join('\n'),
      query: 'מספר אחריות המדפסת',
      holds: ['## מספר אחריות המדפסת', 'PW-4471'],
      line: 'מספר אחריות',
    },
  }

  test.each(Object.entries(cases))('%s', async (_name, { note, query, holds, line }) => {
    for (const file of [note, `---\ntitle: x\n---\n${note}`.replaceAll('\n', '\r\n')]) {
      const { memory } = await openNotes({ 'a.md': file, 'b.md': 'something else' }, { chunkTokens: 4_000 })
      const [hit] = await hitsFor(memory, query)
      for (const piece of holds) expect(hit?.snippet).toContain(piece)
      expect(hit?.line).toBe(rowOf(file, line))
      expect(hit?.snippet.length).toBeLessThanOrEqual(700)
      if (hit) checkLines(hit, file)
    }
  })

  test('one line of 50,000 characters: its part is shown, under its number', async () => {
    const file = `# Log\n\n${long('printer', 2_600)} the warranty number of the printer is PW-4471 ${long('paper', 2_600)}\n`
    const { memory } = await openNotes({ 'a.md': file })
    const [hit] = await hitsFor(memory, 'printer warranty number')
    expect(hit?.snippet).toContain('warranty number of the printer is PW-4471')
    expect(hit?.line).toBe(3)
    expect(new Set(hit?.snippetLines)).toEqual(new Set([3]))
  })

  test('what is hidden is never shown, nor does it count', async () => {
    const file = [
      '# Notes',
      '<!-- printer warranty number SECRET -->',
      ...bullets,
      '',
      'the printer warranty is in the drawer',
      '<!-- printer',
      'warranty number -->',
      'end',
    ].join('\n')
    const { memory } = await openNotes({ 'a.md': file }, { chunkTokens: 4_000 })
    const [hit] = await hitsFor(memory, 'printer warranty number')
    expect(hit?.snippet).not.toMatch(/SECRET|<!--|-->/)
    expect(hit?.line).toBe(rowOf(file, 'the printer warranty'))
    if (hit) checkLines(hit, file)
  })
})

describe('P14: lines are the lines of the file', () => {
  test.each([
    ['windows that begin in the middle', (rows: string[]) => rows.join('\n')],
    ['CRLF', (rows: string[]) => rows.join('\r\n')],
    ['front matter', (rows: string[]) => ['---', 'title: Long', 'tags: [a]', '---', ...rows].join('\n')],
    ['a byte order mark', (rows: string[]) => `\uFEFF${rows.join('\n')}`],
  ])('%s', async (_name, write) => {
    const rows = Array.from({ length: 400 }, (_, at) => `line ${at} says ${'nothing at all '.repeat(3)}`)
    rows[237] = 'the zebra of the harbour sleeps'
    const file = write(rows)
    const { memory } = await openNotes({ 'a.md': file })
    const [hit] = await hitsFor(memory, 'zebra harbour')
    expect(hit?.line).toBe(rowOf(file, 'zebra'))
    if (hit) checkLines(hit, file)
  })

  test('a note found by its name or its headings alone has a line too', async () => {
    const { memory } = await openNotes({ 'roses.md': '\n\nPrune in March.', 'stub.md': '# Only\n\n## Zebra heading\n' })
    expect((await hitsFor(memory, 'roses.md'))[0]).toMatchObject({ line: 3, snippetLines: [3] })
    expect((await hitsFor(memory, 'zebra'))[0]).toMatchObject({ path: 'stub.md', line: 3 })
  })
})
