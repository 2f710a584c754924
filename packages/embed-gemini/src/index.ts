export { createGemini } from './create.ts'
export { GEMINI_MODELS } from './models.ts'
export type { GeminiModel, GeminiModelId } from './models.ts'
export type { GeminiEmbeddingOptions, GeminiInputType } from './options.ts'
