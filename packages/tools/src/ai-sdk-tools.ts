import type { Caller, ToolHost } from './host/host.ts'
import type { MemoryTool } from './definition/memory-tool.ts'
import { runTool } from './definition/run-tool.ts'
import { toToolFailure } from './reply/tool-failure.ts'
import { openInput } from './definition/tool-schema.ts'
import type { OpenInput } from './definition/tool-schema.ts'

/**
 * A tool of the AI SDK (6 and later, which take Standard JSON Schema), as a structural type: no version of the SDK is needed
 * here.
 */
export interface AiSdkTool {
  readonly description: string
  readonly inputSchema: OpenInput
  /** Resolves with the answer as text; rejects with an error that names the next step, which the SDK shows the model. */
  execute(input: unknown, options: { readonly abortSignal?: AbortSignal | undefined }): Promise<string>
}

/** The tools as `generateText`, `streamText` and agents of the AI SDK take them. */
export function aiSdkTools(tools: readonly MemoryTool[], host: ToolHost, caller: Caller): Readonly<Record<string, AiSdkTool>> {
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      {
        description: tool.describe(host),
        inputSchema: openInput(tool),
        execute: async (input, { abortSignal }) => {
          try {
            return (await runTool(tool, host, input, { caller, signal: abortSignal })).text
          } catch (error) {
            abortSignal?.throwIfAborted()
            const { message, next } = toToolFailure(error, host, caller)
            throw new Error(`${message} ${next}`, { cause: error })
          }
        },
      } satisfies AiSdkTool,
    ]),
  )
}
