import assert from 'node:assert/strict'
import { assertCancelled, assertUnitVectors, embed, ending, rejection, textsFor } from './provider-checks.ts'
import type { ProviderCase } from './provider-target.ts'
import { type AnySession, misconfigurationCase, spaceCases } from './space-cases.ts'

/** Texts that break careless encoding: other scripts, emoji, lone surrogates, control characters, quotes. */
export const HARD_TEXTS: readonly string[] = [
  '会议改到星期五了',
  'إطلاق المشروع يوم الأحد',
  'a family 👩‍👩‍👧‍👦 and a flag 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  'half an emoji \ud83d in the middle',
  'and the other half \ude00',
  'bells \u0007 and nulls \u0000 and \u001b[31mcolours\u007f',
  'lines\r\n"quotes" \\ and \u2028 separators',
]

/** Behaviour of every provider, wherever its model runs. */
export const commonCases: readonly ProviderCase<AnySession>[] = [
  misconfigurationCase,
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
  {
    id: 'E9.before',
    title: 'a signal that has ended cancels before anything happens, with its reason',
    async run(session) {
      const reason = new Error('no longer wanted')
      const provider = session.create()
      const call = embed(provider, textsFor(provider), { signal: AbortSignal.abort(reason) })
      await assertCancelled(ending(call), reason, 'aborted before the call')
    },
  },
]

/** Limits that are checked before any request. */
export const limitCases: readonly ProviderCase<AnySession>[] = [
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
