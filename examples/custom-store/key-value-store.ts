import type { KeywordBlock, Lease, LeaseName, MemoryStore } from '@mnemark/spec'
import { assertText, OpenCalls, storeWithoutJobs, storeWithoutVectors } from '@mnemark/store-kit'
import { addSegment, applyChanges, dropSegment } from './apply-changes.ts'
import type { KeyValueFile } from './key-value-file.ts'
import { snapshotOf } from './snapshot.ts'

/** A store on a plain key-value file: documents and keywords, so a memory over it searches by words. */
export function createKeyValueStore(file: KeyValueFile): MemoryStore {
  const calls = new OpenCalls()
  const held = new Set<Lease>()
  const write = (lease: Lease, change: (values: Map<string, string>) => void, needed?: LeaseName): Promise<void> =>
    calls.run(() => {
      file.leases.assertHeld(lease, needed)
      file.commit(change)
    })
  return {
    ...storeWithoutVectors,
    ...storeWithoutJobs,
    specVersion: 'v1',
    kind: 'key-value',
    levels: ['documents', 'keywords'],
    acquireLease: (name, options) =>
      calls.run(async () => {
        const lease = await file.leases.acquire(name, options?.signal, calls.closing)
        if (lease) held.add(lease)
        return lease
      }),
    snapshot: () => calls.run(() => snapshotOf(file.values, () => calls.assertOpen())),
    apply: (lease, changes) => write(lease, (values) => applyChanges(values, changes), 'write'),
    async replaceSegments(lease, drop, { id, header, blocks: source }) {
      const blocks: KeywordBlock[] = []
      await calls.run(async () => {
        file.leases.assertHeld(lease, 'write')
        for await (const block of source) blocks.push(block)
      })
      const replace = (values: Map<string, string>): void => {
        for (const old of drop) dropSegment(values, old)
        addSegment(values, { id, header, blocks })
      }
      await write(lease, replace, 'write')
    },
    settings: {
      get: (key) => calls.run(() => file.values.get(`setting ${key}`)),
      set: (lease, key, value) => write(lease, (values) => void values.set(`setting ${key}`, assertText(value))),
    },
    check: () => calls.run(() => ({ isHealthy: true, problems: [], repaired: [] })),
    // Nothing lies idle here: a commit writes what there is.
    maintain: (lease) => calls.run(() => file.leases.assertHeld(lease)),
    close: () =>
      calls.close(() => {
        for (const lease of held) file.leases.release(lease)
      }),
  }
}
