import { expect, test } from 'vitest'
import { randomFrom } from '../retain/__fixtures__/generated-sections.ts'
import { readFacts } from '../retain/read-facts.ts'
import { type Packable, packFacts } from './pack-facts.ts'
import { spreadOverDays } from './spread-over-days.ts'
import { originKey, statementKey } from './statement.ts'

const item = (source: string, tokens: number, more: Partial<Packable> = {}): Packable => ({
  source,
  tokens,
  statement: source,
  origin: source,
  isClosed: false,
  ...more,
})
const sources = (items: readonly Packable[]) => items.map(({ source }) => source)

test.each([
  [
    0,
    [],
    [
      ['long', 'budget'],
      ['a', 'budget'],
      ['b', 'budget'],
    ],
    false,
  ],
  [
    10,
    ['long'],
    [
      ['a', 'budget'],
      ['b', 'budget'],
    ],
    true,
  ],
  [50, ['a', 'b'], [['long', 'budget']], false],
  [400, ['long', 'a', 'b'], [], false],
])('B94: a budget of %i skips what does not fit, and never answers with nothing', (budgetTokens, kept, dropped, isOverBudget) => {
  const pack = packFacts([item('long', 300), item('a', 20), item('b', 20)], { budgetTokens })
  expect(sources(pack.items)).toEqual(kept)
  expect(pack.dropped.map(({ source, why }) => [source, why])).toEqual(dropped)
  expect(pack.isOverBudget).toBe(isOverBudget)
})

test('distinct statements come before further origins of one, and an origin counts once', () => {
  const said = (source: string, origin: string) => item(source, 10, { statement: 'tea', origin })
  const ranked = [said('mon', 'mon'), said('mon again', 'mon'), said('copy', 'copy'), said('fri', 'fri'), item('other', 10)]
  expect(packFacts(ranked, { budgetTokens: 100 })).toMatchObject({
    items: [{ source: 'mon' }, { source: 'other' }, { source: 'fri' }],
    dropped: [
      { source: 'mon again', why: 'same-origin' },
      { source: 'copy', why: 'same-origin' },
    ],
  })
  expect(sources(packFacts(ranked, { budgetTokens: 100, withHistory: true }).items)).toEqual([
    'mon',
    'other',
    'mon again',
    'copy',
    'fri',
  ])
})

test('closed facts come with the history alone', () => {
  const ranked = [item('old', 10, { isClosed: true }), item('new', 10)]
  expect(packFacts(ranked, { budgetTokens: 100 })).toMatchObject({
    items: [{ source: 'new' }],
    dropped: [{ source: 'old', why: 'superseded' }],
  })
  expect(sources(packFacts(ranked, { budgetTokens: 100, withHistory: true }).items)).toEqual(['old', 'new'])
})

test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('a budget of %d is refused', (budgetTokens) => {
  expect(() => packFacts([], { budgetTokens })).toThrow(RangeError)
})

test('10,000 random packs are within their budget, or hold the best fact alone; nothing is lost unnamed', () => {
  const random = randomFrom(7)
  const whole = (below: number) => Math.floor(random() * below)
  for (let run = 0; run < 10_000; run += 1) {
    const ranked = Array.from({ length: whole(12) }, (_, at) => {
      const giant = whole(20) === 0 ? 3_000 : 0
      return item(`${at}`, whole(60) + giant, {
        statement: `s${whole(6)}`,
        origin: whole(9) === 0 ? 'copy' : `o${whole(4)}`,
        isClosed: whole(8) === 0,
      })
    })
    const options = {
      budgetTokens: whole(4) === 0 ? 0 : whole(400),
      limit: whole(3) === 0 ? whole(5) : undefined,
      withHistory: whole(4) === 0,
    }
    const pack = packFacts(ranked, options)
    const total = pack.items.reduce((sum, { tokens }) => sum + tokens, 0)
    expect(pack.tokens).toBe(total)
    expect(pack.isOverBudget ? pack.items.length === 1 : total <= options.budgetTokens).toBe(true)
    expect(pack.items.length).toBeLessThanOrEqual(options.limit ?? ranked.length)
    expect([...sources(pack.items), ...pack.dropped.map(({ source }) => source)].sort()).toEqual(sources(ranked).sort())
    const isAnyOpen = ranked.some(({ isClosed }) => options.withHistory || !isClosed)
    expect(pack.items.length > 0 || options.budgetTokens === 0 || options.limit === 0 || !isAnyOpen).toBe(true)
    const best = ranked.find(({ isClosed }) => options.withHistory || !isClosed)
    expect(!pack.isOverBudget || pack.items[0] === best).toBe(true)
  }
})

test('facts that differ in a value are never one statement; the same words on two days are one of two origins', () => {
  const read = (line: string, date = '2026-03-01') =>
    readFacts(`# Day\nText.\n\n## Retain\n${line}\n`, { path: `memory/${date}.md` }).facts[0]
  const key = (line: string) => statementKey(read(line) ?? { entities: [], content: line })
  for (const [left, right] of [
    ['- W @a: pays 450', '- W @a: pays 540'],
    ['- W @a: room 101', '- W @a: room 102'],
    ['- W @a: likes tea', '- W @a: does not like tea'],
    ['- W @a: الإيجار ٤٥٠', '- W @a: الإيجار ٥٤٠'],
    ['- W @王伟: 喜欢茶', '- W @王伟: 不喜欢茶'],
    ['- W @a: x', '- W @b: x'],
  ] as const)
    expect(key(left)).not.toBe(key(right))
  expect(key('- W @a: Likes tea!')).toBe(key('- B @a: likes tea (on: 2026-02-01)'))
  const origin = (line: string, date: string, isCopy = false) =>
    originKey({ author: 'person', path: '', ...read(line, date), isCopy })
  expect(origin('- W @a: x', '2026-03-01')).not.toBe(origin('- W @a: x', '2026-03-02'))
  expect(origin('- W @a: x', '2026-03-01')).not.toBe(origin('- W @a: x (by: agent)', '2026-03-01'))
  expect(origin('- W @a: x', '2026-03-01', true)).toBe('copy')
})

test('a window is spread over its days, so that a busy one does not fill it', () => {
  const busy = Array.from({ length: 5 }, (_, at) => ({ name: `busy${at}`, from: '2026-03-02' }))
  const ranked = [
    ...busy,
    { name: 'late', from: '2026-03-30' },
    { name: 'undated', from: undefined },
    { name: 'before', from: '2026-02-01' },
  ]
  const spread = spreadOverDays(ranked, { from: '2026-03-01', to: '2026-03-31' }, ({ from }) =>
    from === undefined ? undefined : { from },
  )
  expect(spread.map(({ name }) => name).slice(0, 3)).toEqual(['busy0', 'late', 'undated'])
  expect(spread).toHaveLength(ranked.length)
})
