// Fusion of several ranked lists into one. Pure.
export { fuseReciprocalRank, fuseWeighted } from './fuse.ts'
export type { FusedEntry, FusionPart, IsSilent } from './fuse.ts'
export { scaleByBest, vectorScore } from './list-score.ts'
export type { ScoredEntry } from './list-score.ts'
