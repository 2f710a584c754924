import { McpServer } from '@modelcontextprotocol/server'
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { guidanceFor } from '../guidance.ts'
import type { MemoryTool } from '../definition/memory-tool.ts'
import { runTool } from '../definition/run-tool.ts'
import { toolList } from '../tools/tool-list.ts'
import { openInput } from '../definition/tool-schema.ts'
import { wireData } from '../reply/wire-data.ts'
import { addResources } from './add-resources.ts'
import { callOf, failureOf } from './serving.ts'
import type { McpServerOptions, McpServing } from './serving.ts'

/** Creates a server for one connection or one request: the tools and resources of one memory. */
export function createMcpServer(options: McpServerOptions): McpServer {
  const serving: McpServing = { callerOf: () => ({ chatType: 'direct' }), log: () => {}, ...options }
  const { host, name = 'mnemark', title = 'Mnemark memory', version } = serving
  const server = new McpServer(
    { name, title, version },
    { instructions: guidanceFor(host, serving.overview), maxToolInputElements: 1_000 },
  )
  // No notice when a list changes: the tools stay the same, and notes are found by searching.
  server.server.registerCapabilities({ tools: { listChanged: false }, resources: { listChanged: false } })
  for (const tool of toolList(host, serving)) addTool(server, tool, serving)
  addResources(server, serving)
  return server
}

function addTool(server: McpServer, tool: MemoryTool, serving: McpServing): void {
  const { isReadOnly, isDestructive = false, isIdempotent } = tool.effects
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: tool.describe(serving.host),
      inputSchema: openInput(tool),
      annotations: isReadOnly
        ? { readOnlyHint: true, openWorldHint: false }
        : { readOnlyHint: false, destructiveHint: isDestructive, idempotentHint: isIdempotent, openWorldHint: false },
    },
    (input, context) => callTool(tool, input, { context, serving }),
  )
}

async function callTool(
  tool: MemoryTool,
  input: unknown,
  { context, serving }: { readonly context: ServerContext; readonly serving: McpServing },
): Promise<CallToolResult> {
  try {
    const { text, data } = await runTool(tool, serving.host, input, callOf(context, serving))
    return resultOf(text, data)
  } catch (error) {
    context.mcpReq.signal.throwIfAborted()
    const { code, message, next } = failureOf(error, context, serving)
    serving.log(`${tool.name} failed: ${code}`)
    return { ...resultOf(`${message}\n${next}`, { error: { code, message, next } }), isError: true }
  }
}

/** The key under which a program finds the structured data of an answer. */
export const DATA_KEY = 'mnemark/data'

/**
 * Content is the text alone: a client that also gets `structuredContent` shows a model that instead of the text, or both. `_meta`
 * is shown to no model.
 */
function resultOf(text: string, data: Readonly<Record<string, unknown>>): CallToolResult {
  return { content: [{ type: 'text', text }], _meta: { [DATA_KEY]: wireData(data) } }
}
