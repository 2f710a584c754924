import { parseDocument } from '@mnemark/core/document'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Entities } from './entities.ts'
import { entityPageOf, storedEntityPage } from './entity-page.ts'
import { type MergeReading, type MergeRefusal, planMerge, planUnmerge } from './plan-merge.ts'

type Pages = Readonly<Record<string, string>>

/** Pages of a workspace and the names that facts write, each with its number of facts. */
class Bank {
  pages: Pages
  readonly facts: Readonly<Record<string, number>>

  constructor(pages: Pages, facts: Readonly<Record<string, number>> = {}) {
    this.pages = pages
    this.facts = facts
  }

  get entities(): Entities {
    const pages = Object.entries(this.pages).map(([path, text]) =>
      entityPageOf(path, parseDocument({ source: 'memory', path }, { text })),
    )
    const named = Object.keys(this.facts).map((name) => ({ name, key: new Entities([], []).find(name)?.key ?? keyOf(name) }))
    return new Entities(pages, named)
  }

  merge(first: string, second: string, isSure = false): string {
    const factsOf = ({ name }: { readonly name: string }): number => this.facts[name] ?? 0
    return this.#do(planMerge(this.entities, [first, second], { factsOf, isSure }))
  }

  unmerge(first: string, second: string): string {
    return this.#do(planUnmerge(this.entities, [first, second]))
  }

  /** What came of it: the page that changed, `unchanged`, or the code of the refusal. */
  #do(plan: MergeReading): string {
    if (plan === 'unchanged' || 'code' in plan) return plan === 'unchanged' ? plan : plan.code
    const edited = plan.edit(this.pages[plan.path] ?? '')
    if ('code' in edited) return edited.code
    this.pages = { ...this.pages, [plan.path]: edited.text }
    return plan.path
  }
}

function keyOf(name: string): string {
  return new Entities([storedEntityPage({ path: 'x.md', title: name })], []).all()[0]?.keys[0] ?? name
}

const MARA = 'bank/entities/Mara.md'

test.each([
  ['a list in brackets', '---\naliases: [M.]\n---\n# Mara\n', '---\naliases: [M., مارا]\n---\n# Mara\n'],
  ['an empty list', '---\naliases: []\n---\n# Mara\n', '---\naliases: [مارا]\n---\n# Mara\n'],
  [
    'a list of lines',
    '---\naliases:\n  - M. # short\ntype: person\n---\n',
    '---\naliases:\n  - M. # short\n  - مارا\ntype: person\n---\n',
  ],
  ['lines without indent', '---\naliases:\n- "M."\n---\n', '---\naliases:\n- "M."\n- مارا\n---\n'],
  ['a key without value', '---\naliases:\ntype: person\n---\n', '---\naliases:\n- مارا\ntype: person\n---\n'],
  ['a list in a text', '---\naliases: M., Mar\n---\n', '---\naliases: M., Mar\nalias:\n  - مارا\n---\n'],
  ['another key', '---\ntype: person\n---\nText.', '---\ntype: person\naliases:\n  - مارا\n---\nText.'],
  ['no front matter', 'Text.\n', '---\naliases:\n  - مارا\n---\nText.\n'],
  ['empty front matter', '---\n---\nText.\n', '---\n"aliases":\n  - مارا\n---\nText.\n'],
  ['a rule at the top', '---\n\nText.\n\n---\n', '---\naliases:\n  - مارا\n---\n---\n\nText.\n\n---\n'],
  ['carriage returns', '---\r\ntype: x\r\n---\r\nText.\r\n', '---\r\ntype: x\r\naliases:\r\n  - مارا\r\n---\r\nText.\r\n'],
  ['several lines in brackets', '---\naliases: [\n  M.,\n  "Mar" ]\n---\n', '---\naliases: [\n  M.,\n  "Mar", مارا ]\n---\n'],
])('a merge adds an alias to %s, and its undoing gives the bytes back', (_, before, after) => {
  const bank = new Bank({ [MARA]: before }, { Mara: 1, مارا: 9 })
  expect(bank.merge('مارا', 'Mara')).toBe(MARA)
  expect(bank.pages[MARA]).toBe(after)
  expect(bank.entities.areOne('Mara', 'مارا')).toBe(true)
  expect(bank.merge('Mara', 'مارا')).toBe('unchanged')
  expect(bank.unmerge('Mara', 'مارا')).toBe(MARA)
  expect(bank.pages[MARA]).toBe(before)
  expect(bank.unmerge('Mara', 'مارا')).toBe('unchanged')
})

test('without a page one is made, of the name with more facts, else of the first', () => {
  const bank = new Bank({}, { Pete: 1, Peter: 2, Anna: 1, Ann: 1 })
  expect(bank.merge('Pete', 'Peter')).toBe('bank/entities/Peter.md')
  expect(bank.pages['bank/entities/Peter.md']).toBe('---\naliases:\n  - Pete\n---\n# Peter\n')
  expect(bank.merge('Anna', 'Ann')).toBe('bank/entities/Anna.md')
  expect(bank.unmerge('Pete', 'Peter')).toBe('bank/entities/Peter.md')
  expect(bank.pages['bank/entities/Peter.md']).toBe('# Peter\n')
})

test('of two pages the one of fewer facts becomes a stub that keeps its text, its other names come along', () => {
  const maren = '---\naliases: [M., مارن]\n---\n# Maren\nWritten by hand.\n'
  const bank = new Bank({ [MARA]: '# Mara\n', 'bank/entities/Maren.md': maren }, { Mara: 2, Maren: 1 })
  expect(bank.merge('Maren', 'Mara')).toBe('bank/entities/Maren.md')
  expect(bank.pages).toEqual({ [MARA]: '# Mara\n', 'bank/entities/Maren.md': maren.replace(']\n', ']\nredirect: Mara\n') })
  expect(bank.entities.find('مارن')).toMatchObject({ name: 'Mara', page: MARA })
  expect(bank.entities.conflicts).toEqual([])
  expect(bank.unmerge('Mara', 'مارن')).toBe('bank/entities/Maren.md')
  expect(bank.pages['bank/entities/Maren.md']).toBe(maren)
})

test('a stub may lead to a stub, whatever their order, and to itself or nowhere', () => {
  const pages = { 'bank/entities/A.md': '# A\n', 'bank/entities/B.md': '# B\n', 'bank/entities/C.md': '# C\n' }
  for (const [first, second, third] of [
    ['A', 'B', 'C'],
    ['C', 'B', 'A'],
    ['B', 'A', 'C'],
  ] as const) {
    const bank = new Bank(pages, { [first]: 1, [second]: 2, [third]: 3 })
    bank.merge(first, second)
    bank.merge(second, third)
    expect(bank.entities.all()).toMatchObject([{ name: third }])
    bank.unmerge(third, second)
    expect(bank.entities.areOne(first, second)).toBe(true)
    expect(bank.entities.all()).toHaveLength(2)
    bank.unmerge(first, second)
    expect(bank.pages).toEqual(pages)
  }
  const lost = { 'bank/entities/A.md': '---\nredirect: A\n---\n', 'bank/entities/B.md': '---\nredirect: C\n---\n' }
  expect(new Bank(lost).entities.all().map(({ name }) => name)).toEqual(['A', 'B'])
})

test('a page outside the bank is never edited: the bank gets one that has its names', () => {
  const bank = new Bank({ 'people/Nils.md': '---\naliases: [N.]\n---\n# Nils Berg\n' }, { نيلز: 1 })
  expect(bank.merge('نيلز', 'N.')).toBe('bank/entities/نيلز.md')
  expect(bank.entities.areOne('Nils', 'نيلز')).toBe(true)
  expect(bank.entities.all()).toHaveLength(1)
  expect(bank.unmerge('نيلز', 'N.')).toBe('bank/entities/نيلز.md')
  expect(bank.entities.all().map(({ aliases }) => aliases.length)).toEqual([1, 0])
  expect(bank.unmerge('Nils', 'N.')).toBe('joined-by-page')
})

test('what is refused', () => {
  const bank = new Bank(
    {
      [MARA]: '---\ntitle: Mara Lind\naliases: [M.]\n---\n',
      'bank/entities/Open.md': '---\nSecret: x\n',
      'bank/entities/Bad.md': '---\na: b: c\n---\n',
      'bank/entities/Brace.md': '---\n{type: x}\n---\n',
      'bank/entities/Oslo.md': '---\ntype: place\n---\n',
      'bank/entities/Osla.md': '---\ntype: person\n---\n',
      'bank/entities/a-b.md': '---\ntitle: a/b\n---\n',
      'bank/entities/Eva.md': '',
      'bank/entities/Eve.md': '---\naliases: [Eva]\n---\n',
    },
    { Nils: 1, 'Room 1': 1, 'Room 2': 1, 'a:b': 9, ['x'.repeat(101)]: 1 },
  )
  const before = bank.pages
  expect(bank.merge('Mara', 'Nobody')).toBe('unknown-entity')
  for (const sign of ['"', '@', '', ' ']) expect(bank.merge('Mara', sign)).toBe('unknown-entity')
  expect(bank.merge('MARA', 'mara')).toBe('same-name')
  expect(bank.merge('Nils', "Nils's")).toBe('unchanged')
  for (const page of ['Open', 'Bad', 'Brace']) expect(bank.merge(page, 'Nils')).toBe('unreadable-page')
  expect(bank.merge('Room 1', 'Room 2')).toBe('differs')
  expect(bank.merge('Oslo', 'Osla')).toBe('differs')
  expect(bank.merge('Mara', 'Eva')).toBe('two-pages')
  expect(bank.merge('a:b', 'Nils')).toBe('page-taken')
  expect(bank.merge('Mara', 'x'.repeat(101))).toBe('unfit-name')
  expect(bank.unmerge('Mara Lind', 'Mara')).toBe('joined-by-page')
  expect(bank.unmerge('Eva', 'Eve')).toBe('bank/entities/Eve.md')
  bank.pages = before
  expect(bank.unmerge('Mára', 'Mara')).toBe('same-name')
  expect(bank.unmerge("Mara's", 'Mara')).toBe('same-name')
  expect(bank.pages).toBe(before)
  expect(bank.merge('Room 1', 'Room 2', true)).toBe('bank/entities/Room-1.md')
  expect(planMerge(bank.entities, ['Mara', `\u202eno${'y'.repeat(1_000)}`], { factsOf: () => 0 })).toMatchObject({
    message: expect.stringMatching(/^No fact or page names "\\u\{202E\}noy{97}…"\.$/),
  })
  const refusal = planMerge(bank.entities, ['Open', 'Nils'], { factsOf: () => 0 })
  const edited = (refusal as Exclude<MergeReading, MergeRefusal | 'unchanged'>).edit(bank.pages['bank/entities/Open.md'] ?? '')
  expect(JSON.stringify(edited)).not.toContain('Secret')
})

test('names that two lines join are left to a person, who is told where the lines are', () => {
  const bank = new Bank({ [MARA]: '---\naliases: [Maren]\n---\n', 'bank/entities/Maren.md': '---\nredirect: Mara\n---\n' })
  const { entities } = bank
  expect(planUnmerge(entities, ['Mara', 'Maren'])).toMatchObject({
    code: 'joined-by-page',
    message: expect.stringContaining('bank/entities/Maren.md and bank/entities/Mara.md'),
  })
})

test('an alias that a person declared is parted too, however it is written', () => {
  const of = (front: string): string | undefined => {
    const bank = new Bank({ [MARA]: `---\n${front}---\n# Mara\n` }, { Mara: 1 })
    bank.unmerge('Mara', 'M.')
    return bank.pages[MARA]?.slice(4, -'---\n# Mara\n'.length)
  }
  expect(of('aliases: [M., N.]\n')).toBe('aliases: [N.]\n')
  expect(of('aliases: [N., "M."]\n')).toBe('aliases: [N.]\n')
  expect(of('aliases: [M.,]\n')).toBe('aliases: []\n')
  expect(of('aliases: M., N.\n')).toBe('aliases: N.\n')
  expect(of('aliases: "N., M., m."\n')).toBe('aliases: "N."\n')
  expect(of('alias: M.\n')).toBe('alias: \n')
  expect(of('aliases:\n  - N.\n  - M. # note\n')).toBe('aliases:\n  - N.\n')
  expect(of('aliases: [N.]\nalias:\n  - M.\n')).toBe('aliases: [N.]\n')
})

const NAMES = [
  '..',
  '/',
  'a/b',
  '#x',
  '*a*',
  '👩‍👧',
  '🚀',
  'a: b',
  "O'Brien",
  'null',
  'true',
  '12',
  '\u202eabc',
  'x\u0000y',
  '- a',
  '[b]',
  '`c`',
  'ي ك',
  '麻里',
  'Пётр',
  '{d}',
  '&e',
  '%',
  'a #b',
  'أ\u200cب',
  'Lund, Peter',
  '١٢',
]

test.each([9, 0])('hostile names are joined and parted again, with %i facts', (facts) => {
  const came = NAMES.map((name) => {
    const bank = new Bank({}, { Mara: 1, [name]: facts })
    const path = bank.merge('Mara', name, true)
    const isOne = bank.entities.areOne('Mara', name) && bank.entities.all().length === 1
    return [name, path, isOne, bank.unmerge('Mara', name), bank.entities.areOne('Mara', name)]
  })
  const page = expect.stringMatching(/^bank\/entities\/[^/\0]+\.md$/)
  expect(came).toEqual(NAMES.map((name) => [name, page, true, page, false]))
})

test('merging and parting again gives every page its bytes back', () => {
  const name = fc.constantFrom('مارا', '玛拉', 'Maren', 'M. L', "O'Brien", '🚀 x', 'null', 'a: b', '#x')
  const alias = fc.constantFrom(
    'N.',
    '"Q, R"',
    "'s'",
    'z # note',
    '- - w',
    '!t u',
    '&v w',
    '{k: v}',
    '',
    '~',
    '|\n    text\n',
    '>-\n    more\n\n',
  )
  const list = fc.oneof(
    alias.map((one) => ` ${one}`),
    fc.array(alias, { maxLength: 3 }).map((all) => ` [${all.join(', ')}]`),
    fc.array(alias, { maxLength: 3 }).map((all) => ` [ ${all.join(',\n    ')} ]  # end`),
    fc
      .tuple(fc.array(alias, { maxLength: 3 }), fc.constantFrom('', '  ', '    '))
      .map(([all, indent]) => all.map((one) => `\n${indent}- ${one}`).join('')),
  )
  const line = fc.oneof(
    fc
      .tuple(fc.constantFrom('aliases', 'alias', 'Aliases', 'type', 'title', 'redirected', '"aliases"'), list)
      .map(([key, value]) => `${key}:${value}\n`),
    fc.constantFrom('# comment\n', '\n', 'type: person\n', 'no key\n', '  indented: x\n', 'aliases: &a [x]\nother: *a\n'),
  )
  const front = fc
    .array(line, { maxLength: 4 })
    .chain((lines) =>
      fc.constantFrom(
        '',
        '---\n' + lines.join('') + '---\n',
        '---\n' + lines.join('') + '...\n',
        '\n---\n' + lines.join('') + '---',
        '---\n' + lines.join(''),
      ),
    )
  const body = fc.constantFrom('', '# Mara\nText.\n', 'Text\r\nmore', '---\n\nx\n', '\n\n- [ ] y\n', '## Retain\n- W @Mara: x\n')
  const text = fc
    .tuple(fc.boolean(), front, body, fc.constantFrom('\n', '\r\n'))
    .map(([hasMark, top, rest, end]) => (hasMark ? '\uFEFF' : '') + (top + rest).replaceAll('\n', end))
  let joined = 0
  fc.assert(
    fc.property(text, fc.array(name, { minLength: 1, maxLength: 3 }), fc.boolean(), (page, others, hasPages) => {
      const pages = {
        [MARA]: page,
        ...(hasPages &&
          Object.fromEntries(
            others.map((other, at) => [`bank/entities/page${at}.md`, `---\ntitle: ${JSON.stringify(other)}\n---\n`]),
          )),
      }
      const bank = new Bank(pages, { Mara: 9, ...Object.fromEntries(others.map((other) => [other, 1])) })
      const done = [...new Set(others)].filter((other) => bank.merge('Mara', other).startsWith('bank/'))
      joined += done.length
      for (const other of done) expect(bank.entities.areOne('Mara', other)).toBe(true)
      for (const other of done.toReversed())
        expect([other, bank.unmerge('Mara', other)]).toEqual([other, expect.stringMatching(/^bank/)])
      expect(bank.pages).toEqual(pages)
    }),
    { numRuns: 1_000, seed: 20 },
  )
  expect(joined).toBeGreaterThan(500)
})
