export { memoryTools } from './memory-tools.ts'
export type { MemoryTools, MemoryToolsOptions } from './memory-tools.ts'
export type { MemoryHostOptions, NotesWriter } from './host/memory-host.ts'
export type { AiSdkTool } from './ai-sdk-tools.ts'
export type { ToolResult } from './call-tool.ts'
export type {
  AppendReport,
  Caller,
  CitationMode,
  EditReport,
  FactQuestion,
  FactToRetain,
  HistoryMessage,
  HistoryRequest,
  ListedSession,
  ListedSessions,
  MemoryCall,
  NoteEdit,
  Overview,
  RecalledFact,
  RecalledFacts,
  RetainReport,
  SessionHistory,
  SessionsHost,
  StartupText,
  ToolFailure,
  ToolHost,
} from './host/host.ts'
export type { ToolDefinition } from './definition/tool-definitions.ts'
export { ToolError } from './host/tool-error.ts'
export type { ToolErrorCode } from './host/tool-error.ts'
