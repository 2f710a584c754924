import { expect, test } from 'vitest'
import { type FactRequest, makeFact } from './make-fact.ts'
import { writeFact } from './write-fact.ts'

const clock = { nowMs: Date.UTC(2026, 2, 14), timeZone: 'UTC' }

function made(request: FactRequest): string {
  const fact = makeFact(request, clock)
  return 'code' in fact ? fact.code : writeFact(fact)
}

test.each<[FactRequest | string, string]>([
  ['O(c=0.9) @Mara: prefers mail', '- O(c=0.90) @Mara: prefers mail'],
  ['* **O (c = 90%) @Mara — prefers mail**', '- O(c=0.90) @Mara: prefers mail'],
  ['the router was moved', '- W: the router was moved'],
  ['@Mara lives in Bergen (since: 2026-02-01)', '- W @Mara: lives in Bergen (since: 2026-02-01)'],
  ['[[Lint]] is a linter', '- W [[Lint]]: is a linter'],
  ['- a bullet of its own', '- W: a bullet of its own'],
  ['麻里は茶が好き', '- W: 麻里は茶が好き'],
  ['~~W @Mara: lives in Oslo~~', '- ~~W @Mara: lives in Oslo~~'],
  ['F @Mara: lives in Oslo', '- F @Mara: lives in Oslo'],
  [{ text: 'likes tea', kind: 'opinion', entities: ['Mara', '@Nils'] }, '- O @Mara @Nils: likes tea'],
  [
    { text: 'likes tea', confidence: '٨٠٪', entities: ['@"The Old Mill"', '[[people/Mara|M.]]'] },
    '- O(c=0.80) @"The Old Mill" [[people/Mara|M.]]: likes tea',
  ],
  [{ text: 'لا يحب القهوة', kind: 'opinion', entities: ['محمد علي'], confidence: 0.7 }, '- O(c=0.70) @"محمد علي": لا يحب القهوة'],
  [{ text: 'O(c=0.8) @Mara: likes tea', kind: 'opinion', entities: ['mara'], confidence: 0.8 }, '- O(c=0.80) @Mara: likes tea'],
  [{ text: 'met Nils', kind: 'experience', on: '2026-03-01' }, '- B: met Nils (on: 2026-03-01)'],
  [{ text: 'was away', kind: 'experience', on: '2026-02-27..yesterday' }, '- B: was away (on: 2026-02-27..2026-03-13)'],
  [{ text: 'was away', on: '2026-02' }, '- W: was away (on: 2026-02-01..2026-02-28)'],
  [{ text: 'W @Mara: lives in Bergen', corrects: 'ab12cd34ef' }, '- W @Mara: lives in Bergen (corrects: ^ab12cd34ef)'],
  [
    { text: 'W @Mara: moved', retracts: 'memory/a.md#L12', corrects: '"lives in Oslo"' },
    '- W @Mara: moved (corrects: "lives in Oslo") (retracts: memory/a.md#L12)',
  ],
  [{ text: 'W @Mara: moved (by: person)', author: 'agent' }, '- W @Mara: moved (by: agent)'],
])('%j is written as %s', (request, line) => {
  expect(made(typeof request === 'string' ? { text: request } : request)).toBe(line)
})

test.each<[FactRequest | string, string]>([
  ['   ', 'empty-content'],
  ['- ---', 'empty-content'],
  ['W @Mara:', 'empty-content'],
  ['one\ntwo', 'several-lines'],
  ['one\u2028two', 'several-lines'],
  ['W @Mara: a <!-- b', 'comment'],
  ['X @Mara: moved', 'unknown-kind'],
  ['W/B @Mara: moved', 'two-kinds'],
  ['O(c=1.2) @Mara: moved', 'bad-confidence'],
  ['O(c=high) @Mara: moved', 'bad-confidence'],
  ['O(c=0.8 @Mara: moved', 'unclosed'],
  ['W @"The Old Mill: moved', 'unclosed'],
  ['W @: moved', 'empty-entity'],
  ['W [[]]: moved', 'empty-entity'],
  ['W(c=0.8) @Mara: moved', 'unused-confidence'],
  ['W @Mara: away (on: 2026-03-05..2026-03-01)', 'range-order'],
  ['W @Mara: away (on: 2026-02-30)', 'bad-day'],
  ['W @Mara: away (corrects: )', 'relation-target'],
  ['W @Mara: one.\\n- two', 'literal-newline'],
  ['O(c=0.x) @Entity: …', 'no-fact'],
  [`W @Mara: ${'a'.repeat(1_000_000)}`, 'too-long'],
  [{ text: 'likes tea', confidence: 1.2 }, 'bad-confidence'],
  [{ text: 'likes tea', confidence: 'high' }, 'bad-confidence'],
  [{ text: 'likes tea', kind: 'world', confidence: 0.8 }, 'unused-confidence'],
  [{ text: 'likes tea', entities: ['@'] }, 'empty-entity'],
  [{ text: 'likes tea', entities: ['name'] }, 'empty-entity'],
  [{ text: 'was away', on: '2026-03-05..2026-03-01' }, 'range-order'],
  [{ text: 'was away', on: 'someday' }, 'bad-day'],
  [{ text: 'was away', on: '2026-01-01..2026-01-02..2026-01-03' }, 'bad-day'],
  [{ text: 'moved', corrects: 'somewhere' }, 'relation-target'],
  [{ text: 'B @Mara: moved', kind: 'world' }, 'contradiction'],
  [{ text: 'F @Mara: moved', kind: 'world' }, 'contradiction'],
  [{ text: 'B @Mara: moved', entities: ['Nils'] }, 'contradiction'],
  [{ text: 'O(c=0.8) @Mara: tea', confidence: 0.9 }, 'contradiction'],
  [{ text: 'B: away (on: 2026-03-01)', on: '2026-03-02' }, 'contradiction'],
  [{ text: 'B: away (since: 2026-03-01)', on: '2026-03-01' }, 'contradiction'],
  [{ text: 'B: away (corrects: ^ab12cd34ef)', corrects: '^zz12cd34ef' }, 'contradiction'],
])('%j is refused as %s', (request, code) => {
  expect(made(typeof request === 'string' ? { text: request } : request)).toBe(code)
})

test('a refusal says what to write, and quotes nothing but the form', () => {
  expect(makeFact({ text: 'X @Mara: secret' }, clock)).toEqual({
    code: 'unknown-kind',
    message: 'This letter is no kind of fact. Write W (world), B (experience), O (opinion) or S (observation).',
    proposed: 'W @Mara: secret',
  })
})
