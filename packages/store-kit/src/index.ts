export {
  snapshotWithoutKeywords,
  snapshotWithoutVectors,
  storeWithoutJobs,
  storeWithoutKeywords,
  storeWithoutVectors,
} from './absent-levels.ts'
export { assertDay, assertDimensions, assertFinite, assertLimit, assertText } from './argument-checks.ts'
export { compareJobs, inputsInJobs } from './batch-jobs.ts'
export { compareUtf8 } from './byte-order.ts'
export { assertBlockOrder, assertChanges, assertSegments } from './change-set-checks.ts'
export { createChunkMatcher, createPathMatcher } from './select/chunk-matcher.ts'
export type { ChunkMatcher } from './select/chunk-matcher.ts'
export { documentKey } from '@mnemark/spec'
export { blocksFrom, findBlocks, floorIndex } from './select/find-blocks.ts'
export { frozenCopy } from './frozen-copy.ts'
export { LeaseTable } from './lease-table.ts'
export { OpenCalls } from './open-calls.ts'
export { cosine, rankNearest } from './select/rank-nearest.ts'
export type { NearChunk } from './select/rank-nearest.ts'
export { selectPage } from './select/select-page.ts'
export { touchedDocument } from './touched-document.ts'
