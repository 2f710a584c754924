export { createBedrockReranker } from './create.ts'
export { BEDROCK_RERANK_MODELS } from './models.ts'
export type { BedrockRerankModel, BedrockRerankModelId } from './models.ts'
export type { BedrockRerankerOptions } from './options.ts'
