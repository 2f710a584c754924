// A selection that does not say one thing twice. Pure.
export { selectDiverse } from './select-diverse.ts'
export type { DiverseOptions, DiversePick } from './select-diverse.ts'
export { cosineSimilarity, jaccard } from './similarity.ts'
