import type { Scope } from '@mnemark/core/backend'
import type { CompactionSettings, MaintenancePolicy, ResetPolicy } from '@mnemark/sessions'
import type { QmdConfig } from './qmd-settings.ts'
import type { Secret } from './schema-values.ts'

/** A configuration file as people write it: every key of docs/configuration.md, none required. Checked by `schema.ts`. */
export interface Config {
  readonly agents?: {
    readonly defaults?: AgentConfig
    readonly list?: readonly (AgentConfig & { readonly id: string })[]
  }
  readonly memory?: {
    readonly backend?: 'builtin' | 'qmd'
    readonly citations?: 'on' | 'off' | 'auto'
    readonly scope?: Scope
    readonly qmd?: QmdConfig
    /** The newer form of `agents.defaults.memorySearch`; it wins if both set a key. */
    readonly search?: MemorySearchConfig
  }
  readonly models?: {
    readonly providers?: Readonly<Record<string, ModelProviderConfig>>
    readonly generate?: GenerateConfig
    readonly rerank?: RerankConfig
  }
  readonly plugins?: { readonly slots?: { readonly memory?: string } }
  readonly bank?: { readonly enabled?: boolean }
  readonly session?: { readonly reset?: ResetPolicy; readonly maintenance?: MaintenancePolicy }
  readonly tools?: { readonly sessions?: { readonly enabled?: boolean; readonly visibility?: 'self' | 'tree' | 'agent' | 'all' } }
  readonly serve?: ServeConfig
  /** Folders by name, for `-w`; from the user's own file only. */
  readonly workspaces?: Readonly<Record<string, string>>
  readonly secrets?: { readonly providers?: Readonly<Record<string, SecretProviderConfig>> }
}

/** Texts may hold `${NAME}`. */
export interface ServeConfig {
  readonly host?: string
  readonly port?: number
  readonly token?: string
  readonly allowedHosts?: readonly string[]
  readonly allowedOrigins?: readonly string[]
  readonly readOnly?: boolean
  readonly connector?: boolean
  readonly mask?: boolean
  readonly maxConnections?: number
  readonly maxBodyBytes?: number
  readonly requestsPerMinute?: number
  readonly requestTimeoutSeconds?: number
}

export interface AgentConfig {
  readonly workspace?: string
  /** IANA name. */
  readonly userTimezone?: string
  readonly dateOrder?: 'dmy' | 'mdy'
  readonly memorySearch?: MemorySearchConfig
  readonly compaction?: CompactionSettings
}

export interface MemorySearchConfig extends ModelConfig {
  readonly enabled?: boolean
  readonly provider?: string
  readonly remote?: RemoteConfig & { readonly consent?: boolean; readonly batch?: BatchConfig }
  readonly fallback?: FallbackLink | readonly FallbackLink[]
  readonly fallbackAfterMinutes?: number
  readonly keepWarm?: boolean
  readonly sources?: readonly string[]
  readonly extraPaths?: readonly string[]
  readonly chunking?: { readonly tokens?: number; readonly overlap?: number }
  readonly query?: QueryConfig
  readonly store?: {
    readonly kind?: string
    readonly path?: string
    readonly module?: string
    readonly options?: Readonly<Record<string, unknown>>
    readonly vector?: { readonly enabled?: boolean; readonly extensionPath?: string }
  }
  readonly cache?: { readonly enabled?: boolean; readonly maxEntries?: number }
  readonly sync?: {
    readonly onSessionStart?: boolean
    readonly onSearch?: boolean
    readonly watch?: boolean
    readonly watchDebounceMs?: number
    readonly intervalMinutes?: number
    readonly indexLargeFolder?: boolean
    readonly embeddingBatchTimeoutSeconds?: number
  }
  readonly limits?: { readonly dailyTokens?: number }
}

/** The model settings of one link of the chain. */
export interface ModelConfig {
  readonly model?: string
  readonly outputDimensionality?: number
  readonly inputType?: InputTypeConfig
  readonly queryInputType?: string
  readonly documentInputType?: string
  readonly remote?: RemoteConfig
  readonly local?: { readonly modelPath?: string; readonly modelCacheDir?: string; readonly contextSize?: number | 'auto' }
}

/** A text the model knows, `symmetric`, or an object with `prefix`, or with `query` and `document`. */
export type InputTypeConfig = string | Readonly<Record<string, unknown>>

/** Texts may hold `${NAME}`. */
export interface RemoteConfig {
  readonly baseUrl?: string
  readonly apiKey?: Secret
  readonly headers?: Readonly<Record<string, string>>
  readonly nonBatchConcurrency?: number
}

export interface BatchConfig {
  readonly enabled?: boolean
  readonly wait?: boolean
  readonly concurrency?: number
  readonly pollIntervalMs?: number
  readonly timeoutMinutes?: number
  readonly rest?: 'inline' | 'batch'
}

export type FallbackLink = string | (ModelConfig & { readonly provider: string })

/** An entry of `models.providers`. */
export interface ModelProviderConfig {
  readonly api?: string
  readonly module?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly baseUrl?: string
  readonly apiKey?: Secret
  readonly headers?: Readonly<Record<string, string>>
  readonly model?: string
  readonly dimensions?: number
  readonly inputType?: InputTypeConfig
  readonly limits?: {
    readonly maxInputs?: number
    readonly maxInputTokens?: number
    readonly maxRequestTokens?: number
    readonly maxRequestBytes?: number
    readonly concurrency?: number
  }
}

/** The service of a chat model or a reranker. Texts may hold `${NAME}`. */
export interface ModelServiceConfig {
  readonly provider?: string
  readonly model?: string
  readonly baseUrl?: string
  readonly apiKey?: Secret
  readonly headers?: Readonly<Record<string, string>>
  readonly usdPerMillionInput?: number
  readonly usdPerMillionOutput?: number
  readonly usdPerThousandQueries?: number
}

export type ChatLink = string | ModelServiceConfig

export interface GenerateConfig extends ModelServiceConfig {
  readonly fallback?: ChatLink | readonly ChatLink[]
  readonly dailyTokens?: number
  readonly consent?: boolean
}

export interface RerankConfig extends ModelServiceConfig {
  readonly top?: number
  readonly timeoutMs?: number
  readonly dailyTokens?: number
  readonly consent?: boolean
}

export interface SecretProviderConfig {
  readonly source?: 'env' | 'file' | 'exec'
  readonly path?: string
  readonly mode?: 'json' | 'singleValue'
}

export interface QueryConfig {
  readonly maxResults?: number
  readonly language?: string
  readonly minScore?: number
  readonly hybrid?: {
    readonly enabled?: boolean
    readonly vectorWeight?: number
    readonly textWeight?: number
    readonly candidateMultiplier?: number
    readonly fusion?: 'weighted' | 'rrf'
    readonly mmr?: { readonly enabled?: boolean; readonly lambda?: number }
    readonly temporalDecay?: { readonly enabled?: boolean; readonly halfLifeDays?: number }
  }
}
