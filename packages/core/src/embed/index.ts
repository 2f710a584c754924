export {
  chooseDocumentLinks,
  chooseQueryLink,
  COMPLETE_SHARE,
  createChain,
  doneShare,
  healthOf,
} from './chain.ts'
export type {
  ChainLink,
  Coverage,
  DocumentChoice,
  DocumentRules,
  LinkHealth,
  QueryChoice,
} from './chain.ts'
export { circuitBreaker } from './circuit-breaker.ts'
export type { BreakerOptions, BreakerState, CallFailure, CircuitBreaker } from './circuit-breaker.ts'
export { embedAll, embedEach } from './embed-each.ts'
export type { EmbedOptions, EmbedProgress, EmbedSummary, UnreachedInput } from './embed-each.ts'
export { embedQuery } from './embed-query.ts'
export type { EmbedQueryOptions, QueryEmbedding } from './embed-query.ts'
export { embedQueryByChain } from './embed-query-by-chain.ts'
export type { ChainedQuery } from './embed-query-by-chain.ts'
export type { EmbedEffects, EmbedTimeouts } from './embed-settings.ts'
export type { EmbeddedPiece, InputResult } from './input-results.ts'
export type { PlannedProvider } from './measure-input.ts'
export { plan } from './plan.ts'
export type { EmbeddingPlan, PlannedRequest, PlanOptions } from './plan.ts'
export type { Overlong, Piece } from './prepare-input.ts'
export type { LearntLimits } from './refusals.ts'
export type { InputSource } from './request-queue.ts'
export { cancelBatch, listBatches, resumeBatches, runBatches } from './batch/index.ts'
export type {
  BatchProgress,
  BatchReport,
  BatchSettings,
  BatchSource,
  Cancellation,
  JobStore,
  RunBatchesOptions,
} from './batch/index.ts'
