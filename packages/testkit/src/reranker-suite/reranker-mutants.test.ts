/** The suite tested: a small sound reranker passes, and each way of breaking it is caught by the case that is meant for it. */
import type { Reranker, RerankReply, RerankRequest } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { cohereLikeRerankWire } from '../protocol-servers/rerank/rerank-wires.ts'
import { recordOf } from '../protocol-servers/wire/read-fields.ts'
import { callOnce, failed, soundCall } from '../service-suite/sample-service.ts'
import type { ProviderSetup } from '../service-suite/service-target.ts'
import { rerankerCases } from './reranker-cases.ts'
import type { RerankerTarget } from './reranker-target.ts'

type Parts = ReturnType<typeof soundParts>
type Entry = Readonly<Record<string, unknown>>

/** The decisions of a reranker, each replaceable. */
function soundParts() {
  return {
    ...soundCall(),
    answersEmpty: true,
    maxPassages: 100,
    checkQuery: (query: string): void => {
      if (query.trim() === '') throw failed('invalid-input')
    },
    documents: (passages: readonly string[]): readonly string[] => passages,
    options: ({ truncate }: Readonly<Record<string, unknown>>): object => (truncate === undefined ? {} : { truncate }),
    checkCount: (got: number, wanted: number): void => {
      if (got !== wanted) throw failed('bad-response')
    },
    order: (entries: readonly Entry[]): readonly Entry[] =>
      entries.map((_, position) => entries.find(({ index }) => index === position) ?? refuse()),
    score: (score: unknown): number => (typeof score === 'number' && Number.isFinite(score) ? score : refuse()),
    usage: (tokens: unknown): Pick<RerankReply, 'usage'> =>
      typeof tokens === 'number' ? { usage: { inputTokens: tokens } } : {},
  }
}

const refuse = (): never => {
  throw failed('bad-response')
}

function createSample(given: ProviderSetup, mutant: Partial<Parts>): Reranker {
  const parts = { ...soundParts(), ...mutant }
  const setup = { ...given, apiKey: String(given.set['apiKey'] ?? given.apiKey) }
  parts.checkKey(setup.apiKey)
  parts.onCreate(setup)
  const rerank = async ({ query, passages, signal }: RerankRequest): Promise<RerankReply> => {
    if (signal?.aborted) throw parts.cancelled(signal)
    if (parts.answersEmpty && passages.length === 0) return { scores: [] }
    parts.checkQuery(query)
    if (passages.length > parts.maxPassages) throw failed('invalid-input')
    const documents = parts.documents(passages).map(parts.text)
    const body = { model: 'sample-model', query: parts.text(query), documents, ...parts.options(setup.set) }
    const { results, usage } = recordOf(await callOnce({ setup, path: '/rerank', parts }, body, signal)) ?? {}
    if (!Array.isArray(results)) throw failed('bad-response')
    parts.checkCount(results.length, passages.length)
    const scores = parts
      .order(results.map((entry) => recordOf(entry) ?? {}))
      .map((entry) => parts.score(entry['relevance_score']))
    return { scores, ...parts.usage(recordOf(usage)?.['total_tokens']) }
  }
  return {
    specVersion: 'v1',
    provider: 'sample',
    endpoint: setup.baseUrl,
    model: 'sample-model',
    traits: { isLocal: true },
    limits: { maxPassages: 100 },
    rerank,
  }
}

const targetOf = (mutant: Partial<Parts>): RerankerTarget => ({
  create: (setup) => createSample(setup, mutant),
  wire: cohereLikeRerankWire,
  misconfigured: [{ apiKey: '' }],
  options: [{ set: { truncate: false }, expect: (body) => body['truncate'] === false }],
})

async function failing(mutant: Partial<Parts>, ids?: readonly string[]): Promise<readonly string[]> {
  const failures: string[] = []
  for (const { id, run } of rerankerCases(targetOf(mutant)))
    if (ids === undefined || ids.includes(id)) await run().catch(() => failures.push(id))
  return failures
}

test('a sound reranker without any of our code passes every case', async () => {
  expect(await failing({})).toEqual([])
})

test('one that answers with the scores alone passes all but the case of usage', async () => {
  const create = (setup: ProviderSetup): Reranker => {
    const { rerank, ...rest } = createSample(setup, {})
    const alone = async (request: RerankRequest): Promise<readonly number[]> => {
      const reply = await rerank(request)
      return 'scores' in reply ? reply.scores : reply
    }
    return { ...rest, rerank: alone }
  }
  const failures: string[] = []
  for (const { id, run } of rerankerCases({ ...targetOf({}), create })) await run().catch(() => failures.push(id))
  expect(failures).toEqual(['K10'])
})

const MUTANTS: Readonly<Record<string, { readonly mutant: Partial<Parts>; readonly caughtBy: readonly string[] }>> = {
  'asks the service while it is made': {
    mutant: { onCreate: ({ fetch, baseUrl }) => void fetch(`${baseUrl}/models`).catch(() => {}) },
    caughtBy: ['K1.quiet'],
  },
  'takes any key': { mutant: { checkKey: () => {} }, caughtBy: ['K1.config'] },
  'takes the order of the answer for that of the passages': {
    mutant: { order: (entries) => entries },
    caughtBy: ['K3', 'K3.shuffled', 'K3.unclear'],
  },
  'sends equal passages once': {
    mutant: { documents: (passages) => [...new Set(passages)] },
    caughtBy: ['K3.twins'],
  },
  'cleans passages of what looks like markup': {
    mutant: { text: (text) => text.toWellFormed().replace(/<[^>]*>/g, '') },
    caughtBy: ['K3.injection'],
  },
  'fills gaps with 0': {
    mutant: { score: (score) => (typeof score === 'number' && Number.isFinite(score) ? score : 0) },
    caughtBy: ['K4.gap', 'K4.text', 'K4.infinite'],
  },
  'takes too few scores': {
    mutant: {
      checkCount: () => {},
      order: (entries) => entries.toSorted((left, right) => Number(left['index']) - Number(right['index'])),
    },
    caughtBy: ['K4.short', 'K4.top', 'K4.none', 'K4.long'],
  },
  'squeezes scores into 0 to 1': {
    mutant: { score: (score) => Math.min(1, Math.max(0, soundParts().score(score))) },
    caughtBy: ['K4.scale'],
  },
  'reads answers without end': { mutant: { maxBytes: 2 ** 28 }, caughtBy: ['K5.endless'] },
  'asks about nothing': { mutant: { answersEmpty: false }, caughtBy: ['K7'] },
  'lets the service count': { mutant: { maxPassages: Number.POSITIVE_INFINITY }, caughtBy: ['K8'] },
  'loses the reason of an abort': { mutant: { cancelled: () => failed('cancelled') }, caughtBy: ['K9.before', 'K9.silence'] },
  'reports 0 tokens for unknown': {
    mutant: { usage: (tokens) => ({ usage: { inputTokens: Number(tokens ?? 0) } }) },
    caughtBy: ['K10'],
  },
  'calls a limit a refusal': {
    mutant: { code: (status) => (status < 500 ? 'invalid-input' : 'unavailable') },
    caughtBy: ['K11.rate-limit', 'K11.auth', 'K11.quota'],
  },
  'follows redirects': { mutant: { redirect: 'follow' }, caughtBy: ['K11.redirect'] },
  'retries inside': { mutant: { retries: 2 }, caughtBy: ['K12'] },
  'prints what the service said': {
    mutant: {
      error: (code, details, said) => {
        console.warn(said)
        return failed(code, details)
      },
    },
    caughtBy: ['K13.echo'],
  },
  'drops an option': { mutant: { options: () => ({}) }, caughtBy: ['K14'] },
  'sends half an emoji': { mutant: { text: (text) => text }, caughtBy: ['K15'] },
}

test.for(Object.entries(MUTANTS))('a reranker that %s is caught', async ([, { mutant, caughtBy }]) => {
  expect(await failing(mutant, caughtBy)).toEqual(expect.arrayContaining([...caughtBy]))
})

test('every case has an id of its own, and a deviation fails once its case passes', async () => {
  const cases = rerankerCases(targetOf({}), [{ id: 'K10', reason: 'the service counts nothing' }])
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  await expect(cases.find(({ id }) => id === 'K10')?.run()).rejects.toThrow('K10 passes now')
})
