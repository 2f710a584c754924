import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import type { ForeignClient, Target } from './foreign-client.ts'

/** LangChain's adapters: a model is handed the content of the tool message. */
export async function connectLangChain(target: Target): Promise<ForeignClient> {
  const memory =
    'url' in target
      ? ({ transport: 'http', url: target.url, headers: { ...target.headers } } as const)
      : { ...target, transport: 'stdio' as const, args: [...target.args], env: { ...target.env }, stderr: 'ignore' as const }
  const client = new MultiServerMCPClient({ mcpServers: { memory }, throwOnLoadError: true })
  const tools = await client.getTools()
  return {
    tools: async () => tools.map(({ name }) => name),
    call: async (name, input) => {
      const tool = tools.find((candidate) => candidate.name === name)
      if (tool === undefined) throw new Error(`no tool ${name}`)
      const message: { readonly content: unknown } = await tool.invoke({ type: 'tool_call', id: '1', name, args: { ...input } })
      return typeof message.content === 'string' ? message.content : JSON.stringify(message.content)
    },
    close: () => client.close(),
  }
}
