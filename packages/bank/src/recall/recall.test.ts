import { createMemory, documents } from '@mnemark/core'
import { createInMemoryStore } from '@mnemark/store-memory'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bankAnnotator } from '../facts/bank-annotator.ts'
import { createRecall, type RecallOptions } from './recall.ts'
import type { RecalledFact, RecallQuery } from './recall-reply.ts'

const NOW = Date.UTC(2026, 2, 14, 12)

async function recallOver(notes: Readonly<Record<string, string>>, options: Partial<RecallOptions> = {}) {
  const memory = await createMemory({
    store: createInMemoryStore(),
    workspace: documents(notes),
    annotators: [bankAnnotator()],
    caller: { agentId: 'main' },
    now: () => NOW,
    settings: { timeZone: 'UTC' },
  })
  onTestFinished(() => memory.close())
  const recall = createRecall({ memory, now: () => NOW, timeZone: 'UTC', ...options })
  return (text: string, query: Omit<RecallQuery, 'text'> = {}) => recall({ text, ...query })
}

function day(retain: string): string {
  return `# Day\nRain and wind.\n\n## Retain\n${retain}\n`
}

function contents(facts: readonly RecalledFact[]): readonly string[] {
  return facts.map(({ content }) => content)
}

const SLOTS = '---\nslots:\n  home: ["lives in", "moved to"]\n---\n\n# Slots\n'
const OSLO = day('- W @Mara: lives in Oslo')
const BERGEN = day('- W @Mara: moved to Bergen (supersedes: "lives in Oslo")\n- B @Mara: bought a boat')

test('the line that a fact was taken from is not told beside it', async () => {
  const recall = await recallOver({
    'memory/2026-02-04.md': '# Wednesday\n- Mara prefers the ferry to the train.\n- Mara missed the ferry.\n',
    'memory/2026-02-05.md': day('- O @Mara: prefers the ferry to the train (on: 2026-02-04) (see memory/2026-02-04.md#L2-L2)'),
  })
  const { facts } = await recall('does Mara like the ferry')
  expect(facts.map(({ source }) => source)).toEqual(['memory/2026-02-05.md#L5-L5', 'memory/2026-02-04.md#L3-L3'])
})

test('a passage belongs to the day it was written on, whatever days it names', async () => {
  const recall = await recallOver({
    'memory/2026-02-04.md': '# Wednesday\n- The trip to Spain shall be in June 2026.\n- The trip is too dear, says Nils.\n',
    'memory/2026-02-20.md': '# Friday\n- The trip to Spain was booked.\n',
  })
  const of = async (text: string) => contents((await recall(text)).facts)
  expect((await of('what did we say about the trip on 4 February 2026')).slice(0, 2).toSorted()).toEqual([
    'The trip is too dear, says Nils.',
    'The trip to Spain shall be in June 2026.',
  ])
  expect((await of('the trip to Spain in June 2026'))[0]).toBe('The trip to Spain shall be in June 2026.')
})

describe('values over time', () => {
  const notes = { 'bank/slots.md': SLOTS, 'memory/2024-05-01.md': OSLO, 'memory/2026-03-01.md': BERGEN }

  test('now: the value that holds, with the earlier one under it', async () => {
    const recall = await recallOver(notes)
    const { facts } = await recall('where does Mara live now?')
    expect(facts[0]).toMatchObject({
      kind: 'world',
      timestamp: '2026-03-01',
      entities: ['Mara'],
      content: 'moved to Bergen',
      source: 'memory/2026-03-01.md#L5-L5',
      slot: 'home',
      earlier: [{ content: 'lives in Oslo', timestamp: '2024-05-01', source: 'memory/2024-05-01.md#L5-L5' }],
    })
    expect(facts[0]?.until).toBeUndefined()
    expect(contents(facts)).not.toContain('lives in Oslo')
  })

  test('then: a state is answered by what was said before, and its own day', async () => {
    const recall = await recallOver(notes)
    const { facts, read } = await recall('where did Mara live in November 2025?')
    expect(read).toEqual({ entities: ['Mara'], since: '2025-11-01', until: '2025-11-30' })
    expect(facts[0]).toMatchObject({ content: 'lives in Oslo', timestamp: '2024-05-01', until: '2026-02-28' })
    expect(contents(facts)).not.toContain('moved to Bergen')
  })

  test('as of a day nothing later is known to the answer', async () => {
    const recall = await recallOver(notes)
    const { facts } = await recall('where does Mara live', { asOf: '2025-12' })
    expect(facts[0]).toMatchObject({ content: 'lives in Oslo' })
    expect(facts[0]?.until).toBeUndefined()
    expect(JSON.stringify(facts)).not.toContain('Bergen')
  })

  test('true then and known then differ for a note that came late', async () => {
    const knownSince = ({ path }: { readonly path: string }) => (path === 'memory/2024-05-01.md' ? '2026-03-10' : undefined)
    const recall = await recallOver(notes, { knownSince })
    const then = { asOf: '2025-12-01' }
    expect(contents((await recall('where does Mara live', then)).facts)).toContain('lives in Oslo')
    expect((await recall('where does Mara live', { ...then, knownOn: '2026-03-05' })).facts).toEqual([])
    expect(contents((await recall('where does Mara live', { ...then, knownOn: '2026-03-10' })).facts)).toContain('lives in Oslo')
  })

  test('B97: the order in which notes come decides nothing', async () => {
    const orders = [notes, { 'memory/2026-03-01.md': BERGEN, 'memory/2024-05-01.md': OSLO, 'bank/slots.md': SLOTS }]
    const answers = await Promise.all(orders.map(async (order) => (await recallOver(order))('where does Mara live')))
    expect(answers[0]?.facts).toEqual(answers[1]?.facts)
  })

  test('history shows each value as a fact of its own', async () => {
    const recall = await recallOver(notes)
    const { facts } = await recall('where does Mara live', { withHistory: true })
    expect(facts.map(({ content, state }) => [content, state])).toEqual(
      expect.arrayContaining([
        ['moved to Bergen', undefined],
        ['lives in Oslo', 'closed'],
      ]),
    )
  })

  test('without a declared slot all values stand, the newest first', async () => {
    const recall = await recallOver({
      'memory/2025-01-01.md': day('- O @Mara: likes tea for breakfast'),
      'memory/2026-01-01.md': day('- O @Mara: likes bread for breakfast'),
    })
    const { facts, read } = await recall('what does Mara prefer for breakfast')
    expect(read.wish).toBe('preference')
    expect(contents(facts)).toEqual(['likes bread for breakfast', 'likes tea for breakfast'])
    expect(facts.every(({ state }) => state === undefined)).toBe(true)
  })
})

test('B100: facts about one entity do not retire each other', async () => {
  const recall = await recallOver({
    'memory/2026-01-01.md': day('- W @Mara: is treasurer of @Club'),
    'memory/2026-01-02.md': day('- W @Mara: administers the mail list of @Club'),
    'memory/2026-01-03.md': day('- W @Mara: asked @Nils for the keys'),
  })
  const { facts } = await recall('what do we know about Mara')
  expect(facts).toHaveLength(3)
  expect(facts.every(({ state, earlier }) => state === undefined && earlier === undefined)).toBe(true)
})

test('B92: names that differ in a digit are two', async () => {
  const lines = ['Room-101', 'Room-102', 'v1.2', 'v1.20', 'غرفة١', 'غرفة٢'].map((name) => `- W @${name}: has a story of ${name}`)
  const recall = await recallOver({ 'memory/2026-01-01.md': day(lines.join('\n')) })
  for (const [question, name] of [
    ['what about Room 101?', 'Room-101'],
    ['what about v1.2', 'v1.2'],
    ['ماذا عن غرفة١', 'غرفة١'],
  ] as const) {
    const { facts } = await recall(question)
    expect(facts.filter(({ kind }) => kind !== 'note').map(({ entities }) => entities)).toEqual([[name]])
  }
})

test('an alias of a page in another script finds the facts of the entity, and its plain passages', async () => {
  const recall = await recallOver({
    'bank/entities/Mara.md': '---\naliases: [مارا, 玛拉]\n---\n\n# Mara\n',
    'memory/2026-01-01.md': day('- W @مارا: تسكن في أوسلو'),
    'memory/2026-01-02.md': '# Day\nمارا باعت القارب.\n',
  })
  const { facts, read } = await recall('What do we know about 玛拉?')
  expect(read.entities).toEqual(['Mara'])
  expect(contents(facts)).toEqual(['مارا باعت القارب.', 'تسكن في أوسلو'].toReversed())
  expect(facts.map(({ kind }) => kind)).toEqual(['world', 'note'])
})

test('corrected, retracted and proposed: below what replaced it, with the reason', async () => {
  const recall = await recallOver({
    'memory/2026-01-01.md': day('- W @Router: has port 4455\n- W @Router: stands in the hall\n- W @Router: is silver'),
    'memory/2026-02-01.md': day(
      '- W @Router: has port 7788 (corrects: "has port 4455")\n- W @Router: was never in the hall (retracts: "stands in the hall")\n- W @Router: is black (corrects: "is silver") (by: agent)',
    ),
  })
  const { facts } = await recall('what do we know about the Router')
  const whys = new Map(
    facts.map(({ content, earlier = [] }) => [content, earlier.map(({ why, content: of }) => `${why}: ${of}`)]),
  )
  expect(Object.fromEntries(whys)).toEqual({
    'has port 7788': ['corrected: has port 4455'],
    'was never in the hall': ['retracted: stands in the hall'],
    'is silver': ['proposed correction: is black'],
    'is black': [],
  })
  // A question in the words of the old value is answered by the new one.
  expect((await recall('who has port 4455')).facts[0]).toMatchObject({ content: 'has port 7788' })
})

test('a chain of corrections is answered by its end, also where only its beginning holds the words', async () => {
  const recall = await recallOver({
    'memory/2026-01-01.md': day('- W @Router: uses channel eleven'),
    'memory/2026-01-02.md': day('- W @Router: is set to six (supersedes: "uses channel eleven")'),
    'memory/2026-01-03.md': day('- W @Router: now stands on one (supersedes: "is set to six")'),
    'memory/2026-01-04.md': day('- W @Lamp: has bulb A (corrects: "has bulb B")\n- W @Lamp: has bulb B (corrects: "has bulb A")'),
  })
  expect(contents((await recall('uses channel eleven', { kinds: ['world'] })).facts)).toEqual(['now stands on one'])
  expect(contents((await recall('what do we know about the Router', { kinds: ['world'] })).facts)).toEqual(['now stands on one'])
  // A circle has no end; nothing of it is lost on request.
  expect((await recall('bulb of the Lamp', { kinds: ['world'] })).facts).toEqual([])
  expect((await recall('bulb of the Lamp', { kinds: ['world'], withHistory: true })).facts).toHaveLength(2)
})

test('B103: an opinion and what denies it are one answer with evidence both ways', async () => {
  const recall = await recallOver({
    'memory/2026-01-01.md': day('- O(c=0.8) @Mara: likes tea'),
    'memory/2026-01-02.md': day('- O @Mara: does not like tea'),
  })
  const { facts } = await recall('does Mara like tea')
  expect(facts).toMatchObject([
    {
      content: 'likes tea',
      evidence: {
        for: [{ quote: 'likes tea', source: 'memory/2026-01-01.md#L5-L5', timestamp: '2026-01-01' }],
        against: [{ quote: 'does not like tea', source: 'memory/2026-01-02.md#L5-L5', timestamp: '2026-01-02' }],
        groups: { for: 0, against: 1 },
      },
    },
  ])
  expect(facts[0]?.confidence).toBeCloseTo(0.6667, 4)
  expect(contents((await recall('does Mara like tea', { since: '2026-01-02' })).facts)).toEqual(['does not like tea'])
})

test('an opinion that turns says so, with the newest line against first; at most two lines each way', async () => {
  const against = Object.fromEntries(
    [2, 3, 4, 5, 6].map((date) => [`memory/2026-01-0${date}.md`, day('- W @Mara: does not like tea')]),
  )
  const recall = await recallOver({ 'memory/2026-01-01.md': day('- O(c=0.8) @Mara: likes tea'), ...against })
  const opinion = (await recall('does Mara like tea', { kinds: ['opinion'] })).facts[0]
  expect(opinion).toMatchObject({ state: 'turning', evidence: { groups: { for: 0, against: 5 } } })
  expect(opinion?.evidence?.against.map(({ timestamp }) => timestamp)).toEqual(['2026-01-06', '2026-01-05'])
})

describe('B95: days', () => {
  const notes = {
    'memory/2023-05-01.md': day('- B @Relay: got port 9077 for release notes'),
    'memory/2026-03-02.md': day('- B @Relay: was moved'),
  }

  test.each(['config of port 9077', 'release notes 2023 build', 'port 9077'])('%s names none', async (question) => {
    const { read, facts } = await (await recallOver(notes))(question)
    expect([read.since, read.until]).toEqual([undefined, undefined])
    expect(contents(facts)[0]).toBe('got port 9077 for release notes')
  })

  test('a window takes what happened in it', async () => {
    const { facts, nearest } = await (await recallOver(notes))('what happened with Relay in 2023')
    expect(contents(facts)).toEqual(['got port 9077 for release notes'])
    expect(nearest).toBeUndefined()
  })

  test('a window without anything says so and names the nearest dated fact', async () => {
    const { facts, nearest, degraded } = await (await recallOver(notes))('what happened with Relay in June 2024')
    expect(facts).toEqual([])
    expect(nearest).toMatchObject({ content: 'got port 9077 for release notes', timestamp: '2023-05-01' })
    expect(degraded).toMatchObject([{ code: 'filter-unmatched', message: expect.stringContaining('2024-06-01 to 2024-06-30') }])
  })

  test('days given as options replace those of the question', async () => {
    const { facts } = await (await recallOver(notes))('what happened with Relay in 2023', { since: '2026-03', until: '2026-03' })
    expect(contents(facts)).toEqual(['was moved'])
  })
})

test('B94: budgets', async () => {
  const long = `keeps a list: ${'lamp, anchor, kettle, ladder, '.repeat(30)}`
  const recall = await recallOver({
    'memory/2026-01-01.md': day(`- W @Mara: rents ${long} boats\n- W @Mara: rents a boat\n- W @Mara: rents one oar`),
  })
  const ask = (budgetTokens: number) => recall('what does Mara rent', { budgetTokens, kinds: ['world'] })
  expect(await ask(0)).toMatchObject({ facts: [], isOverBudget: false })
  expect((await ask(1)).isOverBudget).toBe(true)
  expect((await ask(1)).facts).toHaveLength(1)
  const short = await ask(60)
  expect(contents(short.facts).toSorted()).toEqual(['rents a boat', 'rents one oar'])
  expect(short.dropped).toEqual([{ source: 'memory/2026-01-01.md#L5-L5', why: 'budget' }])
  expect((await ask(4_000)).facts).toHaveLength(3)
})

test('one line for each origin; the same said on another day is another', async () => {
  const line = '- O @Mara: prefers mail'
  const recall = await recallOver({
    'memory/2026-01-01.md': day(line),
    'memory/2026-01-01-later.md': day(line),
    'memory/2026-01-05.md': day(line),
  })
  const { facts, dropped } = await recall('what does Mara prefer')
  expect(facts.map(({ timestamp }) => timestamp)).toEqual(['2026-01-05', '2026-01-01'])
  expect(dropped).toMatchObject([{ why: 'same-origin' }])
})

test('a passage is cut to the bullet that answers and cited by its line', async () => {
  const recall = await recallOver({
    'memory/2026-01-01.md': '# Day\n\n- rain all day\n- [x] the ferry ticket costs 40 crowns\n- phone call with the bank\n',
  })
  const { facts, mode } = await recall('how much is the ferry ticket')
  expect(facts[0]).toMatchObject({
    kind: 'note',
    content: 'the ferry ticket costs 40 crowns',
    source: 'memory/2026-01-01.md#L4-L4',
    timestamp: '2026-01-01',
    quoteHash: expect.stringMatching(/^q1\./),
  })
  expect(mode).toBe('keywords')
})

test.each(['who is Zed', 'ما كلمة السر'])('%s is answered by no word of the notes, and so by nothing', async (question) => {
  const recall = await recallOver({
    'memory/2026-01-01.md': day('- O @Pieter: cleaning by hand is safer than matching'),
    'memory/2026-01-02.md':
      '# Day\nWhat runs where is written down: `{ port: 1 }`.\n\n| what | model |\n| --- | --- |\n| lamp | A |\n',
  })
  const { facts, nearest } = await recall(question)
  expect([facts, nearest]).toEqual([[], undefined])
})

test('kinds are left out only on request', async () => {
  const recall = await recallOver({
    'memory/2026-01-01.md': day('- W @Mara: owns a boat\n- O @Mara: likes the boat\n- B @Mara: painted the boat'),
    'memory/2026-01-02.md': '# Day\nThe boat of Mara leaks.\n',
  })
  const kindsOf = async (kinds?: RecallQuery['kinds']) =>
    [...new Set((await recall('Mara boat', { kinds })).facts.map(({ kind }) => kind))].toSorted()
  expect(await kindsOf()).toEqual(['experience', 'note', 'opinion', 'world'])
  expect(await kindsOf(['opinion'])).toEqual(['opinion'])
  expect(await kindsOf(['note'])).toEqual(['note'])
})

test('a filter hides facts, their corrections, names and the nearest one', async () => {
  const recall = await recallOver({
    'bank/entities/Mara.md': '---\naliases: [Bluebird]\n---\n\n# Mara\n',
    'memory/2026-01-01.md': day('- W @Mara: has port 4455'),
    'memory/2026-02-01.md': day('- W @Mara: has port 7788 (corrects: "has port 4455")'),
  })
  const filter = { paths: ['memory/2026-01-*.md'] }
  const { facts } = await recall('what port has Mara', { filter })
  expect(facts[0]).toMatchObject({ content: 'has port 4455' })
  expect(facts[0]?.state).toBeUndefined()
  expect(JSON.stringify(facts)).not.toContain('7788')
  expect((await recall('who is Bluebird', { filter })).read.entities).toEqual([])
  const empty = await recall('what happened with Mara in 2020', { filter: { paths: ['none/**'] } })
  expect(empty.nearest).toBeUndefined()
})

test('hidden facts take no place of others, however well they match', async () => {
  const hidden = Array.from({ length: 40 }, (_, at) => `- W: the ferry ticket of cabin ${at} costs ${at} crowns`)
  const recall = await recallOver({
    'memory/2026-01-01.md': day(hidden.join('\n')),
    'memory/2026-01-02.md': day('- W: a ticket for the ferry to the islands costs more in summer than one would think'),
  })
  const { facts } = await recall('what does the ferry ticket cost', { filter: { excludePaths: ['memory/2026-01-01.md'] } })
  expect(contents(facts)).toEqual(['a ticket for the ferry to the islands costs more in summer than one would think'])
})

test('without a record of it, knownOn leaves nothing out and says so', async () => {
  const recall = await recallOver({ 'memory/2026-01-01.md': day('- W @Mara: owns a boat') })
  const { facts, degraded } = await recall('what does Mara own', { knownOn: '2020-01-01' })
  expect([contents(facts), degraded]).toMatchObject([['owns a boat'], [{ code: 'filter-unmatched' }]])
})

test.each([
  [{ limit: 0 }, 'limit'],
  [{ limit: 101 }, 'limit'],
  [{ budgetTokens: -1 }, 'budgetTokens'],
  [{ since: 'soonish' }, 'since'],
  [{ since: '2026-03-02', until: '2026-03-01' }, 'since'],
  [{ kinds: ['secret'] }, 'kinds'],
] as const)('%j is refused', async (query, name) => {
  const recall = await recallOver({ 'memory/2026-01-01.md': day('- W @Mara: owns a boat') })
  const asked: Promise<unknown> = Promise.resolve().then(() => recall('boat', Object(query)))
  await expect(asked).rejects.toMatchObject({ code: 'invalid-value', message: expect.stringContaining(`${name}:`) })
})

test.each(['', ' ? ', '-- "', '\u0000', '('.repeat(5_000)])('%j is no question and gives nothing', async (text) => {
  const recall = await recallOver({ 'memory/2026-01-01.md': day('- W @Mara: owns a boat') })
  expect((await recall(text)).facts).toEqual([])
})
