export { openMemoryTools } from './open-memory-tools.ts'
export type { AgentTools, AgentToolsOptions } from './open-memory-tools.ts'
export type { AiSdkTool, Caller, ToolDefinition, ToolResult } from '@mnemark/tools'
export type { ContextPart, StartupContext } from '../context/startup-context.ts'
