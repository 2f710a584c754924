import * as v from 'valibot'
import type { AgentMemory } from './agent-memory.ts'
import { CommandError } from '../failure.ts'
import type { MemoryCall, MemoryTool, ToolAnswer } from './memory-tool.ts'

/** Checks the input by the tool's schema and runs it. Rejects with CommandError `bad-input` that names each wrong member. */
export async function runTool(tool: MemoryTool, memory: AgentMemory, input: unknown, call: MemoryCall): Promise<ToolAnswer> {
  const checked = v.safeParse(tool.input, input ?? {})
  if (checked.success) return tool.run(memory, checked.output, call)
  const issues = checked.issues.map((issue) => `${v.getDotPath(issue) ?? 'the input'}: ${issue.message}`)
  throw new CommandError('bad-input', `${tool.name}: ${issues.join('; ')}`, { next: 'Correct the input and call again.' })
}
