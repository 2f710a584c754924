import { createMemory, documents } from '@mnemark/core'
import { createInMemoryStore } from '@mnemark/store-memory'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { bankAnnotator } from '../facts/bank-annotator.ts'
import { FactRegistry, type FactState } from '../facts/fact-registry.ts'
import { writeFact } from '../retain/write-fact.ts'
import { curveOf } from './compute-opinion.ts'
import type { Opinion } from './opinion.ts'
import { type OpinionOptions, Opinions, opinionsOf } from './opinions-of.ts'
import { opinionLine } from './own-line.ts'

type Notes = Readonly<Record<string, string>>

const day = (...lines: readonly string[]): string => `# Day\nRain and wind.\n\n## Retain\n${lines.join('\n')}\n`
const log = (date: string, ...lines: readonly string[]): Notes => ({ [`memory/${date}.md`]: day(...lines) })
const TEA = '- O(c=0.80) @Mara: likes tea'
const NO_TEA = '- W @Mara: does not like tea'

async function stateOf(notes: Notes): Promise<FactState> {
  const workspace = documents(notes)
  const memory = await createMemory({
    store: createInMemoryStore(),
    workspace,
    annotators: [bankAnnotator()],
    caller: { agentId: 'main' },
  })
  try {
    return await memory.withIndex(({ snapshot }) => new FactRegistry().read(snapshot))
  } finally {
    await memory.close()
  }
}

async function opinions(notes: Notes, options?: OpinionOptions): Promise<readonly Opinion[]> {
  return opinionsOf(await stateOf(notes), options)
}

async function only(notes: Notes, options?: OpinionOptions): Promise<Opinion> {
  const [opinion, ...others] = await opinions(notes, options)
  expect(others).toEqual([])
  if (opinion === undefined) throw new Error('there is no opinion')
  return opinion
}

const shown = ({ confidence, groups, state }: Opinion) => [confidence.toFixed(3), groups.for, groups.against, state]

test('B109: copies and repetitions of one origin are one group, another day is another', async () => {
  const line = '- O(c=0.60) @Mara: prefers mail'
  const copies = {
    'MEMORY.md': day(line),
    'memory/dreaming/2026-03-03.md': day(line),
    'memory/archive/2026-03-02.md': day(line),
    'memory/2026-03-02-talk.md': day(line, line, '- W @Mara: prefers mail', '- W @Mara: Prefers mail!', line),
  }
  const monday = log('2026-03-02', line)
  const friday = log('2026-03-06', '- W @Mara: prefers mail')
  expect(shown(await only({ ...monday, ...copies }))).toEqual(['0.600', 0, 0, 'open'])
  expect(shown(await only({ ...monday, ...copies, ...friday }))).toEqual(['0.692', 1, 0, 'open'])
  expect(shown(await only({ ...monday, ...friday }))).toEqual(['0.692', 1, 0, 'open'])
  expect(shown(await only({ ...monday, ...copies, ...friday }, { asOf: '2026-03-05' }))).toEqual(['0.600', 0, 0, 'open'])
})

test('B103: a statement and its negation are one opinion with evidence for and against', async () => {
  const apart = await only({ ...log('2026-01-01', '- O @Mara: likes tea'), ...log('2026-01-02', '- O @Mara: does not like tea') })
  expect([apart.statement, ...shown(apart)]).toEqual(['likes tea', '0.333', 0, 1, 'open'])
  expect(apart.evidence.for.map(({ fact, weight }) => [fact.content, weight])).toEqual([['likes tea', 0]])
  expect(apart.evidence.against.map(({ fact, weight }) => [fact.content, weight])).toEqual([['does not like tea', 1]])
  const together = await only(log('2026-01-01', '- O @Mara: likes tea', '- O @Mara: does not like tea'))
  expect(shown(together)).toEqual(['0.333', 0, 1, 'open'])
})

test('B100: facts about the same entity are no evidence', async () => {
  const notes = {
    ...log('2026-01-01', '- O(c=0.80) @Mara: is a good treasurer of @Club'),
    ...log('2026-01-02', '- W @Mara: administers the mail list of @Club', '- W @Mara: asked @Nils for the keys'),
  }
  const opinion = await only(notes)
  expect(shown(opinion)).toEqual(['0.800', 0, 0, 'open'])
  const { undecided } = new Opinions().read(await stateOf(notes))
  expect(undecided.every((pair) => pair.opinion === opinion.id)).toBe(true)
})

test.each([
  ['likes tea', 'does not like tea'],
  ['likes tea', "doesn't like tea"],
  ['eats fish', 'no longer eats fish'],
  ['is tall', "isn't tall"],
  ['carries keys', 'does not carry keys'],
  ['يحب القهوة', 'لا يحب القهوة'],
  ['他喜欢电话', '他不喜欢电话'],
  ['mag Tee', 'mag keinen Tee'],
  ['aime le thé', "n'aime pas le thé"],
  ['come pescado', 'ya no come pescado'],
  ['любит чай', 'не любит чай'],
])('%j is negated by %j, in both directions', async (statement, negation) => {
  for (const [first, second] of [
    [statement, negation],
    [negation, statement],
  ])
    expect(
      shown(await only({ ...log('2026-01-01', `- O(c=0.8) @Mara: ${first}`), ...log('2026-01-02', `- W @Mara: ${second}`) })),
    ).toEqual(['0.667', 0, 1, 'open'])
})

test('weights: people, agents, relations, observations, judgements', async () => {
  const first = log('2026-01-01', TEA)
  const confidence = async (line: string, options?: OpinionOptions) =>
    (await only({ ...first, ...log('2026-01-02', line) }, options)).confidence.toFixed(4)
  expect(await confidence('- W @Mara: likes tea')).toBe('0.8571')
  expect(await confidence('- W @Mara: likes tea (by: agent)')).toBe('0.8305')
  expect(await confidence('- W @Mara: likes tea (by: agent)', { isRecalled: () => true })).toBe('0.8000')
  expect(await confidence('- S @Mara: likes tea')).toBe('0.8000')
  expect(await confidence('- S @Mara: poured a cup (confirms: "likes tea")')).toBe('0.8802')
  expect(await confidence('- W @Mara: poured it away (contradicts: "likes tea")')).toBe('0.6309')
  expect(await confidence('- W @Mara: poured it away (contradicts: "likes tea") (by: agent)')).toBe('0.7040')
})

test('a model is believed by half of its strength, a person as a relation', async () => {
  const notes = { ...log('2026-01-01', TEA), ...log('2026-01-02', '- B @Mara: left her tea standing') }
  const state = await stateOf(notes)
  const { opinions: read, undecided } = new Opinions().read(state)
  const [pair] = undecided
  expect(pair?.fact.content).toBe('left her tea standing')
  const verdict = { opinion: read[0]?.id ?? '', fact: pair?.fact.id ?? '', verdict: 'contradicts', strength: 0.8 } as const
  const judged = (by: 'model' | 'person') => new Opinions().read(state, { verdicts: [{ ...verdict, by }] })
  expect(judged('model').opinions[0]?.confidence.toFixed(4)).toBe('0.7519')
  expect(judged('person').opinions[0]?.confidence.toFixed(4)).toBe('0.6309')
  expect(judged('model').undecided).toEqual([])
})

test('turned by the five newest, retracted by its speaker, and said again', async () => {
  const against = Object.assign({}, ...[2, 3, 4, 5, 6].map((date) => log(`2026-01-0${date}`, NO_TEA)))
  expect(shown(await only({ ...log('2026-01-01', TEA), ...against }))).toEqual(['0.111', 0, 5, 'turning'])
  const retracted = { ...log('2026-01-01', TEA), ...log('2026-01-02', '- W @Mara: was mistaken (retracts: "likes tea")') }
  expect((await only(retracted)).state).toBe('retracted')
  expect((await only(retracted, { asOf: '2026-01-01' })).state).toBe('open')
  expect((await only({ ...retracted, ...log('2026-01-03', TEA) })).state).toBe('open')
  expect((await only(log('2026-01-01', '- ~~O(c=0.80) @Mara: likes tea~~'))).state).toBe('retracted')
  const byAgent = log('2026-01-02', '- W @Mara: was mistaken (retracts: "likes tea") (by: agent)')
  expect((await only({ ...log('2026-01-01', TEA), ...byAgent })).state).toBe('open')
})

test('long texts that share nine tenths are one origin', async () => {
  const words = Array.from({ length: 70 }, (_, at) => `word${at}`)
  const said = (text: string, date: string) => log(date, `- B @Mara: ${text} (contradicts: "likes tea")`)
  const notes = {
    ...log('2026-01-01', TEA),
    ...said(words.join(' '), '2026-01-02'),
    ...said(`${words.join(' ')} more`, '2026-01-03'),
  }
  expect((await only(notes)).groups.against).toBe(1)
  expect((await only({ ...notes, ...said(words.toReversed().join(' '), '2026-01-04') })).groups.against).toBe(2)
})

const page = (...lines: readonly string[]): Notes => ({
  'bank/opinions.md': `# Opinions\nWhat is believed.\n\n${lines.join('\n')}\n`,
})
const written = async (notes: Notes, options?: OpinionOptions): Promise<Notes> => {
  const lines = (await opinions(notes, options)).map((opinion) => writeFact(opinionLine(opinion)))
  return { ...notes, ...page(...lines) }
}
const LOGS = { ...log('2026-03-14', TEA), ...log('2026-03-16', '- W @Mara: likes tea'), ...log('2026-03-18', NO_TEA) }

test('the page written from the opinions reads as the same opinions', async () => {
  const [before, once] = [await only(LOGS), await written(LOGS)]
  expect(once['bank/opinions.md']).toContain('- O(c=0.75) @Mara: likes tea (stated: 0.80 on 2026-03-14)')
  const after = await only(once)
  expect([after.id, after.confidence, after.groups]).toEqual([before.id, before.confidence, before.groups])
  expect(await written(once)).toEqual(once)
})

test('a number that a person types stays through further runs, absorbs what was listed, and moves by what is new', async () => {
  const run = (notes: Notes) => written(notes, { today: '2026-05-01' })
  const once = await run(LOGS)
  let notes: Notes = { ...once, 'bank/opinions.md': (once['bank/opinions.md'] ?? '').replace('c=0.75', 'c=0.40') }
  for (const _ of [1, 2, 3, 4]) {
    notes = await run(notes)
    expect((await only(notes)).confidence).toBe(0.4)
    expect(notes['bank/opinions.md']).toContain('O(c=0.40) @Mara: likes tea (stated: 0.40 on 2026-05-01)')
  }
  expect((await only(notes, { asOf: '2026-04-30' })).confidence.toFixed(4)).toBe('0.7500')
  const more = { ...notes, ...log('2026-05-02', '- W @Mara: likes tea') }
  expect(shown(await only(more))).toEqual(['0.500', 1, 0, 'open'])
  const { 'memory/2026-03-16.md': _, ...without } = more
  expect((await only(without)).confidence).toBe((await only(more)).confidence)
})

test('lines in the managed block are the own lines too, and a number of another formula is nobody’s', async () => {
  const block = (formula: string, number: string) => ({
    ...LOGS,
    'bank/opinions.md': `# Opinions\nWhat is believed.\n\n<!-- mnemark:bank:start v=1 ${formula} -->\n- O(c=${number}) @Mara: likes tea (stated: 0.80 on 2026-03-14)\n<!-- mnemark:bank:end -->\n`,
  })
  expect((await only(block('formula=1', '0.80'))).anchor).toMatchObject({ confidence: 0.8, isTyped: false, day: '2026-03-14' })
  expect((await only(block('formula=1', '0.33'))).anchor).toMatchObject({ confidence: 0.33, isTyped: true })
  expect((await only(block('formula=9', '0.33'))).anchor).toMatchObject({ confidence: 0.8, isTyped: false })
  expect(shown(await only(block('formula=9', '0.33')))).toEqual(['0.750', 1, 1, 'open'])
})

test('a typed 1 is shown as typed and computed with 0.95', async () => {
  const once = await written({ ...page('- O(c=1) @Mara: likes tea') })
  expect((await only(once)).confidence).toBe(1)
  expect((await only({ ...once, ...log('2026-05-02', NO_TEA) })).confidence.toFixed(4)).toBe('0.9048')
})

test('an edited statement stays one opinion where four of five words and the polarity do', async () => {
  const notes = log('2026-03-14', '- O(c=0.80) @Mara: prefers short mails in the morning')
  const once = await written(notes)
  const edited = (text: string) =>
    opinions({
      ...once,
      'bank/opinions.md': (once['bank/opinions.md'] ?? '').replace('prefers short mails in the morning', text),
    })
  const [before] = await opinions(notes)
  const same = await edited('prefers brief mails in the morning')
  expect(same.map(({ id, statement }) => [id, statement])).toEqual([[before?.id, 'prefers brief mails in the morning']])
  const other = await edited('hates tea')
  expect(other.map(({ statement, state }) => [statement, state])).toEqual([
    ['hates tea', 'open'],
    ['prefers short mails in the morning', 'retracted'],
  ])
  expect(other[1]?.replacedBy).toBe(other[0]?.id)
})

test('a deleted opinion never comes back from the same evidence', async () => {
  const opinion = await only(LOGS)
  const known = [...opinion.evidence.for, ...opinion.evidence.against].map(({ fact }) => fact.id)
  const deleted = [{ opinion: opinion.id, evidence: known }]
  const same = new Opinions().read(await stateOf(LOGS), { deleted })
  expect([same.opinions, same.returning]).toEqual([[], []])
  const more = new Opinions().read(await stateOf({ ...LOGS, ...log('2026-04-01', TEA) }), { deleted })
  expect([more.opinions.length, more.returning.map(({ id }) => id)]).toEqual([0, [opinion.id]])
})

test('the curve is the opinion as of each day', async () => {
  const opinion = await only(LOGS)
  const curve = curveOf(opinion)
  expect(curve.map((point) => [point.day, point.confidence.toFixed(3)])).toEqual([
    ['2026-03-14', '0.800'],
    ['2026-03-16', '0.857'],
    ['2026-03-18', '0.750'],
  ])
  for (const point of curve) expect((await only(LOGS, { asOf: point.day })).confidence).toBe(point.confidence)
  expect(await opinions(LOGS, { asOf: '2026-03-01' })).toEqual([])
})

test('only opinions whose entity has other facts are computed again', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `@P${String.fromCharCode(97 + (at % 26))}${at}x`)
  const workspace = documents(
    Object.assign(
      {},
      ...names.map((name, at) => log(`2026-01-${String((at % 28) + 1).padStart(2, '0')}-${at}`, `- O(c=0.7) ${name}: likes tea`)),
    ),
  )
  const memory = await createMemory({
    store: createInMemoryStore(),
    workspace,
    annotators: [bankAnnotator()],
    caller: { agentId: 'main' },
  })
  onTestFinished(() => memory.close())
  const [registry, kept] = [new FactRegistry(), new Opinions()]
  const read = () => memory.withIndex(async ({ snapshot }) => kept.read(await registry.read(snapshot)).opinions)
  expect(await read()).toHaveLength(40)
  expect(kept.computed).toBe(40)
  workspace.put('memory/2026-02-01.md', day(`- W ${names[3]}: does not like tea`, `- W ${names[5]}: likes tea`))
  await memory.sync()
  expect((await read()).filter(({ groups }) => groups.for + groups.against > 0)).toHaveLength(2)
  expect(kept.computed).toBe(42)
})

const LINE = fc.record({
  day: fc.integer({ min: 1, max: 9 }),
  text: fc.constantFrom(
    'O(c=0.7) @Mara: likes tea',
    'W @Mara: likes tea',
    'W @Mara: does not like tea',
    'B @Mara: spat (contradicts: "likes tea")',
  ),
  by: fc.constantFrom('', ' (by: agent)'),
})

test('order decides nothing, copies add nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(LINE, { minLength: 1, maxLength: 8 }), fc.nat(), async (lines, turn) => {
      const said = lines.map(({ day: date, text, by }, at) => log(`2026-03-0${date}-${at}`, `- ${text}${by}`))
      const notes: Notes = Object.assign({}, log('2026-02-01', TEA), ...said)
      const turned = [...said.slice(turn % said.length), ...said.slice(0, turn % said.length)].reverse()
      const other: Notes = Object.assign({}, ...turned, log('2026-02-01', TEA))
      const copies = Object.fromEntries(
        Object.entries(notes).map(([path, text]) => [path.replace('memory/', 'memory/archive/'), text]),
      )
      const plain = await only(notes)
      for (const one of [await only(other), await only({ ...notes, ...copies })])
        expect([one.id, one.confidence, one.groups, one.state]).toEqual([plain.id, plain.confidence, plain.groups, plain.state])
    }),
    { numRuns: 25 },
  )
})

test('a note that is deleted is as if it had never been there', async () => {
  const store = createInMemoryStore()
  const workspace = documents({ ...LOGS, ...log('2026-03-20', '- W @Mara: likes tea') })
  const memory = await createMemory({ store, workspace, annotators: [bankAnnotator()], caller: { agentId: 'main' } })
  onTestFinished(() => memory.close())
  const [registry, kept] = [new FactRegistry(), new Opinions()]
  const read = () => memory.withIndex(async ({ snapshot }) => kept.read(await registry.read(snapshot)).opinions.map(shown))
  expect(await read()).toEqual([['0.800', 2, 1, 'open']])
  workspace.remove('memory/2026-03-20.md')
  await memory.sync()
  expect(await read()).toEqual((await opinions(LOGS)).map(shown))
})
