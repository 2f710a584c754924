export type { CompactionReport } from './compaction/compact.ts'
export type { SummaryWriter } from './compaction/summarise.ts'
export type { RequestMessage } from './context/answer-calls.ts'
export type { BuildContextOptions, SessionContext } from './context/build-context.ts'
export type { Redact } from './context/labelled-text.ts'
export { messagesFromAISDK } from './context/from-ai-sdk.ts'
export type { AISDKReplyMessage, AISDKReplyUsage, AISDKUsage } from './context/from-ai-sdk.ts'
export { isContextOverflow } from './context/is-context-overflow.ts'
export { toAISDK, toAnthropic, toOpenAI } from './context/shapes.ts'
export type { AnthropicRequest } from './context/shapes.ts'
export { DEFAULT_FLUSH_PROMPT, DEFAULT_FLUSH_SYSTEM_PROMPT } from './flush/flush-prompts.ts'
export type { FlushNotes, FlushReport } from './flush/flush-to-notes.ts'
export type { ForgetReport } from './folder/forget.ts'
export type { MaintenancePolicy, PruneReport } from './folder/prune.ts'
export type { SessionRecord } from './folder/record.ts'
export type { SessionProblem } from './folder/sessions-folder.ts'
export { visibleSessions } from './folder/visible-sessions.ts'
export type { SessionVisibility } from './folder/visible-sessions.ts'
export { readTranscriptName } from './folder/file-name.ts'
export type { TranscriptName } from './folder/file-name.ts'
export type { Excerpt } from './lifecycle/excerpt.ts'
export { isSaid } from './lifecycle/excerpt.ts'
export { readCommand } from './lifecycle/read-command.ts'
export type { SessionCommand } from './lifecycle/read-command.ts'
export type { ResetPolicy, ResetReason, ResetRule } from './lifecycle/reset-policy.ts'
export { sessionDay } from './lifecycle/session-day.ts'
export { readSessionKey } from './lifecycle/session-key.ts'
export type { SessionKey, SessionKind } from './lifecycle/session-key.ts'
export { createSilenceFilter, hearReply, SILENT_TOKEN } from './lifecycle/silence.ts'
export type { HeardReply, SilenceFilter } from './lifecycle/silence.ts'
export { openSessions } from './sessions/open-sessions.ts'
export type { ForgetOptions, HistoryMessage, OpenSessionOptions, Sessions } from './sessions/open-sessions.ts'
export { readMessage } from './sessions/read-message.ts'
export type {
  AppendReply,
  CompactOptions,
  CompactReport,
  NewMessage,
  NextContext,
  NextContextOptions,
  Session,
} from './sessions/session.ts'
export type { ResetEvent, SessionsOptions, SyncPolicy } from './sessions/session-settings.ts'
export type { ContextSize } from './tokens/context-size.ts'
export { estimateMessage, IMAGE_TOKENS } from './tokens/estimate-message.ts'
export type { CountTokens } from './tokens/estimate-message.ts'
export { limitsOf } from './tokens/limits.ts'
export type { CompactionSettings, Limits, MemoryFlushSettings } from './tokens/limits.ts'
export { textOf } from './transcript/entry.ts'
export type {
  Block,
  ChatType,
  CompactionTrigger,
  Counters,
  FlushState,
  Origin,
  Role,
  SessionHeader,
  SessionMessage,
  Usage,
} from './transcript/entry.ts'
export type { ReadMessagesOptions, StoredMessage } from './transcript/read-messages.ts'
export type { Written } from './transcript/transcript-file.ts'
export type { TranscriptFaults } from './transcript/tree.ts'
