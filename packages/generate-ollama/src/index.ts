export { createOllamaGenerator } from './create.ts'
export type { OllamaGeneratorOptions, OllamaThinking } from './options.ts'
