export type { BackendUnderTest, MemoryBackendTarget } from './backend-suite/backend-context.ts'
export { memoryBackendCases } from './backend-suite/memory-backend-cases.ts'
export { assertGrowsLinearly } from './growth.ts'
export { createInMemoryStore, InMemoryDisk } from '@mnemark/store-memory'
export type { InMemoryStoreOptions } from '@mnemark/store-memory'
export { delayStore } from './round-trips.ts'
export type { DelayedStore } from './round-trips.ts'
export { describeDeviations } from './contract-case.ts'
export { ContractFailure } from './contract-case.ts'
export type { ContractCase, Deviation } from './contract-case.ts'
export { absentStoreCases, memoryStoreCases } from './store-suite/memory-store-cases.ts'
export type { MemoryStoreTarget } from './store-suite/store-context.ts'
export { embeddingProviderCases } from './provider-suite/embedding-provider-cases.ts'
export { SECRET } from './service-suite/service-target.ts'
export { undeclaredCases } from './provider-suite/provider-target.ts'
export type { OptionSet, ProviderOption, ProviderSetup } from './service-suite/service-target.ts'
export type {
  EmbeddingProviderTarget,
  HttpProviderTarget,
  InProcessProviderTarget,
  SpaceVariations,
} from './provider-suite/provider-target.ts'
export { BatchClock } from './protocol-servers/batch/batch-clock.ts'
export { readLines } from './protocol-servers/batch/batch-form.ts'
export type { BatchForm } from './protocol-servers/batch/batch-form.ts'
export type { BatchLine, JobPlan, LineFate, ServiceJob } from './protocol-servers/batch/batch-job.ts'
export { countLines } from './protocol-servers/batch/batch-job-state.ts'
export type { JobState } from './protocol-servers/batch/batch-job-state.ts'
export type { JobForm, LineFailure } from './protocol-servers/batch/batch-results.ts'
export { BatchService } from './protocol-servers/batch/batch-service.ts'
export type { BatchBehaviour, BatchEvent, ServiceFile } from './protocol-servers/batch/batch-service.ts'
export { countWireTokens } from './protocol-servers/wire/exchange.ts'
export type { EmbeddingWire } from './protocol-servers/embedding-wire.ts'
export type {
  AnswerShape,
  EmbeddingCall,
  ServiceErrorCode,
  WireFailure,
  WireReply,
  WireRequest,
} from './protocol-servers/wire/exchange.ts'
export { ProtocolServer, startProtocolServer } from './protocol-servers/protocol-server.ts'
export type { ProtocolServerOptions, ServerBehaviour } from './protocol-servers/protocol-server.ts'
export type { Delivery } from './protocol-servers/wire/deliver.ts'
export { geminiWire } from './protocol-servers/vendors/gemini-wire.ts'
export { BEDROCK_ACCESS_KEY_ID, bedrockWire } from './protocol-servers/vendors/bedrock-wire.ts'
export type { BedrockWireModel } from './protocol-servers/vendors/bedrock-bodies.ts'
export { githubCopilotWire, githubTokenWire } from './protocol-servers/vendors/github-copilot-wire.ts'
export type { GitHubTokenWireSettings } from './protocol-servers/vendors/github-copilot-wire.ts'
export { lmStudioWire } from './protocol-servers/vendors/lmstudio-wire.ts'
export type { LMStudioWireSettings } from './protocol-servers/vendors/lmstudio-wire.ts'
export { ollamaWire } from './protocol-servers/vendors/ollama-wire.ts'
export { openAIWire } from './protocol-servers/vendors/openai-wire.ts'
export { openaiCompatibleWire } from './protocol-servers/vendors/openai-compatible-wire.ts'
export type { OpenAICompatibleWireSettings, WireInputType } from './protocol-servers/vendors/openai-compatible-wire.ts'
export { httpDate, recordOf, textsOf, unknownField } from './protocol-servers/wire/read-fields.ts'
export { base64Vector, sampleVector } from './protocol-servers/wire/sample-vector.ts'
export { voyageWire } from './protocol-servers/vendors/voyage-wire.ts'
export { mistralWire } from './protocol-servers/vendors/mistral-wire.ts'
