import type { Config } from '../schema/config.ts'

/** Merges `over` on top of `under`, key by key. Lists of agents are joined, those of `over` first. */
export function mergeConfigs(over: Config, under: Config): Config {
  // Safe: both are checked, and the schema requires no key.
  const merged = merge(over, under) as Config
  const list = [...(over.agents?.list ?? []), ...(under.agents?.list ?? [])]
  return list.length === 0 ? merged : { ...merged, agents: { ...merged.agents, list } }
}

function merge(over: unknown, under: unknown): unknown {
  if (!isPlainObject(over) || !isPlainObject(under)) return over ?? under
  const names = new Set([...Object.keys(under), ...Object.keys(over)])
  return Object.fromEntries([...names].map((name) => [name, merge(over[name], under[name])]))
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
