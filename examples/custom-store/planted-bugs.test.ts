import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MemoryStore, StoreSnapshot } from '@mnemark/spec'
import { memoryStoreCases } from '@mnemark/testkit'
import { afterAll, expect, test } from 'vitest'
import { KeyValueFile } from './key-value-file.ts'
import { createKeyValueStore } from './key-value-store.ts'

// Bugs that are easily made in a store: each must be caught, with a message that names the rule it breaks.

const folder = mkdtempSync(join(tmpdir(), 'key-value-'))
afterAll(() => rmSync(folder, { recursive: true }))
let count = 0

async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const inSnapshots =
  (change: (snapshot: StoreSnapshot, store: MemoryStore) => Partial<StoreSnapshot>) =>
  (store: MemoryStore): Partial<MemoryStore> => ({
    async snapshot() {
      const snapshot = await store.snapshot()
      return { ...snapshot, ...change(snapshot, store) }
    },
  })

const BUGS: Readonly<Record<string, { readonly plant: (store: MemoryStore) => Partial<MemoryStore>; readonly message: RegExp }>> =
  {
    'commits documents before it asks for their segments': {
      plant: (store) => ({
        async apply(lease, { segments, ...changes }) {
          await store.apply(lease, changes)
          await store.apply(lease, { put: [], touch: [], remove: [], segments: () => segments?.(new Map(), []) ?? [] })
        },
      }),
      message: /^D2: a change set whose `segments` throws leaves nothing of itself/,
    },
    'reads what is there now in place of what was': {
      plant: inSnapshots((_, store) => ({ counts: async () => (await store.snapshot()).counts() })),
      message: /^N2: a snapshot not yet read is fixed at the moment it was taken\.\n[^]*documents: 1/,
    },
    'orders keys as JavaScript does': {
      plant: inSnapshots((snapshot) => ({
        blocks: (requests) =>
          Promise.all(
            requests.map(async ({ segment, keys }) => {
              const blocks = await listed(snapshot.scan(segment))
              const sorted = blocks.toSorted((left, right) => (left.firstKey < right.firstKey ? -1 : 1))
              return keys.flatMap((key) => sorted.findLast(({ firstKey }) => firstKey <= key) ?? [])
            }),
          ),
      })),
      message: /^G2: keys are ordered by UTF-8 bytes, not by UTF-16 units/,
    },
    'does not exclude': {
      plant: inSnapshots((snapshot) => ({
        filter: (filter) => snapshot.filter({ ...filter, excludePaths: [] }),
      })),
      message: /^F4: excluded paths go, also where a glob lets them in\.\n[^]*memory\/archive\/b\.md/,
    },
    'writes without a lease': {
      plant: (store) => ({
        async apply(_, changes) {
          const lease = await store.acquireLease('write', { signal: AbortSignal.timeout(1_000) })
          if (lease) await store.apply(lease, changes).finally(() => lease.release())
        },
      }),
      message: /^E4: no write without a lease that is held/,
    },
  }

test.each(Object.entries(BUGS))('a store that %s is told which rule it breaks', async (_, { plant, message }) => {
  const create = (): MemoryStore => {
    const store = createKeyValueStore(new KeyValueFile(join(folder, `${count++}.json`)))
    return { ...store, ...plant(store) }
  }
  const wanted = /^\^(\w+)/.exec(message.source)?.[1]
  const found = memoryStoreCases({ levels: ['documents', 'keywords'], create }).find(({ id }) => id === wanted)
  await expect(found?.run()).rejects.toThrow(message)
})
