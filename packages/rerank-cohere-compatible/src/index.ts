export { createCohereCompatibleReranker } from './create.ts'
export type { CohereCompatibleRerankerOptions } from './options.ts'
