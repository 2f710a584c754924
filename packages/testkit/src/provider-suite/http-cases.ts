import assert from 'node:assert/strict'
import { fingerprint } from '@mnemark/spec'
import { countWireTokens } from '../protocol-servers/wire/exchange.ts'
import { startProtocolServer } from '../protocol-servers/protocol-server.ts'
import { cancelledDuringCases, optionCase, quietCase } from '../service-suite/call-cases.ts'
import { assertSameVector, assertUnitVectors, embed, unit } from './provider-checks.ts'
import { HARD_TEXTS } from '../service-suite/hard-texts.ts'
import type { HttpSession } from './http-session.ts'
import { variationsOf } from './space-cases.ts'
import type { ServiceCase } from '../service-suite/service-target.ts'

type HttpCase = ServiceCase<HttpSession>

const constructionCases: readonly HttpCase[] = [
  quietCase('E'),
  {
    id: 'E2.endpoint',
    title: 'the same model at another address is another space (B72)',
    async run(session) {
      await using other = await startProtocolServer(session.wire)
      const [here, there] = [session.create().space, session.create({}, other.baseUrl).space]
      assert.notEqual(fingerprint(here), fingerprint(there))
      assert.ok(here.endpoint?.startsWith(session.server.origin), 'the endpoint is the configured one')
    },
  },
]

const inputTypeCases: readonly HttpCase[] = [
  {
    id: 'E6',
    title: 'the input type reaches the service; a symmetric service is sent the same for both',
    async run(session) {
      const provider = session.create()
      const [query, document] = [
        await session.requestOf(() => embed(provider, session.texts, { inputType: 'query' })),
        await session.requestOf(() => embed(provider, session.texts, { inputType: 'document' })),
      ]
      if (session.wire.inputTypes === 'symmetric') {
        assert.deepEqual(query.body, document.body, 'both are sent alike')
        return
      }
      const types = session.server.calls.map((call) => call.inputType)
      assert.deepEqual(types, ['query', 'document'], 'the service understood what was meant')
    },
  },
]

const usageCases: readonly HttpCase[] = [
  {
    id: 'E10',
    title: 'usage is what the service counted, and absent where it says nothing',
    async run(session) {
      const provider = session.create()
      const { usage } = await embed(provider)
      if (session.wire.reportsUsage) {
        assert.deepEqual(usage, { inputTokens: countWireTokens(session.lastCall().texts) })
        await session.behaving({ shape: { hasUsage: false } }, async () => {
          assert.equal((await embed(provider)).usage, undefined, 'never 0, never estimated')
        })
      } else assert.equal(usage, undefined, 'the service reports none')
    },
  },
]

const optionCases: readonly HttpCase[] = [
  optionCase('E'),
  {
    id: 'E14.dimensions',
    title: 'the wanted dimensions reach the service, and what comes back is of that length',
    async run(session) {
      const { dimensions } = variationsOf(session)
      if (dimensions === null) {
        assert.equal(session.create().space.requestedDimensions, null, 'no dimensions can be asked for')
        return
      }
      const provider = session.create(dimensions)
      const { vectors } = await embed(provider)
      assert.equal(session.lastCall().dimensions, provider.space.requestedDimensions, 'the service was asked for them')
      assert.equal(vectors[0]?.length, provider.space.requestedDimensions)
    },
  },
]

const textCases: readonly HttpCase[] = [
  {
    id: 'E15',
    title: 'other scripts, emoji, lone surrogates and control characters arrive as they are, or as U+FFFD',
    async run(session) {
      const provider = session.create()
      for (const texts of session.wire.takesOneInput === true ? HARD_TEXTS.map((text) => [text]) : [HARD_TEXTS])
        session.assertAligned(await embed(provider, texts), texts)
      const raw = session.server.requests.map(({ text }) => text).join('\n')
      assert.ok(!/\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/i.test(raw), 'no lone surrogate goes out, not even escaped')
    },
  },
]

const lengthCases: readonly HttpCase[] = [
  {
    id: 'E5.scaled',
    title: 'vectors of any length are scaled to 1 and keep their direction',
    async run(session) {
      const provider = session.create()
      for (const factor of [1e-18, 1e-3, 1, 1e18]) {
        const vectors = (given: readonly (readonly number[])[]) => given.map((vector) => vector.map((value) => value * factor))
        const result = await session.behaving({ vectors }, () => embed(provider))
        assertUnitVectors(result, session.texts.length)
        session.assertAligned(result)
      }
    },
  },
  {
    id: 'E5.three-four',
    title: 'a vector that is not of unit length is not kept as it came (B57)',
    async run(session) {
      const bent = (given: readonly (readonly number[])[]) =>
        given.map((vector) => vector.map((_, index) => (index === 0 ? 3 : index === 1 ? 4 : 0)))
      const { vectors } = await session.behaving({ vectors: bent }, () => embed(session.create()))
      const length = session.lastCall().dimensions
      for (const vector of vectors)
        assertSameVector(vector, unit([3, 4, ...Array<number>(length - 2).fill(0)]), '[0.6, 0.8, 0, …]')
    },
  },
]

export const httpOnlyCases: readonly HttpCase[] = [
  ...constructionCases,
  ...lengthCases,
  ...inputTypeCases,
  ...cancelledDuringCases('E'),
  ...usageCases,
  ...optionCases,
  ...textCases,
]
