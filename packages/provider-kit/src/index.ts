export { checkHeaders, optionalCount, requireKey, requireText, secretsOf } from './define/check-options.ts'
export { configError } from './failure/config-error.ts'
export { exceptStatus, statusOf } from './failure/status-of.ts'
export type {
  EmbeddingBatchDefinition,
  RawBatchHandle,
  RawBatchOutcome,
  RawBatchState,
  RawBatchSubmission,
} from './batch/embedding-batch-definition.ts'
export { defineEmbeddingProvider } from './define/define-embedding-provider.ts'
export type { EmbeddingProviderDefinition, RawEmbeddingRequest } from './define/define-embedding-provider.ts'
export { isPrivateHost, normaliseEndpoint, openAIStyleBase, parseBaseUrl, serverUrl } from './fetch/endpoint.ts'
export { type Fields, fieldsOf, filledText, isFields } from './json/fields.ts'
export { failingFetch } from './fetch/failing-fetch.ts'
export { freezeOptions } from './define/freeze-options.ts'
export { guardCall } from './define/guard-call.ts'
export type { GuardedCall } from './define/guard-call.ts'
export { guardedFetch } from './fetch/guarded-fetch.ts'
export type { Fetch } from './fetch/fetch.ts'
export { jsonLines } from './json/json-lines.ts'
export type { FailureContext } from './failure/provider-failure.ts'
export { readOpenAIStyleReply } from './reply/openai-style-reply.ts'
export { jsonOrText, postJson } from './fetch/post-json.ts'
export type { JsonRequest } from './fetch/post-json.ts'
export { modelFamily } from './request/prompt-prefixes.ts'
export type { ModelFamily, PromptPrefix } from './request/prompt-prefixes.ts'
export type { RawEmbedding, RawEmbeddingReply } from './reply/raw-embedding.ts'
export { proxyFor } from './fetch/proxy-for.ts'
export type { ChosenProxy } from './fetch/proxy-for.ts'
export { redact } from './failure/redact.ts'
export { retryAfterMs } from './failure/retry-after.ts'
export { failureError, notedFailure } from './failure/service-failure.ts'
export type { ResponseHeaders, ServiceFailure } from './failure/service-failure.ts'
