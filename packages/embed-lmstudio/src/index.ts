export { createLMStudio } from './create.ts'
export { listLMStudioModels } from './list-models.ts'
export type { LMStudioModel } from './list-models.ts'
export type { LMStudioEmbeddingOptions, LMStudioInputType, LMStudioServerOptions } from './options.ts'
