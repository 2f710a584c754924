export { createTunedMemory } from './backend/create-memory.ts'
export { KEYWORD_TUNING } from './keywords/query/keyword-tuning.ts'
export type { KeywordTuning } from './keywords/query/keyword-tuning.ts'
