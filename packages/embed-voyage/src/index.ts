export { createVoyage } from './create.ts'
export { VOYAGE_MODELS } from './models.ts'
export type { VoyageModel, VoyageModelId } from './models.ts'
export type { VoyageEmbeddingOptions, VoyageInputType, VoyageTextType } from './options.ts'
