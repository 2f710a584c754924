import fc from 'fast-check'
import { expect, test } from 'vitest'
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
