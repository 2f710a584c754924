export { createOpenAI } from './create.ts'
export { OPENAI_EMBEDDING_MODELS } from './models.ts'
export type { OpenAIEmbeddingModel, OpenAIEmbeddingModelId } from './models.ts'
export type { OpenAIEmbeddingOptions } from './options.ts'
