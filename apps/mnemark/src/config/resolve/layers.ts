import type { AgentConfig, Config, MemorySearchConfig } from '../schema/config.ts'

/** A part of the file that may set a value, with its key. */
export interface Layer<Part> {
  readonly key: string
  readonly part: Part
}
/** A value and the key that sets it. */
export interface Found<Value> {
  readonly key: string
  readonly value: Value
}

/** The layers for one agent: its own entry of `agents.list`, then `agents.defaults`. */
export function agentLayers(config: Config, agentId: string): readonly Layer<AgentConfig>[] {
  const list = config.agents?.list ?? []
  const own = list.flatMap((part, index) => (part.id === agentId ? [{ key: `agents.list.${index}`, part }] : []))
  const defaults = config.agents?.defaults
  return defaults === undefined ? own : [...own, { key: 'agents.defaults', part: defaults }]
}

/** `memorySearch` of one agent, then of the defaults, then `memory.search`. */
export function searchLayers(config: Config, agents: readonly Layer<AgentConfig>[]): readonly Layer<MemorySearchConfig>[] {
  const layers = agents.flatMap(({ key, part }) =>
    part.memorySearch === undefined ? [] : [{ key: `${key}.memorySearch`, part: part.memorySearch }],
  )
  const newer = config.memory?.search
  return newer === undefined ? layers : [...layers, { key: 'memory.search', part: newer }]
}

/** The value of `name` in the first layer that has one. */
export function first<Part, Value>(
  layers: readonly Layer<Part>[],
  name: string,
  read: (part: Part) => Value | undefined,
): Found<Value> | undefined {
  for (const { key, part } of layers) {
    const value = read(part)
    if (value !== undefined) return { key: `${key}.${name}`, value }
  }
  return undefined
}
