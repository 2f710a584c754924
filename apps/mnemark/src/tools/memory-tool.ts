import type { CallOptions, CallerContext, SyncOptions } from '@mnemark/spec'
import type { GenericSchema } from 'valibot'
import type { Settings } from '../config/load-settings.ts'
import type { AgentMemory } from './agent-memory.ts'

/** Who asks, as the host of the agent says; never what a model says. */
export type Caller = Omit<CallerContext, 'agentId'>

/** What comes with every call beside its input. */
export interface MemoryCall extends CallOptions {
  readonly caller: Caller
  readonly onProgress?: NonNullable<SyncOptions['onProgress']>
}

/** The answer of a tool: the same for a model, in words inside the data envelope, and for a program. */
export interface ToolAnswer {
  readonly text: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface ToolEffects {
  readonly isReadOnly: boolean
  /** Calling it again with the same input changes nothing more. */
  readonly isIdempotent: boolean
}

/** One thing an agent can do with its memory, whatever protocol carries it. */
export interface MemoryTool<Input = unknown> {
  readonly name: string
  readonly title: string
  readonly effects: ToolEffects
  readonly input: GenericSchema<unknown, Input>
  /** What a model is told; some of it follows the configuration. */
  describe(settings: Settings): string
  run(memory: AgentMemory, input: Input, call: MemoryCall): Promise<ToolAnswer>
}
