export type { ForgetReport } from './folder/forget.ts'
export type { MaintenancePolicy, PruneReport } from './folder/prune.ts'
export type { SessionRecord } from './folder/record.ts'
export type { SessionProblem } from './folder/sessions-folder.ts'
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
export type { AppendReply, NewMessage, Session } from './sessions/session.ts'
export type { ResetEvent, SessionsOptions, SyncPolicy } from './sessions/session-settings.ts'
export { textOf } from './transcript/entry.ts'
export type {
  Block,
  ChatType,
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
