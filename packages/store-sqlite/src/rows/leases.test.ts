import type { MemoryStore } from '@mnemark/spec'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { change, open, samplePut, sampleSegment, take } from '../__fixtures__/sample.ts'
import { temporaryPath } from '../__fixtures__/temporary-path.ts'
import { ownIdentity } from '../connection/process-identity.ts'

const NOTHING = { put: [], touch: [], remove: [] }

/** Writes a lease row like another process. */
function plantLease(
  path: string,
  owner: { readonly host: string; readonly pid: number; readonly start: string | null; readonly renewedAtMs: number },
): void {
  const database = new Database(path)
  const sql =
    "INSERT OR REPLACE INTO leases (name, owner, host, pid, process_start, renewed_at_ms) VALUES ('write', 'planted', ?, ?, ?, ?)"
  database.prepare(sql).run(owner.host, owner.pid, owner.start, owner.renewedAtMs)
  database.close()
}

async function isFree(path: string, nowMs: number): Promise<boolean> {
  return canTake(await open(path, { nowMs: () => nowMs }))
}

async function freshPath(): Promise<string> {
  const path = temporaryPath()
  await (await open(path)).close()
  return path
}

const own = ownIdentity()

test('a lease of this very process is live', async () => {
  const path = await freshPath()
  plantLease(path, { ...own, renewedAtMs: 1_000 })
  expect(await isFree(path, 1_000)).toBe(false)
})

test('B42 a lease whose process is gone is free', async () => {
  const path = await freshPath()
  plantLease(path, { ...own, pid: 2 ** 22 + 7, renewedAtMs: 1_000 })
  expect(await isFree(path, 1_000)).toBe(true)
})

test.runIf(own.start !== null)('B42 a lease whose process number now belongs to another process is free', async () => {
  const path = await freshPath()
  plantLease(path, { ...own, start: '1', renewedAtMs: 1_000 })
  expect(await isFree(path, 1_000)).toBe(true)
})

test('a process number of another host or container says nothing: only its silence does', async () => {
  const path = await freshPath()
  const elsewhere = { host: 'elsewhere', pid: 2 ** 22 + 7, start: null, renewedAtMs: 100_000 }
  plantLease(path, elsewhere)
  expect(await isFree(path, 159_000)).toBe(false)
  plantLease(path, elsewhere)
  expect(await isFree(path, 161_000)).toBe(true)
})

test('a heartbeat from the future, after the clock was set back, holds nothing for ever', async () => {
  const path = await freshPath()
  plantLease(path, { ...own, renewedAtMs: 10_000_000 })
  expect(await isFree(path, 1_000)).toBe(true)
})

test('a holder silent for over a minute loses the lease, and its writes are refused', async () => {
  const path = temporaryPath()
  let nowMs = 0
  const first = await open(path, { nowMs: () => nowMs })
  const second = await open(path, { nowMs: () => nowMs })
  const lost = await take(first)
  nowMs = 61_000
  const taken = await take(second)
  await expect(first.apply(lost, { ...NOTHING, put: [samplePut('a.md')] })).rejects.toMatchObject({ code: 'lease-held' })
  await expect(lost.renew()).rejects.toMatchObject({ code: 'lease-held' })
  await lost.release()
  await second.apply(taken, NOTHING)
})

test('renewing and writing are signs of life', async () => {
  const path = temporaryPath()
  let nowMs = 0
  const first = await open(path, { nowMs: () => nowMs })
  const second = await open(path, { nowMs: () => nowMs })
  const lease = await take(first)
  nowMs = 50_000
  await lease.renew()
  nowMs = 100_000
  await first.apply(lease, NOTHING)
  nowMs = 150_000
  const controller = new AbortController()
  const waiting = second.acquireLease('write', { signal: controller.signal })
  await second.settings.get('anything')
  controller.abort()
  expect(await waiting).toBeNull()
  await first.apply(lease, NOTHING)
})

test('a merge whose blocks come slowly keeps its lease', async () => {
  const path = temporaryPath()
  let nowMs = 0
  const first = await open(path, { nowMs: () => nowMs })
  const second = await open(path, { nowMs: () => nowMs })
  await change(first, { segments: () => [sampleSegment('old', ['a'])] })
  const lease = await take(first)
  const looks: boolean[] = []
  const blocks = async function* () {
    for (const firstKey of ['a', 'b', 'c', 'd', 'e', 'f']) {
      nowMs += 20_000
      yield { firstKey, bytes: new Uint8Array(10) }
      looks.push(await canTake(second))
    }
  }
  await first.replaceSegments(lease, ['old'], { id: 'merged', header: new Uint8Array(1), blocks: blocks() })
  expect(looks).toEqual([false, false, false, false, false, false])
  await first.apply(lease, NOTHING)
})

async function canTake(store: MemoryStore): Promise<boolean> {
  const controller = new AbortController()
  const lease = store.acquireLease('write', { signal: controller.signal })
  // One look is enough for a free lease; the signal ends the wait for a held one.
  await store.settings.get('anything')
  setImmediate(() => controller.abort())
  return (await lease) !== null
}

test('waiting for a lease leaves the event loop free', async () => {
  const path = temporaryPath()
  const first = await open(path)
  const second = await open(path)
  const lease = await take(first)
  const waiting = second.acquireLease('write')
  // If the wait never yielded, the release below would not happen, and the test would not end.
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
  await lease.release()
  const next = await waiting
  expect(next).not.toBeNull()
  await next?.release()
  await change(second, { put: [samplePut('a.md')] })
})
