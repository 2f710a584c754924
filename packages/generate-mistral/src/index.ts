export { createMistralGenerator } from './create.ts'
export type { MistralGeneratorOptions, MistralReasoningEffort } from './options.ts'
