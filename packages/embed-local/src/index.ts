export { createLocal } from './create.ts'
export type { LocalEmbeddingOptions, LocalInputType } from './options.ts'
