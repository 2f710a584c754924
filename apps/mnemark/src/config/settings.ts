import type { MemorySettings } from '@mnemark/spec'

/** What one agent's configuration means, with every default filled in and every conflict settled. */
export interface AgentSettings {
  /** The key that switches memory off, else null. */
  readonly switchedOffBy: string | null
  /** IANA name; undefined = the system's. */
  readonly timeZone: string | undefined
  readonly provider: ProviderSettings
  readonly backend: 'builtin' | 'qmd'
  readonly sources: readonly string[]
  readonly extraPaths: readonly string[]
  /** `store.path` with the agent's id filled in, else null. */
  readonly storePath: string | null
  readonly memory: MemorySettings
  readonly sync: SyncSettings
  readonly warnings: readonly string[]
}

/** How a process that stays keeps the index fresh. */
export interface SyncSettings {
  readonly watch: boolean
  /** Undefined = the watcher's own default. */
  readonly watchDebounceMs: number | undefined
  /** Between two looks at everything; 0 = none. */
  readonly intervalMinutes: number
}

export interface ProviderSettings {
  /** `auto`, `none`, a provider's id, or a name of `models.providers`. */
  readonly requested: string
  /** The chain after the first link, without repeats of it; `none` ends it. */
  readonly fallbacks: readonly string[]
}
