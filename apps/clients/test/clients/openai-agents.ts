import { Agent, getAllMcpTools, MCPServerStdio, MCPServerStreamableHttp, RunContext, setTracingDisabled } from '@openai/agents'
import type { ForeignClient, Target } from './foreign-client.ts'

setTracingDisabled(true)

/** OpenAI's agents SDK: a model is handed what the function tool returns. */
export async function connectOpenAiAgents(target: Target, useStructuredContent: boolean): Promise<ForeignClient> {
  const server =
    'url' in target
      ? new MCPServerStreamableHttp({ url: target.url, requestInit: { headers: { ...target.headers } }, useStructuredContent })
      : new MCPServerStdio({ ...target, args: [...target.args], env: { ...target.env }, useStructuredContent })
  await server.connect()
  const runContext = new RunContext({})
  const tools = await getAllMcpTools({ mcpServers: [server], runContext, agent: new Agent({ name: 'test' }) })
  return {
    tools: async () => tools.map(({ name }) => name),
    call: async (name, input) => {
      const tool = tools.find((candidate) => candidate.name === name)
      if (tool?.type !== 'function') throw new Error(`no tool ${name}`)
      const output: unknown = await tool.invoke(runContext, JSON.stringify(input))
      return typeof output === 'string' ? output : JSON.stringify(output)
    },
    close: () => server.close(),
  }
}
