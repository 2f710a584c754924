import { ConfigError } from '@mnemark/spec'
import type { MemorySettings } from '@mnemark/spec'
import type { AgentConfig, Config, MemorySearchConfig, QueryConfig } from './config.ts'
import { expandVariables } from './expand-variables.ts'
import type { Environment } from './expand-variables.ts'
import { expandHome } from './home-path.ts'
import { resolveProvider } from './resolve-provider.ts'
import type { AgentSettings } from './settings.ts'

const DEFAULT_CHUNK_TOKENS = 400
const DEFAULT_CHUNK_OVERLAP = 80

/** A part of the file that may say something, with the key it stands under. */
interface Layer<Part> {
  readonly key: string
  readonly part: Part
}
interface Found<Value> {
  readonly key: string
  readonly value: Value
}

/** What `config` means for one agent: its own entry of `agents.list`, then `agents.defaults`, then `memory.search`. Throws ConfigError. */
export function resolveSettings(config: Config, agentId: string, environment: Environment): AgentSettings {
  const agents = agentLayers(config, agentId)
  const layers = searchLayers(config, agents)
  const expand = ({ key, value }: Found<string>): string => expandVariables(value, key, environment)
  const zone = first(agents, 'userTimezone', (part) => part.userTimezone)
  const extraPaths = first(layers, 'extraPaths', (part) => part.extraPaths)
  const storePath = first(layers, 'store.path', (part) => part.store?.path)
  const { provider, warnings } = resolveProvider(
    config,
    first(layers, 'provider', (part) => part.provider),
    first(layers, 'fallback', (part) => part.fallback),
  )
  refuseOtherStores(first(layers, 'store.kind', (part) => part.store?.kind))
  return {
    switchedOffBy: switchedOffBy(config, layers),
    timeZone: zone?.value,
    provider,
    backend: config.memory?.backend ?? 'builtin',
    sources: first(layers, 'sources', (part) => part.sources)?.value ?? ['memory'],
    extraPaths: extraPaths?.value.map((path) => expand({ key: extraPaths.key, value: path })) ?? [],
    storePath: storePath === undefined ? null : expandHome(expand(storePath)).replaceAll('{agentId}', agentId),
    memory: { ...memorySettings(layers, config.memory?.citations), ...(zone === undefined ? {} : { timeZone: zone.value }) },
    sync: {
      watch: first(layers, 'sync.watch', (part) => part.sync?.watch)?.value ?? true,
      watchDebounceMs: first(layers, 'sync.watchDebounceMs', (part) => part.sync?.watchDebounceMs)?.value,
      intervalMinutes: first(layers, 'sync.intervalMinutes', (part) => part.sync?.intervalMinutes)?.value ?? 0,
    },
    warnings,
  }
}

/** The workspace `config` names for one agent, `~` and variables expanded, still relative to the file; else null. Throws ConfigError. */
export function resolveWorkspace(config: Config, agentId: string, environment: Environment): string | null {
  const workspace = first(agentLayers(config, agentId), 'workspace', (part) => part.workspace)
  return workspace === undefined ? null : expandHome(expandVariables(workspace.value, workspace.key, environment))
}

function agentLayers(config: Config, agentId: string): readonly Layer<AgentConfig>[] {
  const list = config.agents?.list ?? []
  const own = list.flatMap((part, index) => (part.id === agentId ? [{ key: `agents.list.${index}`, part }] : []))
  const defaults = config.agents?.defaults
  return defaults === undefined ? own : [...own, { key: 'agents.defaults', part: defaults }]
}

function searchLayers(config: Config, agents: readonly Layer<AgentConfig>[]): readonly Layer<MemorySearchConfig>[] {
  const layers = agents.flatMap(({ key, part }) =>
    part.memorySearch === undefined ? [] : [{ key: `${key}.memorySearch`, part: part.memorySearch }],
  )
  const newer = config.memory?.search
  return newer === undefined ? layers : [...layers, { key: 'memory.search', part: newer }]
}

function first<Part, Value>(
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

function switchedOffBy(config: Config, layers: readonly Layer<MemorySearchConfig>[]): string | null {
  if (config.plugins?.slots?.memory === 'none') return 'plugins.slots.memory'
  const enabled = first(layers, 'enabled', (part) => part.enabled)
  return enabled?.value === false ? enabled.key : null
}

function refuseOtherStores(kind: Found<string> | undefined): void {
  if (kind === undefined || kind.value === 'sqlite') return
  throw new ConfigError('invalid-value', `${kind.key} is "${kind.value}", which this version does not have; allowed: "sqlite"`)
}

function memorySettings(
  layers: readonly Layer<MemorySearchConfig>[],
  citations: 'on' | 'off' | 'auto' | undefined,
): MemorySettings {
  const query = <Value>(name: string, read: (query: QueryConfig) => Value | undefined): Value | undefined =>
    first(layers, `query.${name}`, (part) => (part.query === undefined ? undefined : read(part.query)))?.value
  const isDiverse = query('hybrid.mmr.enabled', (part) => part.hybrid?.mmr?.enabled)
  const lambda = query('hybrid.mmr.lambda', (part) => part.hybrid?.mmr?.lambda)
  const isDecaying = query('hybrid.temporalDecay.enabled', (part) => part.hybrid?.temporalDecay?.enabled)
  const halfLifeDays = query('hybrid.temporalDecay.halfLifeDays', (part) => part.hybrid?.temporalDecay?.halfLifeDays)
  return withoutUndefined({
    ...chunking(layers),
    maxResults: query('maxResults', (part) => part.maxResults),
    minScore: query('minScore', (part) => part.minScore),
    candidateMultiplier: query('hybrid.candidateMultiplier', (part) => part.hybrid?.candidateMultiplier),
    fusion: query('hybrid.fusion', (part) => part.hybrid?.fusion),
    vectorWeight: vectorWeight(layers),
    mmr: isDiverse === undefined && lambda === undefined ? undefined : withoutUndefined({ enabled: isDiverse ?? false, lambda }),
    temporalDecay:
      isDecaying === undefined && halfLifeDays === undefined
        ? undefined
        : withoutUndefined({ enabled: isDecaying ?? false, halfLifeDays }),
    citations,
  })
}

/** An overlap as large as the chunk would never move on. Where only the size is set, the usual overlap shrinks with it. */
function chunking(layers: readonly Layer<MemorySearchConfig>[]): Pick<MemorySettings, 'chunkTokens' | 'chunkOverlap'> {
  const tokens = first(layers, 'chunking.tokens', (part) => part.chunking?.tokens)
  const overlap = first(layers, 'chunking.overlap', (part) => part.chunking?.overlap)
  const chunkTokens = tokens?.value ?? DEFAULT_CHUNK_TOKENS
  if (overlap === undefined) {
    return tokens === undefined ? {} : { chunkTokens, chunkOverlap: Math.min(DEFAULT_CHUNK_OVERLAP, Math.floor(chunkTokens / 5)) }
  }
  if (overlap.value >= chunkTokens) {
    throw new ConfigError(
      'invalid-value',
      `${overlap.key} is ${overlap.value}; allowed: less than chunking.tokens (${chunkTokens})`,
    )
  }
  return { chunkTokens, chunkOverlap: overlap.value }
}

/** Only the proportion of the two weights counts; where one is given, the other is the rest of 1. */
function vectorWeight(layers: readonly Layer<MemorySearchConfig>[]): number | undefined {
  const vector = first(layers, 'query.hybrid.vectorWeight', (part) => part.query?.hybrid?.vectorWeight)
  const text = first(layers, 'query.hybrid.textWeight', (part) => part.query?.hybrid?.textWeight)
  if (vector === undefined) return text === undefined ? undefined : 1 - Math.min(1, text.value)
  if (text === undefined) return Math.min(1, vector.value)
  const sum = vector.value + text.value
  if (sum === 0) throw new ConfigError('invalid-value', `${vector.key} and ${text.key} are both 0; allowed: at least one above 0`)
  return vector.value / sum
}

type Defined<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> }

function withoutUndefined<Value extends object>(
  value: Value,
): Partial<Defined<Value>> & Omit<Defined<Value>, OptionalKeys<Value>> {
  // Safe: exactly the members that are undefined are left out, and only those may be missing in the result.
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never
}
type OptionalKeys<Value> = { [Key in keyof Value]: undefined extends Value[Key] ? Key : never }[keyof Value]
