import assert from 'node:assert/strict'
import { cancelledBeforeCase, misconfigurationCase } from '../service-suite/call-cases.ts'
import { rejection } from '../service-suite/call-checks.ts'
import { assertUnitVectors, embed, textsFor } from './provider-checks.ts'
import type { ServiceCase } from '../service-suite/service-target.ts'
import { type AnySession, spaceCases } from './space-cases.ts'

/** Behaviour of every provider, wherever its model runs. */
export const commonCases: readonly ServiceCase<AnySession>[] = [
  misconfigurationCase('E'),
  ...spaceCases,
  {
    id: 'E5.unit',
    title: 'vectors are finite, of unit length and all of one length',
    async run(session) {
      const provider = session.create()
      const texts = textsFor(provider)
      assertUnitVectors(await embed(provider, texts), texts.length)
      assertUnitVectors(await embed(provider, texts, { inputType: 'query' }), texts.length)
    },
  },
  cancelledBeforeCase('E'),
]

/** Without a request, and before any. */
export const limitCases: readonly ServiceCase<AnySession>[] = [
  {
    id: 'E7',
    title: 'no inputs give no vectors, without a request',
    async run(session) {
      assert.deepEqual((await embed(session.create(), [])).vectors, [])
    },
  },
  {
    id: 'E8',
    title: 'more inputs than `maxInputs` are refused before any request',
    async run(session) {
      const provider = session.create()
      const texts = Array.from({ length: provider.limits.maxInputs + 1 }, (_, index) => `text ${index}`)
      const error = await rejection(embed(provider, texts), 'one input too many')
      assert.ok(['invalid-input', 'input-too-long'].includes(error.code), `the code is ${error.code}`)
    },
  },
]
