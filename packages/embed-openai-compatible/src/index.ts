export { createOpenAICompatible } from './create.ts'
export type { BodyFields, InputTypeMapping, JsonValue, OpenAICompatibleOptions } from './options.ts'
