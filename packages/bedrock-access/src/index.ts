export { bedrockService } from './bedrock-service.ts'
export type { BedrockModelPlace, BedrockService } from './bedrock-service.ts'
export type { InvokeReply, InvokeRequest } from './client.ts'
export type { BedrockAccessOptions, BedrockCredentials } from './options.ts'
