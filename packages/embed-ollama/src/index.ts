export { createOllama } from './create.ts'
export type { OllamaEmbeddingOptions, OllamaInputType } from './options.ts'
