import { createMCPClient } from '@ai-sdk/mcp'
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio'
import type { ForeignClient, Target } from './foreign-client.ts'

/** The MCP client of the AI SDK: a model is handed what `toModelOutput` makes of the result. */
export async function connectAiSdk(target: Target): Promise<ForeignClient> {
  const transport =
    'url' in target
      ? ({ type: 'http', url: target.url, headers: { ...target.headers } } as const)
      : new StdioMCPTransport({ ...target, args: [...target.args], env: { ...target.env }, stderr: 'ignore' })
  const client = await createMCPClient({ transport })
  const tools = await client.tools()
  return {
    tools: async () => Object.keys(tools),
    call: async (name, input) => {
      const tool = tools[name]
      if (tool === undefined) throw new Error(`no tool ${name}`)
      const options = { toolCallId: '1', messages: [], context: undefined }
      const output = await tool.execute(input, options as never)
      return JSON.stringify(await tool.toModelOutput?.({ toolCallId: '1', input, output: output as never }))
    },
    close: () => client.close(),
  }
}
