export { createMemory } from './backend/create-memory.ts'
export { RECALLED_END, RECALLED_START } from './document/hidden-blocks.ts'
export { estimateTokens } from './text/estimate-tokens.ts'
