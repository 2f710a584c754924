export { createOpenAICompatibleGenerator } from './create.ts'
export type { OpenAICompatibleGeneratorOptions, SchemaMode } from './options.ts'
