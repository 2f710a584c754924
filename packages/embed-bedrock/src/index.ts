export { createBedrock } from './create.ts'
export { BEDROCK_EMBEDDING_MODELS } from './models.ts'
export type { BedrockEmbeddingModel, BedrockEmbeddingModelId, BedrockModelFamily } from './models.ts'
export type { BedrockCredentials, BedrockEmbeddingOptions, NovaQueryPurpose } from './options.ts'
