import assert from 'node:assert/strict'
import type { EmbeddingProvider } from '@mnemark/spec'
import type { AskOptions } from '../service-suite/recorded-session.ts'
import { fingerprint } from '@mnemark/spec'
import type { OptionSet, ServiceCase } from '../service-suite/service-target.ts'
import type { EmbeddingProviderTarget, SpaceVariations } from './provider-target.ts'
import { SECRET } from '../service-suite/service-target.ts'

/** Members that the cases of both transports need. */
export interface AnySession {
  readonly target: EmbeddingProviderTarget
  create(set?: OptionSet): EmbeddingProvider
  ask(provider: EmbeddingProvider, options?: AskOptions): Promise<unknown>
}

/** Cases that need variations exist only where the target declares them. */
export const variationsOf = ({ target }: AnySession): SpaceVariations =>
  target.variations ?? assert.fail('the target declares no variations')

const spaceOf = (session: AnySession, set: OptionSet = {}): string => fingerprint(session.create(set).space)

export const spaceCases: readonly ServiceCase<AnySession>[] = [
  {
    id: 'E2.stable',
    title: 'the space is plain JSON without a secret, and equal for equal options',
    async run(session) {
      const { space, limits, modalities, specVersion, traits } = session.create()
      assert.equal(specVersion, 'v1')
      assert.deepEqual(JSON.parse(JSON.stringify(space)), space, 'the space survives JSON')
      assert.ok(!JSON.stringify({ space, limits, traits }).includes(SECRET), 'no key in what describes the provider')
      assert.equal(fingerprint(space), spaceOf(session))
      assert.ok(Number.isSafeInteger(limits.maxInputs) && limits.maxInputs >= 1, 'maxInputs is a whole number from 1')
      assert.ok(Number.isSafeInteger(limits.concurrency) && limits.concurrency >= 1, 'concurrency is a whole number from 1')
      assert.ok(modalities.includes('text'))
      assert.ok(traits.vectorWeight >= 0 && traits.vectorWeight <= 1, 'the vector weight is 0 to 1')
    },
  },
  {
    id: 'E2.moves',
    title: 'the fingerprint moves with model, dimensions and variant',
    async run(session) {
      const { model, dimensions, variant } = variationsOf(session)
      const plain = spaceOf(session)
      for (const set of [model, dimensions, variant]) {
        if (set !== null) assert.notEqual(spaceOf(session, set), plain, `it moves with ${Object.keys(set).join(', ')}`)
      }
      const { space } = session.create()
      if (dimensions === null) assert.equal(space.requestedDimensions, null, 'no dimensions can be asked for')
      if (variant === null) assert.deepEqual(space.variant, {}, 'nothing else moves the vectors')
    },
  },
]
