import type { CompactionSettings, MaintenancePolicy, ResetPolicy } from '@mnemark/sessions'
import type { Scope } from '@mnemark/core/backend'
import type { MemorySettings } from '@mnemark/spec'
import type { QmdSettings } from '../schema/qmd-settings.ts'
import type { InputTypeConfig } from '../schema/config.ts'
import type { Found } from './layers.ts'
import type { NamedModule } from '../files/load-module.ts'
import type { Secret } from '../schema/schema-values.ts'

/** The resolved configuration of one agent, with every default filled in and every conflict settled. */
export interface AgentSettings {
  /** The key that switches memory off, else null. */
  readonly switchedOffBy: string | null
  /** IANA name; undefined = the system's. */
  readonly timeZone: string | undefined
  readonly provider: ProviderSettings
  readonly models: ModelSettings
  /** Null where the built-in engine is the backend. */
  readonly qmd: QmdSettings | null
  readonly sources: readonly string[]
  readonly extraPaths: readonly string[]
  /** `store.path` with the agent's id filled in, else null. */
  readonly storePath: string | null
  /** `store.module`: keeps the index instead of SQLite; else null. */
  readonly storeModule: NamedModule | null
  /** sqlite-vec, for SQL queries on the index; the path as written, else that of its npm package. */
  readonly vectorExtension: { readonly isEnabled: boolean; readonly path?: string }
  readonly memory: MemorySettings
  readonly sync: SyncSettings
  /** Rules on who may search and read: all of them must allow it; none means everybody. */
  readonly scopes: readonly Scope[]
  readonly serve: ServeSettings
  /** True: agents have the tools of the bank. */
  readonly bank: { readonly isEnabled: boolean }
  /** The life cycle of conversations; absent parts are at their defaults. */
  readonly sessions: {
    readonly compaction: CompactionSettings
    readonly reset: ResetPolicy
    readonly maintenance: MaintenancePolicy
  }
  /** True: agents have the tools of conversations. Which of them a session may see, over every way. */
  readonly sessionTools: { readonly isEnabled: boolean; readonly visibility: 'self' | 'tree' | 'agent' | 'all' }
  readonly warnings: readonly string[]
}

/** How a long-running process keeps the index fresh. */
export interface SyncSettings {
  /** True: a server syncs when a session begins. */
  readonly onSessionStart: boolean
  readonly watch: boolean
  /** Undefined = the watcher's own default. */
  readonly watchDebounceMs: number | undefined
  /** Minutes between two full syncs; 0 = none. */
  readonly intervalMinutes: number
  /** True: a large folder gets its first index without asking, also from servers. */
  readonly indexLargeFolder: boolean
}

/** The embedding providers as configured; `providers/` makes the chain from them. */
export interface ProviderSettings {
  /** `auto`, `none`, a provider's id, or a name of `models.providers`. */
  readonly requested: string
  /** Settings of the first link; with `auto`, of whichever provider is found. */
  readonly primary: LinkSettings
  /** The chain after the first link, without repeats of it. */
  readonly fallbacks: readonly LinkSettings[]
  /** `remote.consent`. */
  readonly consent: boolean | undefined
}

/** One link of the chain. Texts are unexpanded, with their `${NAME}`: they are needed only if the link is used. */
export interface LinkSettings {
  readonly id: string
  /** The key that configures it. */
  readonly key: string
  readonly model?: string
  readonly outputDimensionality?: number
  readonly inputType?: InputTypeConfig
  readonly queryInputType?: string
  readonly documentInputType?: string
  readonly remote: {
    readonly baseUrl?: Found<string>
    readonly apiKey?: Found<Secret>
    readonly headers: Readonly<Record<string, Found<string>>>
    readonly nonBatchConcurrency?: number
  }
  readonly local: {
    readonly modelPath?: Found<string>
    readonly modelCacheDir?: Found<string>
    readonly contextSize?: number | 'auto'
  }
}

/** Chat models and the reranker as configured; null where none is named. `mayAsk` false: nothing may be sent. */
export interface ModelSettings {
  readonly generate: {
    /** First link first. */
    readonly links: readonly ModelLink[]
    readonly mayAsk: boolean
    readonly dailyTokens?: number
  } | null
  readonly rerank: { readonly link: ModelLink; readonly mayAsk: boolean } | null
}

/** One chat model or reranker. Texts are unexpanded, as in `LinkSettings`. */
export interface ModelLink extends Pick<LinkSettings, 'id' | 'key' | 'model' | 'remote' | 'local'> {
  /** US dollars, in place of the adapter's; a module of one's own states its prices itself. */
  readonly prices: {
    readonly usdPerMillionInput?: number
    readonly usdPerMillionOutput?: number
    readonly usdPerThousandQueries?: number
  }
}

/** How a memory is served, over HTTP and MCP. */
export interface ServeSettings {
  readonly host: string
  /** 0 = any free one. */
  readonly port: number
  /** Null = generated once and kept. */
  readonly token: string | null
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  readonly isReadOnly: boolean
  /** `search` and `fetch` beside the tools over MCP. */
  readonly isConnector: boolean
  readonly isMasking: boolean
  readonly maxConnections: number
  readonly maxBodyBytes: number
  readonly requestsPerMinute: number
  readonly requestTimeoutMs: number
}
