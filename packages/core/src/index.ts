export { createMemory } from './backend/create-memory.ts'
export { KEYWORD_TUNING, type KeywordTuning } from './keywords/keyword-tuning.ts'
export { RECALLED_END, RECALLED_START } from './document/hidden-blocks.ts'
export { estimateTokens } from './text/estimate-tokens.ts'
