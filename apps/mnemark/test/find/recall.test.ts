import { quoteHash } from '@mnemark/spec'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'

const NOTES = {
  'bank/slots.md': '---\nslots:\n  home: ["lives in", "moved to", "تسكن في"]\n---\n\n# Slots\n',
  'bank/entities/Mara.md': '---\naliases: [مارا, 玛拉]\n---\n\n# Mara\n',
  'memory/2024-05-01.md': '# Day\nRain.\n\n## Retain\n- W @Mara: lives in Oslo\n- O(c=0.8) @Mara: prefers mail\n',
  'memory/2026-03-01.md': '# Day\nThe ferry of 玛拉 was late.\n\n## Retain\n- W @مارا: تسكن في بيرغن\n',
}

describe('recall', () => {
  test('answers from facts in any script, with what they replaced, and exits with 0', () => {
    const { code, document } = new Sandbox(NOTES).json(['recall', 'where does 玛拉 live now?'])
    expect([code, document]).toMatchObject([
      0,
      {
        facts: [
          {
            kind: 'world',
            timestamp: '2026-03-01',
            entities: ['Mara'],
            content: 'تسكن في بيرغن',
            source: 'memory/2026-03-01.md#L5-L5',
            slot: 'home',
            earlier: [{ content: 'lives in Oslo', why: 'earlier value', timestamp: '2024-05-01' }],
          },
          expect.anything(),
          expect.anything(),
        ],
        dropped: expect.any(Array),
        overBudget: false,
        read: { entities: ['Mara'] },
        mode: 'keywords',
        degraded: [],
        stale: false,
      },
    ])
  })

  test('for people: day, name, content, place, remarks', () => {
    const { code, stdout } = new Sandbox(NOTES).run(['recall', 'what does Mara prefer', '-k', '1'])
    expect(code).toBe(0)
    expect(stdout).toBe('2024-05-01  Mara: prefers mail  (opinion, confidence 0.80)\n            memory/2024-05-01.md#L6-L6\n')
  })

  test('nothing of the days asked for: exit 1, the reason and the nearest fact', () => {
    const { code, stdout, stderr } = new Sandbox(NOTES).run(['recall', 'what happened with Mara in June 2025'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/Nothing is known of the days asked for, 2025-06-01 to 2025-06-30/u)
    expect(stderr).toMatch(/the nearest that is known is\n.*2026-03-01/u)
  })

  test('a budget of 0 asks for nothing; a small one gives the best whole and says so', () => {
    const box = new Sandbox(NOTES)
    expect(box.json(['recall', 'Mara', '--budget', '0'])).toMatchObject({ code: 1, document: { facts: [], overBudget: false } })
    expect(box.json(['recall', 'Mara', '--budget', '1'])).toMatchObject({ code: 0, document: { facts: [{}], overBudget: true } })
  })

  test('an answer asked again after edits: same, moved, changed or gone for each citation, with its present place', () => {
    const box = new Sandbox(NOTES)
    const day = 'memory/2024-05-01.md'
    box.write('../answer.json', box.run(['recall', 'Mara', '--kind', 'world', '--history', '--json']).stdout)
    expect(box.json(['recall', '--check', '../answer.json'])).toMatchObject({
      code: 0,
      document: { citations: [{ status: 'same', now: { source: expect.stringMatching(/^memory/u) } }, { status: 'same' }] },
    })
    box.write(day, `# Day\nSun.\nWind.\n\n## Retain\n- W @Mara: lives in Oslo\n`)
    box.write('memory/2026-03-01.md', '# Day\n')
    const { code, document } = box.json(['recall', '--check', '../answer.json'])
    const { citations } = document as unknown as { readonly citations: readonly { readonly source: string }[] }
    expect([code, citations.toSorted((left, right) => (left.source < right.source ? -1 : 1))]).toMatchObject([
      1,
      [
        {
          status: 'moved',
          source: `${day}#L5-L5`,
          content: 'lives in Oslo',
          now: { source: `${day}#L6-L6`, text: '- W @Mara: lives in Oslo' },
        },
        { status: 'gone', source: 'memory/2026-03-01.md#L5-L5' },
      ],
    ])
    const lines = box.run(['recall', '--check', '-'], { input: `${day}#L5-L5 ${quoteHash('- W @Mara: lives in Oslo')}\n` })
    expect([lines.code, lines.stdout]).toEqual([0, `moved    ${day}#L5-L5 → ${day}#L6-L6\n`])
    const changed = box.run(['recall', '--check', '-'], {
      input: JSON.stringify([
        { source: `${day}#L6-L6`, quoteHash: quoteHash('- W @Mara: lives in Oslo now'), content: 'lives in Oslo now' },
      ]),
    })
    expect([changed.code, changed.stdout]).toEqual([
      1,
      `changed  ${day}#L6-L6\n         told: lives in Oslo now\n         now: - W @Mara: lives in Oslo\n`,
    ])
  })

  test.each([
    ['{"facts": []}', 'no citation'],
    ['[{"source": "memory/a.md#L1-L1"}]', 'citation 1'],
    ['{', 'no JSON'],
    ['memory/a.md#L1-L1', 'citation 1'],
    ['', 'no citation'],
    ['memory/a.md q1.aaaaaaaaaaaa.', 'no citation: expected'],
  ])('an answer that cannot be checked is refused: %s', (input, message) => {
    const { code, document } = new Sandbox(NOTES).json(['recall', '--check', '-'], { input })
    expect([code, document]).toMatchObject([2, { error: { message: expect.stringContaining(message) } }])
  })

  test.each([
    [['recall', 'Mara', '--check', 'a.json'], 'takes no question'],
    [['recall', '--check', 'a.json'], 'cannot be read'],
    [['recall'], 'there is no question'],
    [['recall', ' '], 'there is no question'],
    [['recall', 'Mara', '-k', '0'], '1 to 100'],
    [['recall', 'Mara', '--kind', 'facts'], 'kind'],
    [['recall', 'Mara', '--since', 'soonish'], 'since'],
    [['recall', 'Mara', '--since', '2026-03-02', '--until', '2026-03-01'], 'since'],
    [['recall', 'Mara', '--budget', '-1'], 'budget'],
  ])('%j is refused', (argv, message) => {
    const { code, document } = new Sandbox(NOTES).json(argv)
    expect([code, document]).toMatchObject([2, { error: { message: expect.stringContaining(message) } }])
  })

  test('--known-on says that nothing is recorded, instead of passing for an answer of that day', () => {
    const { code, document } = new Sandbox(NOTES).json(['recall', 'where does Mara live', '--known-on', '2024-01-01'])
    expect([code, document]).toMatchObject([0, { degraded: [{ message: expect.stringContaining('Nothing records when') }] }])
  })

  test('--as-of and --history', () => {
    const box = new Sandbox(NOTES)
    const contents = (argv: readonly string[]): readonly string[] =>
      (
        box.json(['recall', 'where does Mara live', ...argv]).document as unknown as {
          readonly facts: readonly { readonly content: string }[]
        }
      ).facts.map(({ content }) => content)
    expect(contents(['--as-of', '2025-06'])).toEqual(['lives in Oslo', 'prefers mail'])
    expect(contents(['--history', '--kind', 'world'])).toEqual(['تسكن في بيرغن', 'lives in Oslo'])
  })
})
