import { setImmediate } from 'node:timers/promises'
import type { MemoryBackend, MemorySettings, SyncOptions, SyncReport } from '@mnemark/spec'
import { fingerprint } from '@mnemark/spec'
import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { type BatchProviderOptions, createBatchProvider } from '../../test/batch-provider.ts'
import { refusal } from '../../test/fake-embedder.ts'
import { NoteSource } from '../../test/note-source.ts'
import { openMemory, search } from '../../test/open-notes.ts'

const HOUR_MS = 3_600_000

/** Short waits are over at once; a long one is a time-out or a heartbeat, and never comes. */
class QuickClock {
  #nowMs = 1_000_000

  readonly now = (): number => this.#nowMs

  readonly sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    if (ms > 1_000)
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }))
    this.#nowMs += ms
    await setImmediate()
  }

  pass(ms: number): void {
    this.#nowMs += ms
  }
}

const notes = (count: number): NoteSource =>
  new NoteSource(Object.fromEntries(Array.from({ length: count }, (_, index) => [`memory/${index}.md`, `Note number ${index}.`])))

async function open(count: number, settings: MemorySettings, options: BatchProviderOptions = {}) {
  const clock = new QuickClock()
  const disk = new InMemoryDisk()
  const provider = createBatchProvider(clock, options)
  Object.assign(provider, { traits: { ...provider.traits, usdPerMillionTokens: 1_000_000 } })
  const source = notes(count)
  const { now, sleep } = clock
  const store = createInMemoryStore({ disk })
  const memory = await openMemory([source], { store, embeddings: [provider], settings, now, sleep })
  const sync = (given?: SyncOptions): Promise<SyncReport> => memory.sync(given)
  return { clock, disk, provider, service: provider.service, memory, source, sync }
}

async function vectorsOf(memory: MemoryBackend, disk: InMemoryDisk): Promise<ReadonlyMap<string, unknown>> {
  const [space] = (await memory.status()).spaces
  const snapshot = await createInMemoryStore({ disk }).snapshot()
  const found = new Map<string, unknown>()
  for await (const { hash, vector } of snapshot.exportVectors(fingerprint(space?.space))) found.set(hash, vector)
  snapshot.release()
  return found
}

test('the same index, equal vectors, by jobs and by requests', async () => {
  const byJobs = await open(20, { batch: {} })
  const byRequests = await open(20, {})
  const [jobs, requests] = [await byJobs.sync(), await byRequests.sync()]
  expect([byJobs.provider.calls.length, byJobs.service.jobs.length]).toEqual([0, 1])
  expect([byRequests.provider.calls.length, byRequests.service.jobs.length]).toEqual([1, 0])
  expect(jobs).toMatchObject({ isComplete: true, degraded: [], vectors: requests.vectors })
  expect(jobs.tokens).toBeGreaterThan(0)
  expect(await vectorsOf(byJobs.memory, byJobs.disk)).toEqual(await vectorsOf(byRequests.memory, byRequests.disk))
  expect(byJobs.service.leftovers).toEqual([])
})

test('a job costs its share of the price, and a dry run says both prices', async () => {
  const { sync, service } = await open(5, { batch: {} })
  const plan = await sync({ isDryRun: true })
  expect(service.log).toEqual([])
  expect(plan.usd).toBe(plan.tokens)
  expect(plan.usdByBatch).toBe(plan.tokens / 2)
  const report = await sync()
  expect(report.usd).toBe(report.tokens / 2)
})

test('jobs that run on are said in the report and in the status, and collected by a later sync', async () => {
  const { clock, memory, service, sync } = await open(5, { batch: { wait: false } })
  const first = await sync()
  expect(first).toMatchObject({ isComplete: false, degraded: [{ code: 'space-incomplete' }] })
  expect(first.degraded[0]?.message).toMatch(/^5 texts are in 1 batch job at fake \(sample\)/)
  expect((await memory.status()).details).toMatchObject({ jobs: { open: 1, inputs: 5, unknown: 0 } })
  clock.pass(HOUR_MS)
  expect(await sync()).toMatchObject({ isComplete: true, degraded: [], vectors: [{ filled: 5, missing: 0 }] })
  expect([service.jobs.length, (await memory.status()).details['jobs']]).toEqual([1, { open: 0, inputs: 0, unknown: 0 }])
})

test('B61: where two jobs fail in a row the ordinary path takes over, and the report says why', async () => {
  const { provider, service, sync } = await open(6, { batch: { concurrency: 1 } }, { limits: { maxRequests: 2 } })
  service.behave({ plan: { fate: () => 'refused' } })
  const report = await sync()
  expect(report).toMatchObject({ isComplete: true, vectors: [{ filled: 6, missing: 0 }] })
  expect([service.jobs.length, provider.calls.flat().length]).toEqual([2, 6])
  expect(report.notes).toEqual([
    expect.stringContaining('0 of 2 texts came back'),
    expect.stringContaining('0 of 2 texts came back'),
    expect.stringMatching(/no more batch jobs in this run.* the line is refused/),
  ])
})

test('what one job did not fill goes by requests in the same sync, and nothing else does', async () => {
  const { provider, service, sync } = await open(6, { batch: {} })
  service.behave({ plan: { fate: ({ call }) => (call.texts[0]?.includes('number 3') ? 'missing' : 'good') } })
  expect(await sync()).toMatchObject({ isComplete: true, vectors: [{ filled: 6 }] })
  expect(provider.calls.flat()).toEqual([expect.stringContaining('number 3')])
})

test('a key that does not hold stops the run, opens the breaker and sends nothing by requests', async () => {
  const { memory, provider, sync } = await open(
    4,
    { batch: {} },
    {
      at: (stage) => {
        if (stage === 'poll') throw refusal('auth')
      },
    },
  )
  const report = await sync()
  expect(report.degraded.map(({ code }) => code)).toEqual(['space-incomplete', 'provider-unavailable'])
  expect(provider.calls).toEqual([])
  expect((await memory.status()).details).toMatchObject({ chain: [{ isHealthy: false, cause: expect.stringContaining('auth') }] })
})

test.each(['auth', 'quota', 'tls'] as const)(
  'a key that is not for jobs (%s) never keeps texts from going by requests',
  async (code) => {
    const state = { isRepaired: false }
    const { clock, disk, provider, service, source, sync } = await open(
      4,
      { batch: {} },
      {
        at: () => {
          if (!state.isRepaired) throw refusal(code)
        },
      },
    )
    for (const round of [1, 2, 3]) {
      source.write('memory/new.md', `Text of round ${round}.`)
      const report = await sync()
      expect(report).toMatchObject({ degraded: [], isComplete: true, vectors: [{ filled: 5, missing: 0 }] })
      expect(report.notes?.join()).toContain(`fake: ${code}`)
    }
    // With batches switched off, the rest of a job is still removed and holds nothing up.
    source.write('memory/new.md', 'Text of the last round.')
    const { now, sleep } = clock
    const plain = await openMemory([source], { store: createInMemoryStore({ disk }), embeddings: [provider], now, sleep })
    expect(await plain.sync()).toMatchObject({ degraded: [], vectors: [{ filled: 5, missing: 0 }] })
    expect(provider.calls.flat()).toHaveLength(8)
    state.isRepaired = true
    await plain.sync()
    expect(service.leftovers).toEqual([])
  },
)

test('texts that are in jobs which nobody may ask about wait, and others go by requests', async () => {
  const state = { isRefused: false }
  const { provider, source, sync } = await open(
    4,
    { batch: { wait: false } },
    {
      at: () => {
        if (state.isRefused) throw refusal('auth')
      },
    },
  )
  await sync()
  state.isRefused = true
  source.write('memory/new.md', 'A new note.')
  const report = await sync()
  expect(report.degraded.map(({ code }) => code)).toEqual(['space-incomplete', 'provider-unavailable'])
  expect(provider.calls.flat()).toEqual([expect.stringContaining('new note')])
  state.isRefused = false
  expect((await sync()).degraded.map(({ code }) => code)).toEqual(['space-incomplete'])
})

test('a few files that a watcher names go by requests, and jobs that are there are looked at once', async () => {
  const { clock, provider, service, source, sync } = await open(4, { batch: { wait: false } })
  await sync()
  clock.pass(HOUR_MS)
  source.write('memory/new.md', 'A new note.')
  const report = await sync({ paths: [{ source: 'memory', path: 'memory/new.md' }] })
  expect(report.vectors).toMatchObject([{ filled: 5, missing: 0 }])
  expect([service.jobs.length, provider.calls.flat().length]).toEqual([1, 1])
})

test('searches and watchers send a few texts by the way, and leave many to the jobs of the next sync', async () => {
  const few = await open(4, { batch: {} })
  await search(few.memory, 'note')
  await few.sync({ paths: [] })
  const many = await open(80, { batch: {} })
  await search(many.memory, 'note')
  await many.sync({ paths: [] })
  const embedded = ({ calls }: typeof few.provider): number => calls.flat().filter((text) => text.startsWith('Note')).length
  expect([embedded(few.provider), embedded(many.provider)]).toEqual([4, 0])
  expect([few.service.jobs.length, many.service.jobs.length]).toEqual([0, 0])
})

test('a search asks no service about jobs', async () => {
  const { clock, memory, provider, sync } = await open(4, { batch: { wait: false } })
  await sync()
  const looks = provider.polledAtMs.length
  clock.pass(HOUR_MS)
  await search(memory, 'note')
  await memory.close()
  expect(provider.polledAtMs).toHaveLength(looks)
})

test('with jobs switched off those that are there are still collected', async () => {
  const { clock, disk, provider, source, sync } = await open(4, { batch: { wait: false } })
  await sync()
  clock.pass(HOUR_MS)
  const { now, sleep } = clock
  const plain = await openMemory([source], { store: createInMemoryStore({ disk }), embeddings: [provider], now, sleep })
  expect(await plain.sync()).toMatchObject({ isComplete: true, vectors: [{ filled: 4 }] })
  expect(provider.calls).toEqual([])
})

test('what a day may cost bounds jobs as it bounds requests', async () => {
  const { provider, service, sync } = await open(20, { batch: {}, dailyTokens: 40 }, { limits: { maxRequests: 4 } })
  const report = await sync()
  expect(report.tokens).toBeLessThanOrEqual(40)
  expect(report.degraded.map(({ code }) => code)).toContain('budget-reached')
  expect([service.jobs.length > 0, provider.calls]).toEqual([true, []])
})
