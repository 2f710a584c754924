export { createBedrockGenerator } from './create.ts'
export type { BedrockGeneratorOptions, BedrockGuardrail, BedrockSchemaMode } from './options.ts'
