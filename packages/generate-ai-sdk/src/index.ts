export type {
  AISDKLanguageCall,
  AISDKLanguageModel,
  AISDKLanguageReply,
  AISDKProviderOptions,
  AISDKSpecificationVersion,
  AISDKTextPart,
} from './ai-sdk-model.ts'
export { fromAISDK } from './from-ai-sdk.ts'
export type { FromAISDKOptions, SchemaMode } from './options.ts'
export type { AISDKGivenCall } from './read-call.ts'
export { toAISDK } from './to-ai-sdk.ts'
export type { AISDKModelOf, ToAISDKOptions } from './to-ai-sdk.ts'
export type { AISDKFormOf, AISDKReplyOf, AISDKStreamPartOf } from './reply-form.ts'
