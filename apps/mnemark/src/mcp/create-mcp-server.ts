import { McpServer } from '@modelcontextprotocol/server'
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { MEMORY_GUIDANCE } from '../tools/guidance.ts'
import type { MemoryTool } from '../tools/memory-tool.ts'
import { toToolFailure } from '../tools/tool-failure.ts'
import { memoryTools } from '../tools/tool-list.ts'
import { addResources } from './add-resources.ts'
import { callOf } from './serving.ts'
import type { McpServing } from './serving.ts'

/** A server for one connection (or one request): the tools and resources of one memory. */
export function createMcpServer(serving: McpServing): McpServer {
  const { memory, version } = serving
  const server = new McpServer(infoOf(version), { instructions: MEMORY_GUIDANCE, maxToolInputElements: 1_000 })
  for (const tool of memoryTools(memory)) addTool(server, tool, serving)
  addResources(server, serving)
  return server
}

/** A server without tools, for where memory is switched off: clients connect, and are told why there is nothing. */
export function createSwitchedOffServer(version: string, switchedOffBy: string): McpServer {
  return new McpServer(infoOf(version), {
    instructions: `The memory is switched off by ${switchedOffBy} in the configuration: there are no tools.`,
    capabilities: { tools: {} },
  })
}

function infoOf(version: string): { readonly name: string; readonly title: string; readonly version: string } {
  return { name: 'mnemark', title: 'Mnemark memory', version }
}

function addTool(server: McpServer, tool: MemoryTool, serving: McpServing): void {
  const { isReadOnly, isIdempotent } = tool.effects
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: tool.describe(serving.memory.settings),
      inputSchema: toStandardJsonSchema(tool.input),
      annotations: {
        readOnlyHint: isReadOnly,
        destructiveHint: false,
        idempotentHint: isIdempotent,
        openWorldHint: false,
      },
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
    const { text, data } = await tool.run(serving.memory, input, callOf(context, serving))
    return { content: [{ type: 'text', text }], structuredContent: { ...data } }
  } catch (error) {
    context.mcpReq.signal.throwIfAborted()
    const { code, message, next } = toToolFailure(error)
    serving.log(`${tool.name} failed: ${code}`)
    return {
      content: [{ type: 'text', text: `${message}\n${next}` }],
      structuredContent: { error: { code, message, next } },
      isError: true,
    }
  }
}
