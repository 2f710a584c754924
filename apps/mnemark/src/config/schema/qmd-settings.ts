import { resolve } from 'node:path'
import type { Scope } from '@mnemark/core/backend'
import type { QmdLimits, QmdUpdateOptions, SearchMode } from '@mnemark/store-qmd'
import { expandVariables } from '../expand-variables.ts'
import type { Environment } from '../expand-variables.ts'
import { expandHome } from '../files/home-path.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { parseDuration } from './duration.ts'

/** `memory.qmd` as people write it. Paths and the command may hold `${NAME}`. */
export interface QmdConfig {
  readonly command?: string
  readonly searchMode?: SearchMode
  readonly includeDefaultMemory?: boolean
  readonly paths?: readonly { readonly path: string; readonly pattern?: string; readonly name?: string }[]
  readonly sessions?: { readonly enabled?: boolean; readonly retentionDays?: number; readonly exportDir?: string }
  /** Durations are texts such as "5m". */
  readonly update?: Omit<QmdUpdateOptions, 'intervalMs' | 'embedIntervalMs'> & {
    readonly interval?: string
    readonly embedInterval?: string
  }
  readonly limits?: QmdLimits
  readonly scope?: Scope
  readonly fallback?: 'builtin' | 'none'
  readonly coolDown?: string
}

/** The resolved `memory.qmd`, for QMD as the backend. */
export interface QmdSettings {
  readonly command: string
  readonly searchMode: SearchMode
  readonly includeDefaultMemory: boolean
  readonly paths: readonly { readonly path: string; readonly pattern?: string; readonly name?: string }[]
  readonly sessions: { readonly isEnabled: boolean; readonly exportFolder: string | null }
  readonly update: QmdUpdateOptions
  readonly limits: QmdLimits
  readonly scope: Scope
  readonly fallback: 'builtin' | 'none'
  readonly coolDownMs: number
}

const DIRECT_CHATS: Scope = { default: 'deny', rules: [{ action: 'allow', match: { chatType: 'direct' } }] }

/** Throws ConfigError for a variable that is not set. */
export function resolveQmd(config: QmdConfig, environment: Environment): QmdSettings {
  const { interval, embedInterval, ...update } = config.update ?? {}
  const expand = (text: string, key: string): string => expandHome(expandVariables(text, `memory.qmd.${key}`, environment))
  const exportDir = config.sessions?.exportDir
  return {
    command: expand(config.command ?? 'qmd', 'command'),
    searchMode: config.searchMode ?? 'search',
    includeDefaultMemory: config.includeDefaultMemory ?? true,
    paths: (config.paths ?? []).map((entry, index) => ({ ...entry, path: expand(entry.path, `paths.${index}.path`) })),
    sessions: {
      isEnabled: config.sessions?.enabled ?? false,
      exportFolder: exportDir === undefined ? null : resolve(expand(exportDir, 'sessions.exportDir')),
    },
    update: {
      ...update,
      ...withoutUndefined({ intervalMs: milliseconds(interval), embedIntervalMs: milliseconds(embedInterval) }),
    },
    limits: config.limits ?? {},
    scope: config.scope ?? DIRECT_CHATS,
    fallback: config.fallback ?? 'builtin',
    coolDownMs: milliseconds(config.coolDown) ?? 60_000,
  }
}

/** The schema accepts only valid durations. */
function milliseconds(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (parseDuration(text) ?? undefined)
}
