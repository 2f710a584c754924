export { checkHeaders, optionalCount, requireKey, requireText, secretsOf } from './check-options.ts'
export { configError } from './config-error.ts'
export { exceptStatus, statusOf } from './define-embedding-batch.ts'
export type {
  EmbeddingBatchDefinition,
  RawBatchHandle,
  RawBatchOutcome,
  RawBatchState,
  RawBatchSubmission,
} from './define-embedding-batch.ts'
export { defineEmbeddingProvider } from './define-embedding-provider.ts'
export type { EmbeddingProviderDefinition, RawEmbeddingReply, RawEmbeddingRequest } from './define-embedding-provider.ts'
export { isPrivateHost, normaliseEndpoint, openAIStyleBase, parseBaseUrl, serverUrl } from './endpoint.ts'
export { type Fields, fieldsOf, filledText, isFields } from './fields.ts'
export { failingFetch } from './failing-fetch.ts'
export { freezeOptions } from './freeze-options.ts'
export { guardCall } from './guard-call.ts'
export type { GuardedCall } from './guard-call.ts'
export { guardedFetch } from './guarded-fetch.ts'
export type { Fetch } from './guarded-fetch.ts'
export { jsonLines } from './json-lines.ts'
export type { FailureContext } from './provider-failure.ts'
export { readOpenAIStyleReply } from './openai-style-reply.ts'
export { jsonOrText, postJson } from './post-json.ts'
export type { JsonRequest } from './post-json.ts'
export { modelFamily } from './prompt-prefixes.ts'
export type { ModelFamily, PromptPrefix } from './prompt-prefixes.ts'
export type { RawEmbedding } from './read-vectors.ts'
export { proxyFor } from './proxy-for.ts'
export type { ChosenProxy } from './proxy-for.ts'
export { redact } from './redact.ts'
export { retryAfterMs } from './retry-after.ts'
export { failureError, notedFailure } from './service-failure.ts'
export type { ResponseHeaders, ServiceFailure } from './service-failure.ts'
