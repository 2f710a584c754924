export { createMistral } from './create.ts'
export { MISTRAL_MODELS } from './models.ts'
export type { MistralModel, MistralModelId } from './models.ts'
export type { MistralEmbeddingOptions } from './options.ts'
