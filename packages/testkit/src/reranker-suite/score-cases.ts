import assert from 'node:assert/strict'
import type { RerankResult, RerankWire } from '../protocol-servers/rerank/rerank-wire.ts'
import type { Delivery } from '../protocol-servers/wire/deliver.ts'
import { countWireTokens } from '../protocol-servers/wire/exchange.ts'
import { assertRejects, rejection } from '../service-suite/call-checks.ts'
import { HARD_TEXTS, INJECTIONS } from '../service-suite/hard-texts.ts'
import { SECRET } from '../service-suite/service-target.ts'
import { PASSAGES, QUERY, rerank, type RerankerCase } from './reranker-target.ts'

type Results = readonly RerankResult[]

const DELIVERIES: readonly Delivery[] = ['whole', 'gzip', 'chunked', 'slow']

const orderCases: readonly RerankerCase[] = [
  {
    id: 'K2',
    title: 'a reranker says whose model it is and where it runs, in plain JSON without a secret',
    async run(session) {
      const { specVersion, provider, model, endpoint, traits, limits } = session.create()
      assert.equal(specVersion, 'v1')
      assert.ok(model.trim() !== '' && provider?.trim() !== '', 'model and provider have names')
      assert.ok(endpoint?.startsWith(session.server.origin), 'the endpoint is the configured one')
      assert.equal(traits?.isLocal, true, 'a service on this machine is local')
      const said = JSON.stringify({ provider, model, endpoint, traits, limits })
      assert.ok(!said.includes(SECRET), 'no key in what describes the reranker')
    },
  },
  {
    id: 'K3',
    title: 'each passage gets its own score, however the answer travels; one passage is enough',
    async run(session) {
      const reranker = session.create()
      for (const delivery of DELIVERIES) session.assertAligned(await session.behaving({ delivery }, () => rerank(reranker)))
      for (const passage of PASSAGES)
        session.assertAligned(await rerank(reranker, { passages: [passage] }), { passages: [passage] })
    },
  },
  {
    id: 'K3.twins',
    title: 'equal passages each get a score',
    async run(session) {
      const passages = ['tea', 'rent', 'tea', 'tea']
      session.assertAligned(await rerank(session.create(), { passages }), { passages })
    },
  },
  {
    id: 'K3.injection',
    title: 'what looks like an instruction or a message is data',
    async run(session) {
      const reranker = session.create()
      session.assertAligned(await rerank(reranker, { passages: INJECTIONS }), { passages: INJECTIONS })
      for (const query of INJECTIONS) session.assertAligned(await rerank(reranker, { query }), { query })
    },
  },
  {
    id: 'K15',
    title: 'other scripts, emoji, lone surrogates and control characters arrive as they are, or as U+FFFD',
    async run(session) {
      const reranker = session.create()
      session.assertAligned(await rerank(reranker, { passages: HARD_TEXTS }), { passages: HARD_TEXTS })
      for (const query of HARD_TEXTS) session.assertAligned(await rerank(reranker, { query }), { query })
    },
  },
]

/** Positions that do not show which score belongs to which passage. */
const UNCLEAR_POSITIONS: readonly (readonly unknown[])[] = [
  [0, 0, 2],
  [1, 1, 1],
  [0, undefined, 2],
  [null, 1, 2],
  [0, 1, 3],
  [-1, 0, 1],
  ['0', '1', '2'],
  [0, 1.5, 2],
]

/** For services whose entries name their passage. */
const indexedCases: readonly RerankerCase[] = [
  {
    id: 'K3.shuffled',
    title: 'a shuffled answer is put in the order of the passages',
    async run(session) {
      const reranker = session.create()
      for (const order of [
        [2, 0, 1],
        [0, 1, 2],
      ]) {
        const shuffled = (usual: Results): Results =>
          order.map((index) => usual.find((entry) => entry.index === index) ?? { score: null })
        session.assertAligned(await session.bending(shuffled, () => rerank(reranker)))
      }
    },
  },
  {
    id: 'K3.unclear',
    title: 'positions that are equal, missing in part, out of range or no numbers are refused, not guessed at',
    async run(session) {
      for (const positions of UNCLEAR_POSITIONS) {
        const unclear = (usual: Results): Results => usual.map(({ score }, at) => ({ index: positions[at], score }))
        const refused = () => assertRejects(rerank(session.create()), 'bad-response', JSON.stringify(positions))
        await session.bending(unclear, refused)
      }
    },
  },
]

/** Replaces the score of the first entry, whichever passage it names. */
const withScore =
  (score: unknown) =>
  (usual: Results): Results =>
    usual.map((entry, at) => (at === 0 ? { ...entry, score } : entry))

const WRONG_SCORES: Readonly<Record<string, (usual: Results) => Results>> = {
  short: (usual) => usual.slice(0, -1),
  top: (usual) => usual.slice(0, 1),
  none: () => [],
  long: (usual) => [...usual, { index: usual.length, score: 0.5 }],
  gap: withScore(null),
  text: withScore('0.5'),
  list: withScore([0.5]),
}

const wrongScoreCases: readonly RerankerCase[] = [
  ...Object.entries(WRONG_SCORES).map(
    ([name, results]): RerankerCase => ({
      id: `K4.${name}`,
      title: `an answer with scores that are ${name} is a bad-response`,
      async run(session) {
        await session.bending(results, () => assertRejects(rerank(session.create()), 'bad-response', name))
      },
    }),
  ),
  {
    id: 'K4.infinite',
    title: 'a score that is not finite is a bad-response',
    async run(session) {
      // `JSON.parse` reads 1e999 as Infinity, which `JSON.stringify` would not write.
      const bend = (reply: { status: number; body: unknown }) => ({
        ...reply,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(reply.body).replace('-12345', '1e999'),
      })
      const answer = (_: unknown, usual: { readonly results: Results }) => ({
        ...usual,
        results: withScore(-12_345)(usual.results),
      })
      await session.behaving({ answer, bend }, () => assertRejects(rerank(session.create()), 'bad-response', '1e999'))
    },
  },
  {
    id: 'K4.scale',
    title: 'scores of any scale, logits too, come back as they are',
    async run(session) {
      for (const factor of [-8, 0, 1e-7, 100]) {
        const scaled = (usual: Results): Results => usual.map((entry) => ({ ...entry, score: factor }))
        const { scores } = await session.bending(scaled, () => rerank(session.create()))
        assert.deepEqual(
          scores,
          PASSAGES.map(() => factor),
        )
      }
    },
  },
]

const requestCases: readonly RerankerCase[] = [
  {
    id: 'K7',
    title: 'no passages give no scores, without a request',
    async run(session) {
      assert.deepEqual((await rerank(session.create(), { passages: [] })).scores, [])
      assert.equal(session.server.requests.length, 0, 'no request is made')
    },
  },
  {
    id: 'K8',
    title: 'an empty query, and more passages than one request takes, are refused before any request',
    async run(session) {
      const reranker = session.create()
      await assertRejects(rerank(reranker, { query: ' \n' }), 'invalid-input', 'an empty query')
      const { maxPassages } = reranker.limits ?? {}
      assert.ok(maxPassages === undefined || (Number.isSafeInteger(maxPassages) && maxPassages >= 1), 'maxPassages is a count')
      if (maxPassages !== undefined) {
        const passages = Array.from({ length: maxPassages + 1 }, (_, index) => `passage ${index}`)
        const error = await rejection(rerank(reranker, { passages }), 'one passage too many')
        assert.ok(['invalid-input', 'input-too-long'].includes(error.code), `the code is ${error.code}`)
      }
      assert.equal(session.server.requests.length, 0, 'no request is made')
    },
  },
  {
    id: 'K10',
    title: 'usage is what the service counted, and absent where it says nothing',
    async run(session) {
      const reranker = session.create()
      const { usage } = await rerank(reranker)
      if (!session.wire.reportsUsage) {
        assert.equal(usage, undefined, 'the service reports none')
        return
      }
      assert.deepEqual(usage, { inputTokens: countWireTokens([QUERY, ...PASSAGES]) })
      const silent = await session.behaving({ answer: (_, { results }) => ({ results }) }, () => rerank(reranker))
      assert.equal(silent.usage, undefined, 'never 0, never estimated')
    },
  },
]

export const scoreCasesOf = (wire: RerankWire): readonly RerankerCase[] => [
  ...orderCases,
  ...(wire.hasIndexes ? indexedCases : []),
  ...wrongScoreCases,
  ...requestCases,
]
