export { createOpenAICompatible } from './create.ts'
export type { BodyFields, InputTypeMapping, JsonValue, OpenAICompatibleOptions } from './options.ts'
export { OPENAI_COMPATIBLE_SERVERS } from './servers.ts'
export type { OpenAICompatibleServer, OpenAICompatibleServerName } from './servers.ts'
