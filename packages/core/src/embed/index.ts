export {
  chooseDocumentLinks,
  chooseQueryLink,
  COMPLETE_SHARE,
  createChain,
  doneShare,
  healthOf,
} from './chain/chain.ts'
export type {
  ChainLink,
  Coverage,
  DocumentChoice,
  DocumentRules,
  LinkHealth,
  QueryChoice,
} from './chain/chain.ts'
export { circuitBreaker } from '../calls/circuit-breaker.ts'
export type { BreakerOptions, BreakerState, CallFailure, CircuitBreaker } from '../calls/circuit-breaker.ts'
export { embedAll, embedEach } from './embed-each.ts'
export type { UnreachedInput } from './embed-each.ts'
export type { EmbedOptions, EmbedProgress, EmbedSummary } from './embed-options.ts'
export { embedQuery } from './chain/embed-query.ts'
export type { EmbedQueryOptions, QueryEmbedding } from './chain/embed-query.ts'
export { embedQueryByChain } from './chain/embed-query-by-chain.ts'
export type { ChainedQuery } from './chain/embed-query-by-chain.ts'
export type { CallEffects as EmbedEffects } from '../calls/call-effects.ts'
export type { EmbedTimeouts } from './embed-settings.ts'
export type { EmbeddedPiece, InputResult } from './input/input-results.ts'
export type { PlannedProvider } from './input/measure-input.ts'
export { plan } from './plan.ts'
export type { EmbeddingPlan, PlannedRequest, PlanOptions } from './plan.ts'
export type { Overlong, Piece } from './input/prepare-input.ts'
export type { LearntLimits } from './request/refusals.ts'
export type { InputSource } from './request/request-queue.ts'
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
