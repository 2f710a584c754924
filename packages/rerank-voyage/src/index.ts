export { createVoyageReranker } from './create.ts'
export { VOYAGE_RERANK_MODELS } from './models.ts'
export type { VoyageRerankModel, VoyageRerankModelId } from './models.ts'
export type { VoyageRerankerOptions } from './options.ts'
