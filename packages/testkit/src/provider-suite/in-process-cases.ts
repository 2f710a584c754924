import assert from 'node:assert/strict'
import type { EmbeddingProvider } from '@mnemark/spec'
import type { AskOptions } from '../service-suite/recorded-session.ts'
import { HARD_TEXTS } from '../service-suite/hard-texts.ts'
import { commonCases, limitCases } from './common-cases.ts'
import { assertCancelled, ending } from '../service-suite/call-checks.ts'
import { assertSameVector, assertUnitVectors, embed, TEXTS } from './provider-checks.ts'
import type { OptionSet, ServiceCase } from '../service-suite/service-target.ts'
import type { InProcessProviderTarget } from './provider-target.ts'

export class InProcessSession {
  readonly target: InProcessProviderTarget
  readonly #open: EmbeddingProvider[] = []

  constructor(target: InProcessProviderTarget) {
    this.target = target
  }

  create(set: OptionSet = {}): EmbeddingProvider {
    const provider = this.target.create({ set })
    this.#open.push(provider)
    return provider
  }

  ask(provider: EmbeddingProvider, { signal }: AskOptions = {}): Promise<unknown> {
    return embed(provider, undefined, signal === undefined ? {} : { signal })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const provider of this.#open) await provider.close?.()
  }
}

type InProcessCase = ServiceCase<InProcessSession>

const ownCases: readonly InProcessCase[] = [
  {
    id: 'E2.local',
    title: 'a model in this process has no endpoint and is local',
    async run(session) {
      const { space, traits } = session.create()
      assert.equal(space.endpoint, null)
      assert.equal(traits.isLocal, true)
    },
  },
  {
    id: 'E3.alone',
    title: 'a text gets the same vector alone and among others, in input order',
    async run(session) {
      const provider = session.create()
      const together = await embed(provider)
      for (const [index, text] of TEXTS.entries()) {
        const { vectors } = await embed(provider, [text])
        assertSameVector(vectors[0], together.vectors[index] ?? [], `text ${index}`)
      }
      assert.notDeepEqual(together.vectors[0], together.vectors[1], 'different texts have different vectors')
    },
  },
  {
    id: 'E6',
    title: 'the input type changes the vector, or does not where the model is symmetric',
    async run(session) {
      const provider = session.create()
      const [query, document] = [await embed(provider, TEXTS, { inputType: 'query' }), await embed(provider)]
      if (session.target.inputTypes === 'symmetric') assert.deepEqual(query.vectors, document.vectors)
      else assert.notDeepEqual(query.vectors, document.vectors)
    },
  },
  {
    id: 'E9.during',
    title: 'a call is cancelled on the way, and the provider answers afterwards',
    async run(session) {
      const provider = session.create()
      const controller = new AbortController()
      const reason = new Error('no longer wanted')
      const call = ending(embed(provider, TEXTS, { signal: controller.signal }))
      controller.abort(reason)
      await assertCancelled(call, reason, 'aborted on the way')
      assertUnitVectors(await embed(provider), TEXTS.length)
    },
  },
  {
    id: 'E9.parallel',
    title: 'calls at the same time each get their own vectors',
    async run(session) {
      const provider = session.create()
      const results = await Promise.all(TEXTS.map((text) => embed(provider, [text])))
      const { vectors } = await embed(provider)
      for (const [index, result] of results.entries()) assertSameVector(result.vectors[0], vectors[index] ?? [], `call ${index}`)
    },
  },
  {
    id: 'E10',
    title: 'usage is a count, or absent',
    async run(session) {
      const { usage } = await embed(session.create())
      if (session.target.reportsUsage) assert.ok(usage !== undefined && usage.inputTokens > 0)
      else assert.equal(usage, undefined)
    },
  },
  {
    id: 'E15',
    title: 'other scripts, emoji, lone surrogates and control characters are embedded',
    async run(session) {
      assertUnitVectors(await embed(session.create(), HARD_TEXTS), HARD_TEXTS.length)
    },
  },
]

export const inProcessCases: readonly InProcessCase[] = [...commonCases, ...limitCases, ...ownCases]
