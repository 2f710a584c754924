import { ConfigError } from '@mnemark/spec'
import type { MemorySettings } from '@mnemark/spec'
import type { BatchConfig, MemorySearchConfig, QueryConfig, RerankConfig } from '../schema/config.ts'
import { FaultList } from '../schema/fault-list.ts'
import { first } from './layers.ts'
import type { Layer } from './layers.ts'
import type { ProviderSettings } from './settings.ts'
import { withoutUndefined } from '../without-undefined.ts'

const DEFAULT_CHUNK_TOKENS = 400
const DEFAULT_CHUNK_OVERLAP = 80

interface Surroundings {
  readonly provider: Pick<ProviderSettings, 'requested' | 'fallbacks'>
  readonly citations: 'on' | 'off' | 'auto' | undefined
  readonly timeZone: string | undefined
  readonly dateOrder: MemorySettings['dateOrder'] | undefined
  readonly rerank: RerankConfig | undefined
}

/** The engine's settings; values the file does not set are left to the engine's defaults. Throws ConfigError. */
export function resolveMemory(
  layers: readonly Layer<MemorySearchConfig>[],
  { provider, citations, timeZone, dateOrder, rerank }: Surroundings,
): MemorySettings {
  const query = <Value>(name: string, read: (query: QueryConfig) => Value | undefined): Value | undefined =>
    first(layers, `query.${name}`, (part) => (part.query === undefined ? undefined : read(part.query)))?.value
  const isHybrid = query('hybrid.enabled', (part) => part.hybrid?.enabled)
  const isDiverse = query('hybrid.mmr.enabled', (part) => part.hybrid?.mmr?.enabled)
  const lambda = query('hybrid.mmr.lambda', (part) => part.hybrid?.mmr?.lambda)
  const isDecaying = query('hybrid.temporalDecay.enabled', (part) => part.hybrid?.temporalDecay?.enabled)
  const halfLifeDays = query('hybrid.temporalDecay.halfLifeDays', (part) => part.hybrid?.temporalDecay?.halfLifeDays)
  const faults = new FaultList()
  const chunks = faults.attempt(() => chunking(layers))
  const weight = faults.attempt(() => vectorWeight(layers))
  faults.throwAny()
  return withoutUndefined({
    ...chunks,
    maxResults: query('maxResults', (part) => part.maxResults),
    language: query('language', (part) => part.language),
    minScore: query('minScore', (part) => part.minScore),
    candidateMultiplier: query('hybrid.candidateMultiplier', (part) => part.hybrid?.candidateMultiplier),
    fusion: query('hybrid.fusion', (part) => part.hybrid?.fusion),
    vectorWeight: weight,
    mmr: isDiverse === undefined && lambda === undefined ? undefined : withoutUndefined({ enabled: isDiverse ?? false, lambda }),
    temporalDecay:
      isDecaying === undefined && halfLifeDays === undefined
        ? undefined
        : withoutUndefined({ enabled: isDecaying ?? false, halfLifeDays }),
    syncOnSearch: first(layers, 'sync.onSearch', (part) => part.sync?.onSearch)?.value,
    vectorsOnly: isHybrid === undefined ? undefined : !isHybrid,
    citations,
    timeZone,
    dateOrder,
    reranking: rerankSettings(rerank),
    ...vectorSettings(layers, provider),
  })
}

function vectorSettings(layers: readonly Layer<MemorySearchConfig>[], provider: Surroundings['provider']): MemorySettings {
  const isCached = first(layers, 'cache.enabled', (part) => part.cache?.enabled)?.value ?? true
  const timeoutSeconds = first(layers, 'sync.embeddingBatchTimeoutSeconds', (part) => part.sync?.embeddingBatchTimeoutSeconds)
  return withoutUndefined({
    requestedProvider: provider.requested,
    requiresVectors: requiresVectors(provider),
    keepWarm: first(layers, 'keepWarm', (part) => part.keepWarm)?.value,
    fallbackAfterMinutes: first(layers, 'fallbackAfterMinutes', (part) => part.fallbackAfterMinutes)?.value,
    dailyTokens: first(layers, 'limits.dailyTokens', (part) => part.limits?.dailyTokens)?.value,
    maxUnreferencedVectors: isCached ? first(layers, 'cache.maxEntries', (part) => part.cache?.maxEntries)?.value : 0,
    batch: batchSettings(layers),
    embedding: timeoutSeconds === undefined ? undefined : { documentTimeoutMs: timeoutSeconds.value * 1000 },
  })
}

function rerankSettings({ top, timeoutMs, dailyTokens }: RerankConfig = {}): MemorySettings['reranking'] {
  const settings = withoutUndefined({ top, timeoutMs, dailyTokens })
  return Object.keys(settings).length === 0 ? undefined : settings
}

/** Off by default: a job may take a day. */
function batchSettings(layers: readonly Layer<MemorySearchConfig>[]): MemorySettings['batch'] {
  const found = <Name extends keyof BatchConfig>(name: Name): BatchConfig[Name] | undefined =>
    first(layers, `remote.batch.${name}`, ({ remote }) => remote?.batch?.[name])?.value
  if (found('enabled') !== true) return undefined
  return withoutUndefined({
    wait: found('wait'),
    concurrency: found('concurrency'),
    pollIntervalMs: found('pollIntervalMs'),
    timeoutMinutes: found('timeoutMinutes'),
    rest: found('rest'),
  })
}

/** A user who names a provider wants its vectors: another replaces it only if a fallback is configured. */
function requiresVectors({ requested, fallbacks }: Surroundings['provider']): boolean {
  return !['auto', 'none', 'local'].includes(requested) && fallbacks.length === 0
}

/** An overlap as large as the chunk would never advance. If only the size is set, the default overlap shrinks with it. */
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

/** Only the ratio of the two weights counts; if one is given, the other is the rest of 1. */
function vectorWeight(layers: readonly Layer<MemorySearchConfig>[]): number | undefined {
  const vector = first(layers, 'query.hybrid.vectorWeight', (part) => part.query?.hybrid?.vectorWeight)
  const text = first(layers, 'query.hybrid.textWeight', (part) => part.query?.hybrid?.textWeight)
  if (vector === undefined) return text === undefined ? undefined : 1 - Math.min(1, text.value)
  if (text === undefined) return Math.min(1, vector.value)
  const sum = vector.value + text.value
  if (sum === 0) throw new ConfigError('invalid-value', `${vector.key} and ${text.key} are both 0; allowed: at least one above 0`)
  return vector.value / sum
}
