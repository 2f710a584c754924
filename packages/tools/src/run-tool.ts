import * as v from 'valibot'
import type { MemoryCall, ToolHost } from './host.ts'
import type { MemoryTool, ToolAnswer } from './memory-tool.ts'
import { ToolError } from './tool-error.ts'

/** Checks the input by the tool's schema and runs it. Rejects with ToolError `bad-input` that names each wrong member. */
export async function runTool(tool: MemoryTool, host: ToolHost, input: unknown, call: MemoryCall): Promise<ToolAnswer> {
  const checked = v.safeParse(tool.input, input ?? {})
  if (checked.success) return tool.run(host, checked.output, call)
  const issues = checked.issues.map((issue) => `${v.getDotPath(issue) ?? 'the input'}: ${issue.message}`)
  throw new ToolError('bad-input', `${tool.name}: ${issues.join('; ')}`, { next: 'Correct the input and call again.' })
}
