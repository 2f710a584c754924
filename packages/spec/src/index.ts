export { isAgentInstruction } from './rules/agent-instruction.ts'
export type { CallOptions } from './call-options.ts'
export type {
  CreateGenerator,
  CreateProvider,
  CreateReranker,
  CreateStore,
  ModelModuleOptions,
  ProviderModuleOptions,
  StoreModuleOptions,
} from './module-options.ts'
export type { EmbeddingInput, InputType, Modality } from './embedding-input.ts'
export type {
  EmbeddingLimits,
  EmbeddingProvider,
  EmbeddingRequest,
  EmbeddingResult,
  VectorSpace,
} from './embedding.ts'
export type {
  BatchHandle,
  BatchOutcome,
  BatchState,
  EmbeddingBatch,
} from './batch.ts'
export type {
  Annotator,
  ChunkAttributes,
  DocumentContent,
  DocumentId,
  DocumentSource,
  DocumentStat,
  Mark,
  SkippedDocument,
  StoredDocument,
} from './document.ts'
export type {
  BatchJob,
  BlockRequest,
  ChangeSet,
  ChunkFilter,
  KeywordBlock,
  KeywordSegment,
  Lease,
  LeaseName,
  MemoryStore,
  MissingInput,
  NewChunk,
  SelectOptions,
  SelectedChunk,
  SmallSegment,
  SpaceCoverage,
  StoreLevel,
  StoreSnapshot,
  StoredChunk,
  VectorCandidate,
} from './store.ts'
export type {
  BackendStatus,
  CallerContext,
  Degradation,
  DegradationCode,
  DocumentReader,
  HitExplanation,
  HitVersion,
  HitVersions,
  ListedNote,
  ListQuery,
  ListReply,
  MemoryBackend,
  ReadReply,
  ReadRequest,
  SearchHit,
  SearchOverrides,
  SearchQuery,
  SearchReply,
  SyncOptions,
  SyncProgress,
  SyncReport,
  TagCount,
} from './backend.ts'
export type { ChunkIds, IndexView, IndexViews, LegEntry, LegHit, LegsQuery, LegsReply, SearchLeg } from './index-view.ts'
export type {
  BatchJobSettings,
  RerankSettings,
  CreateMemory,
  CreateMemoryOptions,
  Memory,
  MemorySettings,
  MemoryWorkspace,
  WithFallback,
  WithoutCaller,
} from './memory.ts'
export type {
  FinishReason,
  GenerateReply,
  GenerateRequest,
  JsonSchema,
  Reranker,
  RerankReply,
  RerankRequest,
  TextGenerator,
} from './models.ts'
export {
  BackendError,
  ConfigError,
  ProviderError,
  StoreError,
  WorkspaceError,
} from './errors.ts'
export type {
  BackendErrorCode,
  ConfigErrorCode,
  ErrorDetails,
  ProviderErrorCode,
  ProviderErrorDetails,
  StoreErrorCode,
  WorkspaceErrorCode,
} from './errors.ts'
export { canonicalJson, fingerprint } from './hash/fingerprint.ts'
export { sha256 } from '#sha256'
export { citationOf } from './rules/citation.ts'
export { dayBefore, dayInZone } from './rules/day-in-zone.ts'
export { documentKey } from './rules/document-key.ts'
export { withoutBlanks } from './rules/left-out.ts'
export { locateQuote, quoteHash } from './rules/quote.ts'
export type { QuotePlace } from './rules/quote.ts'
export { spelledName, unseenIn, visibleName } from './rules/visible-name.ts'
export { compareTied, dayOfChunk, tieHash } from './rules/order-of-ties.ts'
export type { TiedChunk } from './rules/order-of-ties.ts'
