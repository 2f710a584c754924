import { expect, test } from 'vitest'
import { day, stateOf } from './__fixtures__/folder.ts'
import { type MemoryProposal, proposeMemory } from './memory-proposal.ts'
import type { PageOpinion } from './page-opinion.ts'
import { isScrap } from './scraps.ts'

const PATH = 'MEMORY.md'

interface Case {
  readonly memory?: string
  readonly limitTokens?: number
  readonly opinions?: readonly PageOpinion[]
}

/** The proposal, after checking that nothing is proposed once it is applied. */
async function proposed(
  notes: Readonly<Record<string, string>>,
  { memory, ...rest }: Case = {},
): Promise<MemoryProposal | undefined> {
  const all = new Map(Object.entries({ ...notes, ...(memory !== undefined && { [PATH]: memory }) }))
  const options = { path: PATH, ...rest }
  const proposal = proposeMemory(await stateOf(all), memory, options)
  if (proposal === undefined) return undefined
  const applied = new Map([...all, [PATH, proposal.after]])
  expect(proposeMemory(await stateOf(applied), proposal.after, options)).toBeUndefined()
  return proposal
}

const edits = (proposal: MemoryProposal | undefined): readonly string[] =>
  proposal?.edits.map(({ verb, line, source, why }) => `${verb} | ${line} | ${source} | ${why}`) ?? []

const SLOTS = { 'bank/slots.md': '---\nslots:\n  home: ["lives in", "moved to"]\n---\n\n# Slots\n' }

test('additions have a source and a reason: a person said it, or it was said on two days', async () => {
  const notes = {
    ...SLOTS,
    'memory/2026-03-01.md': day(
      'W @Mara: is allergic to nuts',
      'W @Nils: rows on Mondays (by: agent)',
      'B @Mara: was in Fez',
      'S: a calm day for all',
    ),
    'memory/2026-03-02.md': day(
      'W @Nils: rows on Mondays (by: agent)',
      'W @Nils: was late (by: agent)',
      'W @Mara: lives in Bergen',
      'W: we ship on Fridays #decision',
    ),
  }
  const proposal = await proposed(notes, { memory: '# Memory\n\n- Be kind.\n' })
  expect(edits(proposal)).toEqual([
    'add | - @Mara: lives in Bergen (see memory/2026-03-02.md#L6) | memory/2026-03-02.md#L6 | a value that holds',
    'add | - we ship on Fridays (see memory/2026-03-02.md#L7) | memory/2026-03-02.md#L7 | a decision',
    'add | - @Nils: rows on Mondays (see memory/2026-03-01.md#L5) | memory/2026-03-01.md#L5 | said on 2 days',
    'add | - @Mara: is allergic to nuts (see memory/2026-03-01.md#L4) | memory/2026-03-01.md#L4 | said by a person',
  ])
  expect(proposal?.after).toBe(
    `# Memory\n\n- Be kind.\n\n## From the notes\n\n${proposal?.edits.map(({ line }) => `${line}\n`).join('')}`,
  )
  expect(proposal?.diff).toMatch(/^--- a\/MEMORY\.md\n\+\+\+ b\/MEMORY\.md\n@@ -1,3 \+1,10 @@\n/)
})

test('B107: scraps are never proposed, and over the limit the proposal names what to drop', async () => {
  const notes = {
    'memory/2026-03-01.md': `${day(
      'W: sudo apt remove x && make',
      'W: Candidate: something; confidence: 0.00 status: staged',
      'W: Decision',
      'W @Mara: is allergic to nuts',
    )}\n## Decision\n`,
  }
  expect(edits(await proposed(notes))).toEqual([
    'add | - @Mara: is allergic to nuts (see memory/2026-03-01.md#L7) | memory/2026-03-01.md#L7 | said by a person',
  ])
  const old = '- @Nils: rows (see memory/2020-01-01.md#L4)'
  const rows = { 'memory/2020-01-01.md': day('W @Nils: rows on Mondays') }
  const memory = '# Memory\n\n## From the notes\n\n- @Nils: rows on Mondays (see memory/2020-01-01.md#L4)\n'
  const twice = { 'memory/2026-03-02.md': day('W @Mara: is allergic to nuts') }
  const full = await proposed({ ...notes, ...rows, ...twice }, { memory, limitTokens: 40 })
  expect(edits(full)).toEqual([
    'remove | - @Nils: rows on Mondays (see memory/2020-01-01.md#L4) | MEMORY.md#L5 | no room in 40 tokens',
    'add | - @Mara: is allergic to nuts (see memory/2026-03-01.md#L7) | memory/2026-03-01.md#L7 | said on 2 days',
  ])
  expect(full?.left.map(({ line }) => line.slice(0, old.indexOf(' (')))).toEqual([old.slice(0, old.indexOf(' ('))])
  expect(full?.tokens.after).toBeLessThanOrEqual(40)
})

test('what holds no longer is corrected in its line, whoever wrote it, or removed', async () => {
  const notes = {
    ...SLOTS,
    'memory/2024-05-01.md': day('W @Mara: lives in Oslo', 'W @Mara: works at the mill', 'W @Nils: has a boat'),
    'memory/2026-03-01.md': day(
      'W @Mara: lives in Bergen',
      'W @Mara: works at the dairy (corrects: "works at the mill")',
      'W @Nils: sold it all (retracts: "has a boat")',
    ),
  }
  const memory =
    '# Memory\r\n\r\n- Mara lives in Oslo.\r\n- @Mara: works at the mill\r\n- Nils has a boat\r\n- Ask twice.\r\n- mara lives in Bergen'
  const proposal = await proposed(notes, { memory, limitTokens: 80 })
  expect(edits(proposal).slice(0, 3)).toEqual([
    'remove | - Mara lives in Oslo. | memory/2026-03-01.md#L4 | home until 2026-02-28',
    'correct | - @Mara: works at the dairy (see memory/2026-03-01.md#L5) | memory/2026-03-01.md#L5 | corrected',
    'remove | - Nils has a boat | memory/2026-03-01.md#L6 | retracted',
  ])
  expect(
    proposal?.after.startsWith(
      '# Memory\r\n\r\n- @Mara: works at the dairy (see memory/2026-03-01.md#L5)\r\n- Ask twice.\r\n- mara lives in Bergen',
    ),
  ).toBe(true)
  expect(proposal?.after.replaceAll('\r\n', '')).not.toContain('\n')
})

test('a line that stands twice is removed once; lines with more below them, code and facts of a section stay', async () => {
  const notes = {
    'memory/2024-05-01.md': day('W @Nils: has a boat', 'W @Nils: has no cat (retracts: "has a cat")', 'W @Nils: has a cat'),
  }
  const memory =
    '- Nils has a boat\n- Nils has a boat\n- Nils has a cat\n  for years\n\n```\n- Nils has a cat\n```\n\n## Retain\n- W @Nils: has a boat\n'
  expect(edits(await proposed(notes, { memory, limitTokens: 10 }))).toEqual([
    'remove | - Nils has a boat | MEMORY.md#L1 | said twice',
    'remove | - Nils has a boat | MEMORY.md#L2 | said twice',
  ])
})

test('an opinion qualifies by its number and two groups for it', async () => {
  const opinion = (id: string, confidence: number, groups: number, state: PageOpinion['state'] = 'open'): PageOpinion => ({
    id,
    statement: `prefers ${id}`,
    entities: [{ name: 'Mara', key: 'mara', isLink: false }],
    confidence,
    groups: { for: groups, against: 0 },
    state,
    source: 'memory/2026-03-14.md#L4',
  })
  const opinions = [opinion('mail', 0.9, 2), opinion('tea', 0.9, 1), opinion('jam', 0.7, 3), opinion('rye', 0.9, 3, 'turning')]
  expect(edits(await proposed({}, { opinions }))).toEqual([
    'add | - @Mara: prefers mail (see memory/2026-03-14.md#L4) | memory/2026-03-14.md#L4 | 2 groups for it, 0 against',
  ])
  expect(await proposed({})).toBeUndefined()
})

test('a random folder: the file stays within its limit, in any order, and a second run proposes nothing', async () => {
  const words = [
    'rows',
    'reads <b>books</b>',
    'owns two cats',
    'يسكن في فاس',
    '他不喜欢电话',
    'is 50 %% sure',
    'was told to wait',
    'likes C++ a lot',
  ]
  for (let seed = 0; seed < 8; seed += 1) {
    const notes = Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [
        `memory/2026-0${at + 1}-01.md`,
        day(
          ...words
            .filter((_, word) => (word * 7 + at * 3 + seed) % 4 > 1)
            .map((text, word) => `W @${'ABC'[(word + seed) % 3]}: ${text} today`),
        ),
      ]),
    )
    const limitTokens = 60 + seed * 25
    const first = await proposed(notes, { memory: '# Memory\n\n- Keep it short.\n', limitTokens })
    const other = await proposed(Object.fromEntries(Object.entries(notes).toReversed()), {
      memory: '# Memory\n\n- Keep it short.\n',
      limitTokens,
    })
    expect(other).toEqual(first)
    expect(first?.tokens.after ?? 0).toBeLessThanOrEqual(limitTokens)
    expect(first?.edits.length).toBeGreaterThan(0)
    // A tighter limit takes bullets out again, and settles too.
    await proposed(notes, { memory: first?.after ?? '', limitTokens: limitTokens - 20 })
  }
})

test.each([
  ['git push --force', true],
  ['pnpm run check', true],
  ['renting', true],
  ['wants to rent because', true],
  ['the plan:', true],
  ['status: staged', true],
  ['`make all`', true],
  ['=== 42 ===', true],
  ['NO_REPLY please', true],
  ['x'.repeat(2_000), true],
  ['is allergic to nuts', false],
  ['prefers mail (short ones)', false],
  ['他不喜欢电话', false],
  ['يسكن في فاس', false],
  ['pays 3,500 a month for rent', false],
])('%j is a scrap: %s', (text, expected) => {
  expect(isScrap(text)).toBe(expected)
})
