import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBatchProvider } from '../../../test/batch-provider.ts'
import { vectorOf } from '../../../test/fake-embedder.ts'
import { VirtualClock } from '../../../test/virtual-clock.ts'
import { WaitingTexts } from '../../../test/waiting-texts.ts'
import { listBatches, runBatches } from './index.ts'

const HOUR_MS = 3_600_000
const TEXTS = Array.from({ length: 20 }, (_, index) => `text ${index}`)

const history = fc.record({
  /** Number of steps at the service after which each process dies. */
  deaths: fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 8 }),
  maxRequests: fc.integer({ min: 3, max: 20 }),
  listLagMs: fc.constantFrom(0, 30_000),
  workMs: fc.constantFrom(0, 60_000, 2 * HOUR_MS),
  passMs: fc.constantFrom(0, 10_000, HOUR_MS),
  wait: fc.boolean(),
})

class Death extends Error {}

test('whenever processes die, each text is in one job, gets its vector, and nothing is left at the service', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ deaths, maxRequests, listLagMs, workMs, passMs, wait }) => {
      const clock = new VirtualClock()
      let stepsLeft = Number.POSITIVE_INFINITY
      const provider = createBatchProvider(clock, {
        limits: { maxRequests },
        at: () => {
          // A dead process takes no further step.
          if (--stepsLeft <= 0) throw new Death()
        },
      })
      provider.service.behave({ listLagMs, plan: { workMs } })
      const waiting = await WaitingTexts.of(TEXTS)
      const live = async (steps: number): Promise<void> => {
        stepsLeft = steps
        const lease = await waiting.lease()
        const { now, sleep } = clock
        const given = { provider, store: waiting.store, lease, source: waiting.source(provider.space), now, sleep }
        const run = runBatches({ ...given, settings: { wait } }).finally(() => lease.release())
        await clock.run(run).catch((error: unknown) => {
          if (!(error instanceof Death)) throw error
        })
        clock.pass(passMs)
      }
      for (const steps of deaths) await live(steps)
      // The last process lives, and waits until every unknown is settled.
      for (let day = 0; day < 12; day++) {
        await live(Number.POSITIVE_INFINITY)
        clock.pass(26 * HOUR_MS)
      }
      const vectors = await waiting.vectors(provider.space)
      expect([...vectors.keys()].sort()).toEqual(TEXTS.toSorted())
      for (const [text, vector] of vectors) expect(vector).toEqual(vectorOf(text))
      expect([...provider.service.timesSubmitted.values()]).toEqual(TEXTS.map(() => 1))
      expect(provider.service.leftovers).toEqual([])
      expect((await listBatches(waiting.store)).map(({ state }) => state).filter((state) => state !== 'cleaned')).toEqual([])
    }),
    { numRuns: 60 },
  )
})
