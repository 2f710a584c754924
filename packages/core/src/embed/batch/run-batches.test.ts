import { type BatchJob, ProviderError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { type BatchProvider, type BatchProviderOptions, createBatchProvider } from '../../../test/batch-provider.ts'
import { vectorOf } from '../../../test/fake-embedder.ts'
import { VirtualClock } from '../../../test/virtual-clock.ts'
import { hashOf, WaitingTexts } from '../../../test/waiting-texts.ts'
import { type BatchReport, cancelBatch, listBatches, resumeBatches, runBatches, type RunBatchesOptions } from './index.ts'

const HOUR_MS = 3_600_000
const texts = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `text ${index}`)
const refusal = (code: ProviderError['code'], details: object = {}): ProviderError =>
  new ProviderError(code, `fake (sample): ${code}`, { provider: 'fake', ...details })

/** One store, one service, one clock. */
async function open(count: number, options: BatchProviderOptions = {}) {
  const clock = new VirtualClock()
  const waiting = await WaitingTexts.of(texts(count))
  const provider = createBatchProvider(clock, options)
  const run = async (more: Partial<RunBatchesOptions> = {}, work = runBatches): Promise<BatchReport> => {
    const lease = await waiting.lease()
    const { now, sleep } = clock
    const given = { provider, store: waiting.store, lease, source: waiting.source(provider.space), now, sleep, ...more }
    return clock.run(work(given).finally(() => lease.release()))
  }
  const jobs = (): Promise<readonly BatchJob[]> => listBatches(waiting.store)
  const filled = async (): Promise<readonly string[]> => [...(await waiting.vectors(provider.space)).keys()].sort()
  return { clock, waiting, provider, service: provider.service, run, jobs, filled }
}

const sent = ({ service }: BatchProvider): readonly number[] => service.jobs.map(({ lines }) => lines.length)

test('every text gets its vector by one job, nothing is left at the service, and the job is kept for the list', async () => {
  const { waiting, provider, service, run, jobs } = await open(30)
  const report = await run()
  expect(report).toMatchObject({ filled: 30, submitted: { jobs: 1, inputs: 30 }, waiting: { jobs: 0 }, unknown: 0, notes: [] })
  for (const [text, vector] of await waiting.vectors(provider.space)) expect(vector).toEqual(vectorOf(text))
  expect([...service.timesSubmitted.values()]).toEqual(texts(30).map(() => 1))
  expect([service.leftovers, provider.calls]).toEqual([[], []])
  expect(await jobs()).toMatchObject([{ state: 'cleaned', inputs: [], note: '30 of 30 texts came back.' }])
  expect(report.rest.size).toBe(0)
})

test('jobs are as large as the service takes, and no more at a time than set', async () => {
  let most = 0
  const { provider, service, run, filled } = await open(50, {
    limits: { maxRequests: 12 },
    at: () => void (most = Math.max(most, service.jobs.filter((job) => !service.stateOf(job).isOver).length)),
  })
  await run({ settings: { concurrency: 2 } })
  expect(sent(provider)).toEqual([12, 12, 12, 12, 2])
  expect([most, (await filled()).length]).toEqual([2, 50])
})

test('a job holds no more bytes than the service takes', async () => {
  const { provider, run } = await open(10, { limits: { maxBytes: 3 * 530 } })
  await run()
  expect(sent(provider)).toEqual([3, 3, 3, 1])
})

test('texts that are sent in pieces, and too few for a job, are left to requests', async () => {
  const { provider, run } = await open(3, { limits: { minRequests: 5 } })
  const report = await run()
  expect([sent(provider), report.rest.size]).toEqual([[], 3])
  const long = await open(3, { maxInputTokens: 1 })
  expect((await long.run()).rest.size).toBe(3)
})

test('the job is written down before anything is sent, and again before it is asked for', async () => {
  const states: unknown[] = []
  const { run, jobs } = await open(3, {
    at: async (stage) => void states.push([stage, (await jobs()).map(({ state, inputs }) => `${state} ${inputs.length}`)]),
  })
  await run()
  expect(states.slice(0, 5)).toEqual([
    ['upload', ['intended 3']],
    ['uploaded', ['intended 3']],
    ['create', ['unknown 3']],
    ['created', ['unknown 3']],
    ['poll', ['submitted 3']],
  ])
})

test('looks at a job grow rarer, from the set interval to a minute, and heed what the service asks for', async () => {
  const { provider, service, run } = await open(3, {
    at: (stage, call) => {
      if (stage === 'poll' && call === 3) throw refusal('rate-limit', { retryAfterMs: 34_000 })
    },
  })
  service.behave({ plan: { workMs: 30 * 60_000 } })
  await run({ settings: { pollIntervalMs: 2_000 } })
  const waits = provider.polledAtMs.slice(1).map((atMs, index) => atMs - (provider.polledAtMs[index] ?? 0))
  expect(waits.slice(0, 2)).toEqual([2_000, 3_000 + 34_000])
  expect(Math.max(...waits.slice(2))).toBe(60_000)
  expect(waits.length).toBeLessThan(50)
})

test('P51: a service that asks for hours about a job ends the run at once; the job stays, and the time is told', async () => {
  const { clock, provider, service, run } = await open(3, {
    at: (stage, call) => {
      if (stage === 'poll' && call <= 1) throw refusal('rate-limit', { retryAfterMs: 10_800_000 })
    },
  })
  service.behave({ plan: { workMs: 60_000 } })
  const startedMs = clock.now()
  const report = await run()
  expect(report).toMatchObject({ filled: 0, waiting: { jobs: 1, inputs: 3 }, retryAfterMs: 10_800_000 })
  expect(clock.now() - startedMs).toBeLessThan(60_000)
  expect(provider.polledAtMs).toEqual([])
  clock.pass(10_800_000)
  const later = await run()
  expect([later.filled, later.retryAfterMs]).toEqual([3, undefined])
})

test('P51: a service that takes no more jobs for hours is not waited for, and what is left waits for a later run', async () => {
  const { clock, run } = await open(3, {
    at: (stage) => {
      if (stage === 'create') throw refusal('rate-limit', { retryAfterMs: 10_800_000 })
    },
  })
  const startedMs = clock.now()
  expect(await run()).toMatchObject({ submitted: { jobs: 0 }, postponedBy: { code: 'rate-limit' }, retryAfterMs: 10_800_000 })
  expect(clock.now() - startedMs).toBeLessThan(60_000)
})

test('without waiting jobs are made and left, hold their texts, and the next run collects them', async () => {
  const { clock, provider, run, filled } = await open(10, { limits: { maxRequests: 3 } })
  const first = await run({ settings: { wait: false } })
  expect(first).toMatchObject({ filled: 0, submitted: { jobs: 2, inputs: 6 }, waiting: { jobs: 2, inputs: 6 } })
  clock.pass(2 * HOUR_MS)
  await run({ settings: { wait: false } })
  expect([sent(provider), (await filled()).length]).toEqual([[3, 3, 3, 1], 6])
  clock.pass(2 * HOUR_MS)
  await run({ settings: { wait: false } })
  expect([sent(provider), (await filled()).length]).toEqual([[3, 3, 3, 1], 10])
})

test('the time-out ends the wait and not the job', async () => {
  const { clock, provider, service, run, filled } = await open(5)
  service.behave({ plan: { workMs: 5 * HOUR_MS } })
  const startedMs = clock.now()
  expect(await run({ settings: { timeoutMinutes: 10 } })).toMatchObject({ waiting: { jobs: 1, inputs: 5 } })
  expect(clock.now() - startedMs).toBeLessThanOrEqual(600_000)
  clock.pass(5 * HOUR_MS)
  await run({ isSubmitting: false })
  expect([sent(provider), (await filled()).length]).toEqual([[5], 5])
})

test('many old jobs are all looked at, though the first ones never end', async () => {
  const { clock, service, run, filled } = await open(8, { limits: { maxRequests: 2 } })
  service.behave({ plan: (job) => (job < 2 ? { end: 'stuck' } : {}) })
  await run({ settings: { concurrency: 4, wait: false } })
  clock.pass(HOUR_MS)
  await run({ settings: { concurrency: 2, wait: false } })
  expect((await filled()).length).toBe(4)
})

test('a job whose answer was lost is found by its marker, and no text is sent again', async () => {
  const { provider, service, run, filled } = await open(6, {
    at: (stage) => {
      if (stage === 'created') throw refusal('unavailable')
    },
  })
  service.behave({ listLagMs: 20_000 })
  expect(await run()).toMatchObject({ filled: 6, unknown: 0, submitted: { jobs: 1 } })
  expect([sent(provider), (await filled()).length, service.leftovers]).toEqual([[6], 6, []])
})

test('a submission that cannot be found is unknown, is said, and is not repeated; it is found when the list shows it', async () => {
  const { clock, provider, service, run, jobs, filled } = await open(6, {
    at: (stage) => {
      if (stage === 'created') throw refusal('unavailable')
    },
  })
  service.behave({ listLagMs: 2 * HOUR_MS })
  const startedMs = clock.now()
  expect(await run()).toMatchObject({ filled: 0, unknown: 1, waiting: { jobs: 1, inputs: 6 } })
  expect(clock.now() - startedMs).toBeLessThanOrEqual(120_000)
  expect(await jobs()).toMatchObject([{ state: 'unknown', note: expect.stringContaining('batch cancel mnemark-') }])
  expect(await run()).toMatchObject({ unknown: 1, submitted: { jobs: 0 } })
  clock.pass(3 * HOUR_MS)
  await run()
  expect([sent(provider), (await filled()).length, service.leftovers]).toEqual([[6], 6, []])
})

test('one that never arrived is free again when its time at the service is over, and its file is removed', async () => {
  const { clock, provider, service, run, filled } = await open(6, {
    at: (stage, call) => {
      if (stage === 'create' && call === 1) throw refusal('unavailable')
    },
  })
  expect(await run()).toMatchObject({ unknown: 1 })
  clock.pass(23 * HOUR_MS)
  expect(await run()).toMatchObject({ unknown: 1, submitted: { jobs: 0 } })
  clock.pass(2 * HOUR_MS)
  await run()
  expect([sent(provider), (await filled()).length, service.leftovers]).toEqual([[6], 6, []])
})

test('an upload that broke off made no job: its texts go in the next, and its file is removed when it shows up', async () => {
  const { clock, provider, service, run, filled, jobs } = await open(6, {
    at: (stage, call) => {
      if (stage === 'uploaded' && call === 1) throw refusal('unavailable')
    },
  })
  service.behave({ listLagMs: 30_000 })
  await run({ settings: { rest: 'batch' } })
  expect([sent(provider), (await filled()).length]).toEqual([[6], 6])
  clock.pass(HOUR_MS)
  await run()
  expect([service.leftovers, (await jobs()).map(({ state }) => state)]).toEqual([[], ['cleaned']])
})

test.for(['auth', 'quota', 'invalid-input'] as const)('a job that is refused as %s leaves nothing behind', async (code) => {
  const { service, run, jobs } = await open(6, {
    at: (stage) => {
      if (stage === 'create') throw refusal(code)
    },
  })
  const report = await run()
  expect(report).toMatchObject({ submitted: { jobs: 0 }, unknown: 0, notes: [`fake (sample): ${code}`] })
  expect([report.rest.size, service.leftovers, await jobs()]).toEqual([6, [], []])
  expect(report.off?.code).toBe(code === 'invalid-input' ? undefined : code)
})

test('a full queue is waited for; one that stays full turns jobs off for the run', async () => {
  const { provider, service, run, filled } = await open(6, { limits: { maxRequests: 3 } })
  service.behave({ maxOpenJobs: 1 })
  await run()
  expect([sent(provider), (await filled()).length]).toEqual([[3, 3], 6])
  const full = await open(6, { limits: { maxRequests: 3 } })
  full.service.behave({ maxOpenJobs: 0 })
  const report = await full.run()
  expect([report.off?.code, report.rest.size, full.service.leftovers]).toEqual(['rate-limit', 6, []])
})

test('without waiting, a full queue postpones the rest to the next run, and sends nothing by requests', async () => {
  const { clock, provider, service, run, filled } = await open(6, { limits: { maxRequests: 3 } })
  service.behave({ maxOpenJobs: 1 })
  const report = await run({ settings: { wait: false } })
  expect(report).toMatchObject({ submitted: { jobs: 1 }, postponedBy: { code: 'rate-limit' } })
  expect([report.rest.size, report.off]).toEqual([0, undefined])
  clock.pass(HOUR_MS)
  await run({ settings: { wait: false } })
  clock.pass(HOUR_MS)
  await run({ settings: { wait: false } })
  expect([sent(provider), (await filled()).length, service.leftovers]).toEqual([[3, 3], 6, []])
})

test('B63: results are joined by id in whatever order they come; doubled, unknown, broken and missing lines spoil no other', async () => {
  const { waiting, provider, service, run } = await open(12)
  const odd = (text: string): string => text.replace(hashOf('text 11'), 'nobody-asked')
  service.behave({
    plan: {
      fate: ({ call }) => {
        const [text] = call.texts
        return text === 'text 3' ? 'missing' : text === 'text 4' ? 'twice' : text === 'text 5' ? 'malformed' : 'good'
      },
      bend: (lines) => [...lines].map(odd),
    },
  })
  const report = await run()
  const vectors = await waiting.vectors(provider.space)
  for (const [text, vector] of vectors) expect([text, vector]).toEqual([text, vectorOf(text)])
  expect([vectors.size, [...report.rest].sort()]).toEqual([9, ['text 3', 'text 5', 'text 11'].map(hashOf).sort()])
  expect(report.notes).toEqual([expect.stringContaining('9 of 12 texts came back.')])
})

test.for([
  ['expired', 'inline', [10], 6],
  ['expired', 'batch', [10, 6], 0],
] as const)('of an %s job the rest goes %s, and what came back stays', async ([end, rest, jobs, left]) => {
  const { provider, service, run, filled } = await open(10)
  service.behave({ plan: (job) => (job === 0 ? { end, doneShare: 0.4 } : {}) })
  const report = await run({ settings: { rest } })
  expect([sent(provider), report.rest.size, (await filled()).length]).toEqual([jobs, left, 10 - left])
  expect(service.leftovers).toEqual([])
})

test('what a second job does not fill goes by requests, and refused texts at once', async () => {
  const { provider, service, run } = await open(10)
  const fateOf = (text = '') => (text === 'text 1' ? 'refused' : text === 'text 2' ? 'busy' : 'good')
  service.behave({ plan: { fate: ({ call }) => fateOf(call.texts[0]) } })
  const report = await run({ settings: { rest: 'batch' } })
  expect([sent(provider), [...report.rest].sort()]).toEqual([[10, 1], ['text 1', 'text 2'].map(hashOf).sort()])
})

test('B61: two jobs in a row without a result turn jobs off, with the commonest line as the reason', async () => {
  const { provider, service, run } = await open(9, { limits: { maxRequests: 3 } })
  service.behave({ plan: { fate: (_, index) => (index === 0 ? 'busy' : 'refused') } })
  const report = await run({ settings: { concurrency: 1 } })
  expect(report.off?.message).toBe('fake (sample): the line is refused')
  expect([sent(provider), report.filled, report.rest.size]).toEqual([[3, 3], 0, 6])
  expect(service.leftovers).toEqual([])
})

test('a failed job and a good one are no row', async () => {
  const { provider, service, run } = await open(12, { limits: { maxRequests: 3 } })
  service.behave({ plan: (job) => (job % 2 === 0 ? { end: 'failed' } : {}) })
  const report = await run({ settings: { concurrency: 1 } })
  expect([sent(provider), report.off, report.filled, report.rest.size]).toEqual([[3, 3, 3, 3], undefined, 6, 6])
})

test('B61: a state that nobody listed is looked at a bounded number of times, then the job is stopped and given up', async () => {
  const { clock, provider, service, run, jobs } = await open(4)
  service.behave({ plan: { word: 'UNKNOWN', end: 'stuck' } })
  const startedMs = clock.now()
  const report = await run()
  expect([provider.polledAtMs.length, report.rest.size]).toEqual([10, 4])
  expect(clock.now() - startedMs).toBeLessThan(10 * 60_000)
  expect(service.log.map(({ what }) => what)).toContain('cancel')
  clock.pass(10_000)
  await run({ isSubmitting: false })
  expect([service.leftovers, (await jobs()).map(({ state }) => state)]).toEqual([[], ['cleaned']])
})

test('B61: a page in place of an answer is no end; B66: nor is a connection that breaks', async () => {
  const { run, filled } = await open(4, {
    at: (stage, call) => {
      if ((stage === 'poll' || stage === 'results') && call <= 3) throw refusal('unavailable')
    },
  })
  expect(await run()).toMatchObject({ filled: 4, notes: [] })
  expect((await filled()).length).toBe(4)
})

test('a job that was deleted at the service is over, and its texts are free', async () => {
  const { clock, service, run } = await open(4)
  service.behave({ plan: { end: 'stuck' } })
  await run({ settings: { wait: false } })
  for (const { id } of service.jobs) service.deleteJob(id)
  clock.pass(HOUR_MS)
  const report = await run()
  expect([report.rest.size, report.notes]).toEqual([4, [expect.stringContaining('no such job')]])
})

test('a job of a minute ago that is not known everywhere yet is asked for again', async () => {
  const { run } = await open(4, {
    at: (stage, call) => {
      if (stage === 'poll' && call <= 2) throw refusal('not-found')
    },
  })
  expect(await run()).toMatchObject({ filled: 4, notes: [] })
})

test('results that are gone free their texts', async () => {
  const { service, run } = await open(4, {
    at: (stage) => {
      if (stage === 'results') for (const { id } of service.files) service.deleteFile(id)
    },
  })
  expect((await run()).rest.size).toBe(4)
})

test('a key that no longer holds ends the run, and the jobs stay for the next', async () => {
  let isRevoked = true
  const { provider, run, filled } = await open(4, {
    at: (stage) => {
      if (stage === 'poll' && isRevoked) throw refusal('auth')
    },
  })
  const report = await run()
  expect([report.stoppedBy?.code, report.waiting]).toEqual(['auth', { jobs: 1, inputs: 4 }])
  isRevoked = false
  await run()
  expect([sent(provider), (await filled()).length]).toEqual([[4], 4])
})

test('files that cannot be removed now are removed by the next run', async () => {
  let isDown = true
  const { service, run, jobs } = await open(4, {
    at: (stage) => {
      if (stage === 'cleanUp' && isDown) throw refusal('unavailable')
    },
  })
  expect(await run()).toMatchObject({ filled: 4, notes: [expect.stringContaining('removed by the next run')] })
  expect(await jobs()).toMatchObject([{ state: 'collected' }])
  isDown = false
  await run()
  expect([service.leftovers, (await jobs()).map(({ state }) => state)]).toEqual([[], ['cleaned']])
})

test('an abort ends the run at once and keeps the job', async () => {
  const controller = new AbortController()
  const { provider, run, filled } = await open(4, {
    at: (stage) => {
      if (stage === 'poll') controller.abort(new Error('closing'))
    },
  })
  await expect(run({ signal: controller.signal })).rejects.toThrow('closing')
  await run()
  expect([sent(provider), (await filled()).length]).toEqual([[4], 4])
})

test('a run that is to stop sits out no wait and makes no more jobs', async () => {
  let isStopping = false
  const { clock, provider, service, run } = await open(6, {
    limits: { maxRequests: 2 },
    at: (stage) => void (isStopping ||= stage === 'poll'),
  })
  service.behave({ plan: { workMs: HOUR_MS } })
  const startedMs = clock.now()
  expect(await run({ settings: { concurrency: 1 }, isStopping: () => isStopping })).toMatchObject({ waiting: { jobs: 1 } })
  expect([sent(provider), clock.now() - startedMs]).toEqual([[2], 0])
})

test('what a day may cost bounds the jobs', async () => {
  let used = 0
  const { provider, run } = await open(20, { limits: { maxRequests: 4 } })
  const report = await run({
    admits: (tokens) => used + tokens <= 30,
    onSubmitted: async (tokens) => void (used += tokens),
  })
  expect(report.isOverBudget).toBe(true)
  expect([used <= 30, report.tokens]).toEqual([true, used])
  expect(sent(provider).reduce((sum, count) => sum + count, 0)).toBeLessThan(20)
})

test('progress counts what is done at the service, and does not fall', async () => {
  const seen: number[] = []
  const { run } = await open(10)
  await run({ onProgress: ({ done, total }) => void seen.push(done, total) })
  const done = seen.filter((_, index) => index % 2 === 0)
  expect(done).toEqual(done.toSorted((left, right) => left - right))
  expect([done.at(-1), seen.at(-1)]).toEqual([10, 10])
})

test('a cancelled job keeps what it did; a second cancel says that it is over', async () => {
  const { clock, waiting, provider, service, run, jobs, filled } = await open(10)
  service.behave({ plan: { validationMs: 0, workMs: HOUR_MS } })
  await run({ settings: { wait: false } })
  clock.pass(HOUR_MS / 2)
  const lease = await waiting.lease()
  const options = { provider, store: waiting.store, lease, now: clock.now, sleep: clock.sleep }
  const [job] = await jobs()
  expect(job && (await clock.run(cancelBatch(options, job)))).toBe('cancelling')
  await lease.release()
  clock.pass(HOUR_MS)
  const report = await run({}, resumeBatches)
  expect([report.filled, (await filled()).length, report.rest.size, service.leftovers]).toEqual([5, 5, 5, []])
  const again = await waiting.lease()
  const [over] = await jobs()
  expect(over && (await cancelBatch({ ...options, lease: again }, over))).toBe('over')
})

test('cancelling a submission of unknown fate looks once more, then frees its texts', async () => {
  const { clock, waiting, provider, run, jobs } = await open(4, {
    at: (stage, call) => {
      if (stage === 'create' && call === 1) throw refusal('unavailable')
    },
  })
  await run()
  const [job] = await jobs()
  const lease = await waiting.lease()
  const options = { provider, store: waiting.store, lease, now: clock.now, sleep: clock.sleep }
  expect(job && (await clock.run(cancelBatch(options, job)))).toBe('withdrawn')
  await lease.release()
  expect(await jobs()).toEqual([])
  expect(await run()).toMatchObject({ filled: 4 })
})

test('a provider without jobs and settings that cannot be are refused', async () => {
  const { run, provider } = await open(1)
  const { batch: _, ...plain } = provider
  await expect(run({ provider: plain })).rejects.toThrow(TypeError)
  await expect(run({ settings: { concurrency: 0 } })).rejects.toThrow(RangeError)
  await expect(run({ settings: { timeoutMinutes: -1 } })).rejects.toThrow(RangeError)
})
