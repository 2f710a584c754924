export { memoryTools } from './memory-tools.ts'
export type { MemoryTools, MemoryToolsOptions } from './memory-tools.ts'
export type { MemoryHostOptions, NotesWriter } from './memory-host.ts'
export type { AiSdkTool } from './ai-sdk-tools.ts'
export type { ToolResult } from './call-tool.ts'
export type {
  AppendReport,
  Caller,
  CitationMode,
  EditReport,
  MemoryCall,
  NoteEdit,
  Overview,
  StartupText,
  ToolFailure,
  ToolHost,
} from './host.ts'
export type { ToolDefinition } from './tool-definitions.ts'
export { ToolError } from './tool-error.ts'
export type { ToolErrorCode } from './tool-error.ts'
