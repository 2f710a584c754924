import type { MemoryCall, ToolHost } from '../host/host.ts'
import type { MemoryTool, ToolAnswer } from './memory-tool.ts'
import { readInput } from './read-input.ts'

/**
 * Reads the input and runs the tool. Rejects with ToolError `bad-input` that names each wrong parameter, or with the host's
 * error.
 */
export async function runTool(tool: MemoryTool, host: ToolHost, input: unknown, call: MemoryCall): Promise<ToolAnswer> {
  return tool.run(host, readInput(tool, input), call)
}
