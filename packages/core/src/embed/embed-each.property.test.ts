import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFakeEmbedder, refusal, textInput, vectorOf } from '../../test/fake-embedder.ts'
import { VirtualClock } from '../../test/virtual-clock.ts'
import { embedAll } from './embed-each.ts'

const scene = fc.record({
  count: fc.integer({ min: 0, max: 120 }),
  maxInputs: fc.integer({ min: 1, max: 40 }),
  /** Limit of the service, which it does not state. */
  hiddenMost: fc.integer({ min: 1, max: 40 }),
  concurrency: fc.integer({ min: 1, max: 5 }),
  bad: fc.uniqueArray(fc.integer({ min: 0, max: 119 }), { maxLength: 8 }),
  refusalCode: fc.constantFrom('invalid-input' as const, 'bad-response' as const, 'input-too-long' as const),
  isNamed: fc.boolean(),
  /** One request in this many is lost. */
  blipEvery: fc.integer({ min: 2, max: 9 }),
  blipCode: fc.constantFrom('unavailable' as const, 'rate-limit' as const),
  seed: fc.integer({ min: 1, max: 1000 }),
})

test('whatever a service refuses or drops: every good input has its vector, every bad one fails, and none is paid for twice', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async (given) => {
      const clock = new VirtualClock()
      const isBad = (text: string): boolean => given.bad.includes(Number(text.slice(1)))
      const answered: string[] = []
      const provider = createFakeEmbedder({
        limits: { maxInputs: given.maxInputs, concurrency: given.concurrency },
        before: async (texts, call) => {
          await clock.sleep(1 + ((call * given.seed) % 50))
          if (call % given.blipEvery === 0) throw refusal(given.blipCode)
          if (texts.length > given.hiddenMost) throw refusal('invalid-input', { status: 400 })
          const inputIndexes = texts.flatMap((text, index) => (isBad(text) ? [index] : []))
          if (inputIndexes.length > 0) throw refusal(given.refusalCode, given.isNamed ? { inputIndexes } : {})
          answered.push(...texts)
        },
      })
      const texts = Array.from({ length: given.count }, (_, index) => `n${index}`)
      const effects = { now: clock.now, sleep: clock.sleep, random: () => 0.3 }
      const work = embedAll(provider, texts.map(textInput), { inputType: 'document', attempts: 20, ...effects })
      const { results, stoppedBy } = await clock.run(work)
      expect(stoppedBy).toBeUndefined()
      expect(results.map((result) => (result.status === 'embedded' ? result.vector : result.status))).toEqual(
        texts.map((text) => (isBad(text) ? 'failed' : vectorOf(text))),
      )
      expect(answered.toSorted()).toEqual(texts.filter((text) => !isBad(text)).toSorted())
      expect(provider.mostInFlight).toBeLessThanOrEqual(given.concurrency)
      expect(clock.pending).toBe(0)
    }),
    { numRuns: 150 },
  )
})
