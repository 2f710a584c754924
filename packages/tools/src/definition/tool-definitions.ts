import type { ToolHost } from '../host/host.ts'
import type { MemoryTool } from './memory-tool.ts'
import { inputSchema, strictInputSchema } from './tool-schema.ts'
import type { JsonSchema } from './tool-schema.ts'

/** A tool in the form most model APIs accept. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

/** `isStrict` selects the form for OpenAI's `strict: true`. */
export function toolDefinitions(
  tools: readonly MemoryTool[],
  host: Pick<ToolHost, 'citations'>,
  { isStrict = false }: { readonly isStrict?: boolean } = {},
): readonly ToolDefinition[] {
  const schemaOf = isStrict ? strictInputSchema : inputSchema
  return tools.map((tool) => ({ name: tool.name, description: tool.describe(host), inputSchema: schemaOf(tool) }))
}
