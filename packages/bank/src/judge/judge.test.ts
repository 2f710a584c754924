import { type GenerateRequest, ProviderError } from '@mnemark/spec'
import { describe, expect, test } from 'vitest'
import type { AskModel, ModelAnswer } from './ask-model.ts'
import { judgePairs, type PairToJudge } from './judge-pairs.ts'
import { quoteIn } from './quote-in.ts'
import { wordSummary } from './word-summary.ts'

const PAIRS: readonly PairToJudge[] = [
  { opinion: 'o1', statement: 'prefers mail', fact: 'f1', line: '- W @Mara: asked for a letter instead of a call' },
  { opinion: 'o1', statement: 'prefers mail', fact: 'f2', line: '- B @Mara: تتصل دائما بالهاتف' },
  { opinion: 'o2', statement: 'likes the sea', fact: 'f1', line: '- W @Mara: asked for a letter instead of a call' },
]

function answering(text: string, more: Partial<ModelAnswer> = {}) {
  const requests: GenerateRequest[] = []
  const ask: AskModel = async (request) => {
    requests.push(request)
    return { text, finishReason: 'stop', model: 'scripted', ...more }
  }
  return { ask, requests }
}

function verdict(pair: string, more: object = {}) {
  return { pair, verdict: 'supports', strength: 0.8, quote: 'asked for a letter', ...more }
}

test('verdicts come with the ids of the pairs, the quote and the model', async () => {
  const answer = [
    verdict('p1'),
    verdict('p2', { verdict: 'contradicts', strength: 1, quote: 'تتصل  دائما' }),
    verdict('p3', { verdict: 'unrelated', strength: 0, quote: 'whatever' }),
  ]
  const { ask, requests } = answering(JSON.stringify({ verdicts: answer }))
  expect(await judgePairs(PAIRS, ask)).toEqual({
    verdicts: [
      { opinion: 'o1', fact: 'f1', verdict: 'supports', strength: 0.8, quote: 'asked for a letter', model: 'scripted' },
      { opinion: 'o1', fact: 'f2', verdict: 'contradicts', strength: 1, quote: 'تتصل  دائما', model: 'scripted' },
      { opinion: 'o2', fact: 'f1', verdict: 'unrelated', strength: 0, quote: '', model: 'scripted' },
    ],
    refusals: [],
    unquoted: 0,
  })
  // The ids of the bank are not shown, so that none can be made up.
  expect(requests[0]?.prompt).not.toMatch(/"[of]\d"/)
})

test('a verdict whose quote does not stand in its line is dropped', async () => {
  const answer = [
    verdict('p1', { quote: 'asked for a phone call' }),
    verdict('p2', { quote: 'asked for a letter' }),
    verdict('p3'),
  ]
  const reply = await judgePairs(PAIRS, answering(JSON.stringify({ verdicts: answer })).ask)
  expect([reply.verdicts.map(({ opinion }) => opinion), reply.unquoted]).toEqual([['o2'], 2])
})

test.each([
  ['another id', JSON.stringify({ verdicts: [verdict('p1'), verdict('p9')] }), {}, 'unknown-id'],
  ['an id of the bank', JSON.stringify({ verdicts: [verdict('f1')] }), {}, 'unknown-id'],
  ['one pair twice', JSON.stringify({ verdicts: [verdict('p1'), verdict('p1', { verdict: 'unsure' })] }), {}, 'unknown-id'],
  ['half JSON', '{"verdicts":[{"pair":"p1","verd', {}, 'no-json'],
  ['words', 'Sure! Here is the JSON you asked for: {}', {}, 'no-json'],
  ['another form', '[]', {}, 'wrong-form'],
  ['another verdict', JSON.stringify({ verdicts: [verdict('p1', { verdict: 'maybe' })] }), {}, 'wrong-form'],
  ['a strength out of range', JSON.stringify({ verdicts: [verdict('p1', { strength: 7 })] }), {}, 'wrong-form'],
  ['10 MB', JSON.stringify({ verdicts: [verdict('p1', { quote: 'x'.repeat(10_000_000) })] }), {}, 'too-long'],
  ['an answer that was cut off', JSON.stringify({ verdicts: [verdict('p1')] }), { finishReason: 'length' }, 'truncated'],
  ['a refusal', '', { finishReason: 'refused' }, 'refused'],
  ['what the service held back', '', { finishReason: 'filtered' }, 'refused'],
] as const)('%s: nothing of it is used, and the reason is named', async (_name, text, more, reason) => {
  const reply = await judgePairs(PAIRS, answering(text, more).ask)
  expect(reply).toMatchObject({ verdicts: [], refusals: [{ reason }] })
  expect(reply.refusals[0]?.message).not.toContain('letter')
})

test('no model answers: the reason is told; another error and an aborted signal are not swallowed', async () => {
  const away: AskModel = async () =>
    Promise.reject(new ProviderError('quota', "today's tokens are used up", { provider: 'acme' }))
  expect(await judgePairs(PAIRS, away)).toMatchObject({ verdicts: [], refusals: [{ reason: 'unavailable' }] })
  await expect(judgePairs(PAIRS, async () => Promise.reject(new TypeError('a mistake')))).rejects.toThrow('a mistake')
  const controller = new AbortController()
  controller.abort(new Error('enough'))
  await expect(judgePairs(PAIRS, away, { signal: controller.signal })).rejects.toThrow('enough')
})

test('many pairs go in several requests, and one bad answer does not spoil the others', async () => {
  const pairs = Array.from({ length: 45 }, (_, at) => ({
    opinion: `o${at}`,
    statement: 's',
    fact: 'f',
    line: 'asked for a letter',
  }))
  let calls = 0
  const ask: AskModel = async ({ prompt }) => {
    calls += 1
    const shown: readonly { readonly pair: string }[] = JSON.parse(prompt)
    const text = calls === 2 ? 'no' : JSON.stringify({ verdicts: shown.map(({ pair }) => verdict(pair)) })
    return { text, finishReason: 'stop', model: 'scripted' }
  }
  const reply = await judgePairs(pairs, ask)
  expect([calls, reply.verdicts.length, reply.refusals.length]).toEqual([3, 25, 1])
  calls = 2
  expect((await judgePairs(pairs, ask, { tokensPerRequest: 1 })).verdicts).toHaveLength(45)
})

test.each([
  ['a long line of words', 'line of', true],
  ['a long line', '  long\n line ', true],
  ['a long line', '', false],
  ['a long line', 'a', false],
  ['a long line', '. -', false],
  ['Cafe\u0301 at noon', 'Caf\u00e9', true],
  ['他不喜欢电话', '不', true],
  ['ok', 'ok', true],
])('in %j stands %j: %s', (text, quote, isThere) => {
  expect(quoteIn(text, quote)).toBe(isThere)
})

describe('a summary', () => {
  const FACTS = [
    { id: 'k1', content: 'lives in Oslo', day: '2024-05-01' },
    { id: 'k2', content: 'moved to Bergen with ٣ cats', day: '2026-03-05' },
  ]
  const sum = (sentences: unknown, more: Partial<ModelAnswer> = {}) =>
    wordSummary('Room 7', FACTS, answering(JSON.stringify({ sentences }), more).ask)

  test('names the facts of each sentence', async () => {
    const text = 'In Room 7 they moved to Bergen on 5 March 2026, with 3 cats.'
    expect(await sum([{ text, facts: ['f2', 'f2'] }])).toEqual({ model: 'scripted', sentences: [{ text, facts: ['k2'] }] })
  })

  test.each([
    ['an id it was not shown', [{ text: 'Lives in Bergen.', facts: ['f3'] }], 'unknown-id'],
    ['no fact', [{ text: 'Lives in Bergen.', facts: [] }], 'wrong-form'],
    ['a number of its own', [{ text: 'Moved 2 times.', facts: ['f2'] }], 'wrong-form'],
    ['a number of another fact', [{ text: 'Lived in Oslo in 2026.', facts: ['f1'] }], 'wrong-form'],
    ['a marker of the page', [{ text: 'x <!-- mnemark:bank:end -->', facts: ['f1'] }], 'wrong-form'],
    ['a line of Markdown', [{ text: '# Retain', facts: ['f1'] }], 'wrong-form'],
    ['two lines', [{ text: 'a\nb', facts: ['f1'] }], 'wrong-form'],
    ['too many sentences', Array.from({ length: 6 }, () => ({ text: 'Lives in Oslo.', facts: ['f1'] })), 'wrong-form'],
    ['nothing', [], 'wrong-form'],
  ])('with %s is refused', async (_name, sentences, reason) => {
    expect(await sum(sentences)).toMatchObject({ refusal: { reason } })
  })

  test('that was cut off is refused', async () => {
    expect(await sum([{ text: 'Lives in Oslo.', facts: ['f1'] }], { finishReason: 'length' })).toMatchObject({
      refusal: { reason: 'truncated' },
    })
  })
})
