export { createGeminiGenerator } from './create.ts'
export type { GeminiGeneratorOptions, GeminiThinking } from './options.ts'
