// Diversity: a selection without repetition. Pure.
export { selectDiverse } from './select-diverse.ts'
export type { DiverseOptions, DiversePick } from './select-diverse.ts'
export { cosineSimilarity, jaccard } from './similarity.ts'
