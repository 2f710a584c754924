import type { CompactionSettings, MemoryFlushSettings } from '@mnemark/sessions'
import { ConfigError } from '@mnemark/spec'
import type { AgentConfig, Config, MemorySearchConfig } from '../schema/config.ts'
import { resolveQmd } from '../schema/qmd-settings.ts'
import { expandAll, expandVariables } from '../expand-variables.ts'
import { FaultList } from '../schema/fault-list.ts'
import type { Environment } from '../expand-variables.ts'
import { expandHome } from '../files/home-path.ts'
import { agentLayers, first, searchLayers } from './layers.ts'
import type { Found, Layer } from './layers.ts'
import type { NamedModule } from '../files/load-module.ts'
import { resolveMemory } from './resolve-memory.ts'
import { resolveModels } from './resolve-models.ts'
import { resolveProvider } from './resolve-provider.ts'
import { resolveServe } from './resolve-serve.ts'
import type { AgentSettings } from './settings.ts'
import { withoutUndefined } from '../without-undefined.ts'

/**
 * Resolves `config` for one agent: its own entry of `agents.list`, then `agents.defaults`, then `memory.search`. Throws
 * ConfigError with all faults, and with the remarks collected before.
 */
export function resolveSettings(
  config: Config,
  agentId: string,
  environment: Environment,
  remarks: readonly string[] = [],
): AgentSettings {
  const agents = agentLayers(config, agentId)
  const layers = searchLayers(config, agents)
  const expand = ({ key, value }: Found<string>): string => expandVariables(value, key, environment)
  const zone = first(agents, 'userTimezone', (part) => part.userTimezone)
  const dateOrder = first(agents, 'dateOrder', (part) => part.dateOrder)
  const extraPaths = first(layers, 'extraPaths', (part) => part.extraPaths)
  const storePath = first(layers, 'store.path', (part) => part.store?.path)
  const extensionPath = first(layers, 'store.vector.extensionPath', (part) => part.store?.vector?.extensionPath)
  const faults = new FaultList()
  const providers = faults.attempt(() => resolveProvider(config, layers))
  const models = faults.attempt(() => resolveModels(config))
  const qmd = faults.attempt(() => (config.memory?.backend === 'qmd' ? resolveQmd(config.memory.qmd ?? {}, environment) : null))
  faults.attempt(() => refuseOtherStores(first(layers, 'store.kind', (part) => part.store?.kind)))
  const paths = (extraPaths?.value ?? []).map((path) =>
    faults.attempt(() => expand({ key: extraPaths?.key ?? 'extraPaths', value: path })),
  )
  const indexFile = faults.attempt(() =>
    storePath === undefined ? null : expandHome(expand(storePath)).replaceAll('{agentId}', agentId),
  )
  const ownStore = faults.attempt(() => storeModule(layers, environment))
  const extension = faults.attempt(() => (extensionPath === undefined ? undefined : expandHome(expand(extensionPath))))
  const serve = faults.attempt(() => resolveServe(config.serve, environment))
  const memory = faults.attempt(() =>
    resolveMemory(layers, {
      provider: providers?.provider ?? { requested: 'none', fallbacks: [] },
      citations: config.memory?.citations,
      timeZone: zone?.value,
      dateOrder: dateOrder?.value,
      rerank: config.models?.rerank,
    }),
  )
  faults.throwAny(remarks)
  if (
    providers === undefined ||
    models === undefined ||
    qmd === undefined ||
    indexFile === undefined ||
    ownStore === undefined ||
    serve === undefined ||
    memory === undefined
  )
    throw new TypeError('a configuration without a fault has a value that is missing')
  const { provider, warnings } = providers
  const scope = config.memory?.scope ?? qmd?.scope
  return {
    switchedOffBy: switchedOffBy(config, layers),
    timeZone: zone?.value,
    provider,
    models,
    qmd,
    sources: first(layers, 'sources', (part) => part.sources)?.value ?? ['memory'],
    extraPaths: paths.filter((path) => path !== undefined),
    storePath: indexFile,
    storeModule: ownStore,
    vectorExtension: {
      isEnabled: first(layers, 'store.vector.enabled', (part) => part.store?.vector?.enabled)?.value ?? true,
      ...withoutUndefined({ path: extension }),
    },
    memory,
    sync: {
      onSessionStart: first(layers, 'sync.onSessionStart', (part) => part.sync?.onSessionStart)?.value ?? true,
      watch: first(layers, 'sync.watch', (part) => part.sync?.watch)?.value ?? true,
      watchDebounceMs: first(layers, 'sync.watchDebounceMs', (part) => part.sync?.watchDebounceMs)?.value,
      intervalMinutes: first(layers, 'sync.intervalMinutes', (part) => part.sync?.intervalMinutes)?.value ?? 0,
      indexLargeFolder: first(layers, 'sync.indexLargeFolder', (part) => part.sync?.indexLargeFolder)?.value ?? false,
    },
    scopes: scope === undefined ? [] : [scope],
    serve,
    bank: { isEnabled: config.bank?.enabled ?? false },
    sessions: {
      compaction: compactionOf(agentLayers(config, agentId)),
      reset: config.session?.reset ?? {},
      maintenance: config.session?.maintenance ?? {},
    },
    sessionTools: {
      isEnabled: config.tools?.sessions?.enabled ?? false,
      visibility: config.tools?.sessions?.visibility ?? 'tree',
    },
    warnings,
  }
}

/** Key by key, those of the agent before the defaults. */
function compactionOf(layers: readonly Layer<AgentConfig>[]): CompactionSettings {
  const parts = layers.flatMap(({ part }) => part.compaction ?? []).toReversed()
  const memoryFlush: MemoryFlushSettings = Object.assign({}, ...parts.map((part) => part.memoryFlush ?? {}))
  return { ...Object.assign({}, ...parts), memoryFlush }
}

/** The workspace `config` names for one agent, `~` and variables expanded, still relative to the file; else null. Throws ConfigError. */
export function resolveWorkspace(config: Config, agentId: string, environment: Environment): string | null {
  const workspace = first(agentLayers(config, agentId), 'workspace', (part) => part.workspace)
  return workspace === undefined ? null : expandHome(expandVariables(workspace.value, workspace.key, environment))
}

function storeModule(layers: readonly Layer<MemorySearchConfig>[], environment: Environment): NamedModule | null {
  const named = first(layers, 'store.module', (part) => part.store?.module)
  if (named === undefined) return null
  const options = first(layers, 'store.options', (part) => part.store?.options)
  return {
    key: named.key,
    name: named.value,
    options: options === undefined ? {} : expandAll(options.value, options.key, environment),
  }
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
