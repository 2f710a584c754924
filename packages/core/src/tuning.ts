export { createTunedMemory } from './backend/create-memory.ts'
export { KEYWORD_TUNING } from './keywords/keyword-tuning.ts'
export type { KeywordTuning } from './keywords/keyword-tuning.ts'
