// Keyword search over texts in memory.
export { keywordIndex } from './keyword-index.ts'
export type { KeywordHit, KeywordIndex, KeywordIndexOptions } from './keyword-index.ts'
