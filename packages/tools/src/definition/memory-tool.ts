import type { GenericSchema } from 'valibot'
import type { MemoryCall, ToolHost } from '../host/host.ts'

/** The answer of a tool: as text inside the data envelope for a model, and as data for a program. */
export interface ToolAnswer {
  readonly text: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface ToolEffects {
  readonly isReadOnly: boolean
  /** True if the tool can change or delete existing text. */
  readonly isDestructive?: boolean
  /** True if a second call with the same input changes nothing more. */
  readonly isIdempotent: boolean
}

/** One operation on an agent's memory, independent of the protocol that carries it. */
export interface MemoryTool<Input = unknown> {
  readonly name: string
  readonly title: string
  readonly effects: ToolEffects
  readonly input: GenericSchema<unknown, Input>
  /** Other tools' names for a parameter, in lower case without `_` and `-`. Tools that write have none: they do not guess. */
  readonly aliases: Readonly<Record<string, string>>
  /** The description for a model; parts of it depend on the host. */
  describe(host: Pick<ToolHost, 'citations'>): string
  run(host: ToolHost, input: Input, call: MemoryCall): Promise<ToolAnswer>
}
