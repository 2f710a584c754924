import type { MemoryStore } from '@mnemark/spec'
import { createInMemoryStore, InMemoryDisk } from './index.ts'
import { describeMemoryStore } from './vitest.ts'

const disks = new WeakMap<MemoryStore, InMemoryDisk>()

function open(disk: InMemoryDisk): MemoryStore {
  const store = createInMemoryStore({ disk })
  disks.set(store, disk)
  return store
}

function openAgain(store: MemoryStore): MemoryStore {
  return open(disks.get(store) ?? new InMemoryDisk())
}

describeMemoryStore('in-memory', { create: () => open(new InMemoryDisk()), reopen: openAgain, openSecond: openAgain })
