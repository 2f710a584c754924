import type { GenericSchema } from 'valibot'
import type { MemoryCall, ToolHost } from '../host/host.ts'

/** The answer of a tool: the same for a model, in words inside the data envelope, and for a program. */
export interface ToolAnswer {
  readonly text: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface ToolEffects {
  readonly isReadOnly: boolean
  /** It can change or take away what stands there. */
  readonly isDestructive?: boolean
  /** Calling it again with the same input changes nothing more. */
  readonly isIdempotent: boolean
}

/** One thing an agent can do with its memory, whatever protocol carries it. */
export interface MemoryTool<Input = unknown> {
  readonly name: string
  readonly title: string
  readonly effects: ToolEffects
  readonly input: GenericSchema<unknown, Input>
  /** Names that other tools have for a parameter, in small letters without `_` and `-`. None where something is written: no guesses there. */
  readonly aliases: Readonly<Record<string, string>>
  /** What a model is told; some of it follows the host. */
  describe(host: Pick<ToolHost, 'citations'>): string
  run(host: ToolHost, input: Input, call: MemoryCall): Promise<ToolAnswer>
}
