import type { DocumentId, SyncOptions, SyncReport } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { SyncQueue, type SyncRun } from './sync-queue.ts'

const REPORT: SyncReport = {
  total: 1,
  indexed: 1,
  unchanged: 0,
  removed: 0,
  skipped: [],
  failed: [],
  chunks: 1,
  vectors: [],
  tokens: 0,
  degraded: [],
  isComplete: true,
  ms: 1,
}

function ids(...paths: readonly string[]): readonly DocumentId[] {
  return paths.map((path) => ({ source: 'memory', path }))
}

const NOW_MS = 1_000_000

/** A memory whose syncs end when the test says so, and the queue in front of it. */
function setUp(): {
  readonly queue: SyncQueue
  readonly asked: SyncRun[]
  readonly failures: unknown[]
  readonly timers: { ms: number; callback: () => void }[]
  end(error?: Error | Partial<SyncReport>): Promise<void>
} {
  const asked: SyncRun[] = []
  const failures: unknown[] = []
  const timers: { ms: number; callback: () => void }[] = []
  let current = Promise.withResolvers<SyncReport>()
  const queue = new SyncQueue({
    memory: {
      sync: ({ reason, paths }: SyncOptions = {}) => {
        current = Promise.withResolvers()
        asked.push({
          reason: reason === 'search' || reason === 'manual' || reason === undefined ? 'start' : reason,
          ...(paths && { paths }),
        })
        return current.promise
      },
    },
    onReport: () => {},
    onFailure: (_run, error) => failures.push(error),
    now: () => NOW_MS,
    after: (ms, callback) => {
      const timer = { ms, callback }
      timers.push(timer)
      return () => timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0)
    },
  })
  const end = async (how: Error | Partial<SyncReport> = {}): Promise<void> => {
    if (how instanceof Error) current.reject(how)
    else current.resolve({ ...REPORT, ...how })
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { queue, asked, failures, timers, end }
}

test('P51: what a provider was not ready for is asked for again at its time, once, and each report says anew when', async () => {
  const { queue, asked, timers, end } = setUp()
  queue.request({ reason: 'start' })
  await end({ retryAtMs: NOW_MS + 10_800_000 })
  expect(timers.map(({ ms }) => ms)).toEqual([10_800_000])
  queue.request({ reason: 'watch', paths: ids('a.md') })
  await end({ retryAtMs: NOW_MS + 7_200_000 })
  expect(timers.map(({ ms }) => ms)).toEqual([7_200_000])
  timers[0]?.callback()
  expect(asked.at(-1)).toEqual({ reason: 'interval' })
  timers.splice(0)
  // A time that has passed is no reason to ask without a pause.
  await end({ retryAtMs: NOW_MS - 5 })
  expect(timers.map(({ ms }) => ms)).toEqual([1_000])
  queue.request({ reason: 'start' })
  await end()
  expect(timers).toEqual([])
})

test('P51: closing waits for no provider', async () => {
  const { queue, timers, end } = setUp()
  queue.request({ reason: 'start' })
  await end({ retryAtMs: NOW_MS + 60_000 })
  await queue.close()
  expect(timers).toEqual([])
  queue.resumeAt(NOW_MS + 60_000)
  expect(timers).toEqual([])
})

test('changes that come while a sync runs are one run after it, each path once', async () => {
  const { queue, asked, end } = setUp()
  queue.request({ reason: 'watch', paths: ids('a.md') })
  queue.request({ reason: 'watch', paths: ids('b.md', 'c.md') })
  queue.request({ reason: 'watch', paths: ids('c.md', 'a.md') })
  expect(asked).toEqual([{ reason: 'watch', paths: ids('a.md') }])
  await end()
  expect(asked.slice(1)).toEqual([{ reason: 'watch', paths: ids('b.md', 'c.md', 'a.md') }])
  await end()
  expect(asked).toHaveLength(2)
})

test('a look at everything takes in the paths that wait', async () => {
  const { queue, asked, end } = setUp()
  queue.request({ reason: 'start' })
  queue.request({ reason: 'watch', paths: ids('a.md') })
  queue.request({ reason: 'interval' })
  queue.request({ reason: 'watch', paths: ids('b.md') })
  await end()
  expect(asked).toEqual([{ reason: 'start' }, { reason: 'interval' }])
})

test('what failed is reported and not forgotten: it is tried again later, or with the next change', async () => {
  const { queue, asked, failures, timers, end } = setUp()
  queue.request({ reason: 'watch', paths: ids('a.md') })
  await end(new Error('another process writes'))
  expect(failures).toHaveLength(1)
  expect(timers.map(({ ms }) => ms)).toEqual([30_000])
  timers[0]?.callback()
  expect(asked).toHaveLength(2)
  expect(asked[1]).toEqual({ reason: 'watch', paths: ids('a.md') })
  await end(new Error('still'))
  queue.request({ reason: 'watch', paths: ids('b.md') })
  expect(asked[2]).toEqual({ reason: 'watch', paths: ids('a.md', 'b.md') })
  await end()
  expect(timers).toHaveLength(0)
})

test('closing waits for the run that is on and starts no other', async () => {
  const { queue, asked, failures, timers, end } = setUp()
  queue.request({ reason: 'start' })
  queue.request({ reason: 'interval' })
  const closed = queue.close()
  queue.request({ reason: 'interval' })
  await end(new Error('closed'))
  await closed
  expect(asked).toHaveLength(1)
  expect(failures).toEqual([])
  expect(timers).toEqual([])
})
