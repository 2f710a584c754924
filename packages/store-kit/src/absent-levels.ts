import type { MemoryStore, StoreLevel, StoreSnapshot } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'

const unsupported = (level: StoreLevel) => async (): Promise<never> => {
  throw new StoreError('unsupported', `This store keeps no ${level}. Use one that does, such as @mnemark/store-sqlite.`)
}

async function* nothing(): AsyncGenerator<never> {}

/** Members for a store without vectors, to be spread into it. */
export const storeWithoutVectors: Pick<MemoryStore, 'putVectors' | 'markFailed' | 'dropSpace'> = {
  putVectors: unsupported('vectors'),
  markFailed: unsupported('vectors'),
  dropSpace: unsupported('vectors'),
}

/** The same for its snapshots. */
export const snapshotWithoutVectors: Pick<StoreSnapshot, 'spaces' | 'missingInputs' | 'nearest' | 'vectors' | 'exportVectors'> = {
  spaces: async () => [],
  missingInputs: async () => [],
  nearest: async () => [],
  vectors: async () => new Map(),
  exportVectors: nothing,
}

/** Members for a store without records of batch jobs. */
export const storeWithoutJobs: Pick<MemoryStore, 'jobs'> = {
  jobs: { put: unsupported('jobs'), remove: unsupported('jobs'), list: async () => [] },
}

/** Members for a store without keyword segments. */
export const storeWithoutKeywords: Pick<MemoryStore, 'replaceSegments'> = { replaceSegments: unsupported('keywords') }

/** The same for its snapshots. */
export const snapshotWithoutKeywords: Pick<StoreSnapshot, 'segments' | 'blocks' | 'scan'> = {
  segments: async () => [],
  blocks: unsupported('keywords'),
  scan: nothing,
}
