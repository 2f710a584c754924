import { expect, onTestFinished, test } from 'vitest'
import { createBatchProvider } from '../../test/batch-provider.ts'
import { createFakeEmbedder } from '../../test/fake-embedder.ts'
import { VirtualClock } from '../../test/virtual-clock.ts'
import { WaitingTexts } from '../../test/waiting-texts.ts'
import { runBatches } from '../embed/batch/index.ts'
import { batchJobs } from './batch-jobs.ts'

const HOUR_MS = 3_600_000

/** A store with one job at the service, and the desk over it. */
async function open() {
  const clock = new VirtualClock()
  const waiting = await WaitingTexts.of(['one', 'two', 'three'])
  const provider = createBatchProvider(clock)
  provider.service.behave({ plan: { validationMs: 0, workMs: 3 * HOUR_MS } })
  const { store } = waiting
  const { now, sleep } = clock
  const lease = await waiting.lease()
  const source = waiting.source(provider.space)
  await runBatches({ provider, store, lease, source, settings: { wait: false }, now, sleep })
  await lease.release()
  const settings = { batch: { timeoutMinutes: 1 } }
  const jobs = batchJobs({ store, providers: [createFakeEmbedder({ name: 'other' }), provider], settings, now, sleep })
  return { clock, waiting, provider, jobs }
}

test('waits for jobs as long as set, and collects them when they are done', async () => {
  const { clock, waiting, provider, jobs } = await open()
  const [early] = await clock.run(jobs.resume())
  expect(early?.report).toMatchObject({ filled: 0, waiting: { jobs: 1, inputs: 3 } })
  clock.pass(3 * HOUR_MS)
  const [late] = await clock.run(jobs.resume())
  expect(late?.report).toMatchObject({ filled: 3, waiting: { jobs: 0 } })
  expect([(await waiting.vectors(provider.space)).size, provider.service.leftovers]).toEqual([3, []])
  expect(await clock.run(jobs.resume())).toEqual([])
  expect(await jobs.list()).toMatchObject([{ state: 'cleaned' }])
})

test('jobs of a provider that is not there are told apart, and cannot be cancelled', async () => {
  const { clock, waiting, jobs } = await open()
  const others = batchJobs({ store: waiting.store, providers: [createFakeEmbedder()], now: clock.now, sleep: clock.sleep })
  const [{ known }, { orphans }] = [await jobs.sort(), await others.sort()]
  expect([known.length, orphans.length]).toEqual([1, 1])
  const [job] = orphans
  await expect(job && clock.run(others.cancel(job))).rejects.toThrow(TypeError)
})

test('a cancelled job is collected by the next look', async () => {
  const { clock, waiting, provider, jobs } = await open()
  clock.pass(2 * HOUR_MS)
  const { known } = await jobs.sort()
  expect(known[0] && (await clock.run(jobs.cancel(known[0])))).toBe('cancelling')
  clock.pass(HOUR_MS)
  await clock.run(jobs.resume())
  expect((await waiting.vectors(provider.space)).size).toBe(2)
})

test('while another process embeds, nothing is done', async () => {
  const { clock, waiting, jobs } = await open()
  const lease = await waiting.lease()
  onTestFinished(() => lease.release())
  await expect(clock.run(jobs.resume())).rejects.toMatchObject({ code: 'lease-held' })
})
