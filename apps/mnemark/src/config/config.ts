/** A configuration file as people write it: every key of docs/configuration.md, none required. Checked by `schema.ts`. */
export interface Config {
  readonly agents?: {
    readonly defaults?: AgentConfig
    readonly list?: readonly (AgentConfig & { readonly id: string })[]
  }
  readonly memory?: {
    readonly backend?: 'builtin' | 'qmd'
    readonly citations?: 'on' | 'off' | 'auto'
    /** The newer spelling of `agents.defaults.memorySearch`, which wins where both name a key. */
    readonly search?: MemorySearchConfig
  }
  readonly models?: { readonly providers?: Readonly<Record<string, object>> }
  readonly plugins?: { readonly slots?: { readonly memory?: string } }
}

export interface AgentConfig {
  readonly workspace?: string
  /** IANA name. */
  readonly userTimezone?: string
  readonly memorySearch?: MemorySearchConfig
}

export interface MemorySearchConfig {
  readonly enabled?: boolean
  readonly provider?: string
  readonly model?: string
  readonly fallback?: FallbackLink | readonly FallbackLink[]
  readonly sources?: readonly string[]
  readonly extraPaths?: readonly string[]
  readonly chunking?: { readonly tokens?: number; readonly overlap?: number }
  readonly query?: QueryConfig
  readonly store?: { readonly kind?: string; readonly path?: string }
  readonly sync?: { readonly watch?: boolean; readonly watchDebounceMs?: number; readonly intervalMinutes?: number }
}

export type FallbackLink = string | { readonly provider: string; readonly model?: string }

export interface QueryConfig {
  readonly maxResults?: number
  readonly minScore?: number
  readonly hybrid?: {
    readonly vectorWeight?: number
    readonly textWeight?: number
    readonly candidateMultiplier?: number
    readonly fusion?: 'weighted' | 'rrf'
    readonly mmr?: { readonly enabled?: boolean; readonly lambda?: number }
    readonly temporalDecay?: { readonly enabled?: boolean; readonly halfLifeDays?: number }
  }
}
