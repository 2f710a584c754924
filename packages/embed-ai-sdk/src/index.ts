export type {
  AISDKEmbeddingCall,
  AISDKEmbeddingModel,
  AISDKEmbeddingReply,
  AISDKProviderOptions,
  AISDKSpecificationVersion,
} from './ai-sdk-model.ts'
export { fromAISDK } from './from-ai-sdk.ts'
export type { FromAISDKOptions } from './from-ai-sdk.ts'
export { toAISDK } from './to-ai-sdk.ts'
export type { AISDKModelOf, ToAISDKOptions } from './to-ai-sdk.ts'
