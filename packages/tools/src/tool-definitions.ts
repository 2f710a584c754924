import { toJsonSchema } from '@valibot/to-json-schema'
import type { ToolHost } from './host.ts'
import type { MemoryTool } from './memory-tool.ts'

/** A tool as most model APIs take it: `inputSchema` is JSON Schema 2020-12. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

export function toolDefinitions(tools: readonly MemoryTool[], host: Pick<ToolHost, 'citations'>): readonly ToolDefinition[] {
  return tools.map((tool) => {
    const { $schema: _, ...inputSchema } = toJsonSchema(tool.input, { target: 'draft-2020-12', typeMode: 'input' })
    return { name: tool.name, description: tool.describe(host), inputSchema }
  })
}
