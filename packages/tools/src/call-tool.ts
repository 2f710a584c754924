import type { MemoryCall, ToolHost } from './host/host.ts'
import type { MemoryTool } from './definition/memory-tool.ts'
import { runTool } from './definition/run-tool.ts'
import { ToolError } from './host/tool-error.ts'
import { toToolFailure } from './reply/tool-failure.ts'

/** The answer of a tool. */
export interface ToolResult {
  /** For the model: text, with quotes from notes marked as data. */
  readonly text: string
  /**
   * For a program: the same as structured data, with note text marked in the same way; after a failure `error` with `code`,
   * `message` and `next`.
   */
  readonly data: Readonly<Record<string, unknown>>
  readonly isError: boolean
}

/**
 * Runs a tool that a model called. Rejects only with the reason of the call's signal; any other failure is an answer for the
 * model.
 */
export async function callTool(
  { tools, host }: { readonly tools: readonly MemoryTool[]; readonly host: ToolHost },
  name: string,
  input: unknown,
  call: MemoryCall,
): Promise<ToolResult> {
  try {
    const tool = tools.find((candidate) => candidate.name === name)
    if (tool === undefined) throw unknownTool(tools)
    return { ...(await runTool(tool, host, input, call)), isError: false }
  } catch (error) {
    call.signal?.throwIfAborted()
    const { code, message, next } = toToolFailure(error, host, call.caller)
    return { text: `${message} ${next}`, data: { error: { code, message, next } }, isError: true }
  }
}

/** The unknown name is text of the model and is not repeated. */
function unknownTool(tools: readonly MemoryTool[]): ToolError {
  return new ToolError('unknown-tool', 'There is no such tool.', {
    next: `The tools: ${tools.map((one) => one.name).join(', ')}.`,
  })
}
