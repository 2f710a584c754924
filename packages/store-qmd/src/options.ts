import { ConfigError, type DocumentReader } from '@mnemark/spec'
import type { QmdCollection } from './collections/qmd-collection.ts'
import type { Environment, QmdHome } from './home.ts'
import type { QmdTimeouts, SearchMode } from './program/qmd-program.ts'

export interface QmdUpdateOptions {
  /** Time between two updates of a long-running process, in ms; 0 = no automatic ones. Default: 300,000. */
  readonly intervalMs?: number
  /** Least time between two automatic updates, in ms. Default: 15,000. */
  readonly debounceMs?: number
  /** Whether a long-running process updates when it starts. Default: true. */
  readonly onBoot?: boolean
  /** Whether searches wait for that first update. Default: false. */
  readonly waitForBootSync?: boolean
  /** Time between two `embed` runs, in ms. Default: after each update. Keyword mode embeds nothing. */
  readonly embedIntervalMs?: number
  /** Longest time for a small command, an update, an `embed`, in ms; default 30,000, 120,000 and 1,800,000. */
  readonly commandTimeoutMs?: number
  readonly updateTimeoutMs?: number
  readonly embedTimeoutMs?: number
}
export interface QmdLimits {
  /** Hits per answer when the query names no limit, from 1 to 100; default 6. */
  readonly maxResults?: number
  /** Longest snippet in UTF-16 units, from 20; default 700. */
  readonly maxSnippetChars?: number
  /** Longest sum of all snippets of an answer. Default: none. */
  readonly maxInjectedChars?: number
  /** Longest time for a search, in ms; default 4,000. */
  readonly timeoutMs?: number
}
export interface QmdBackendOptions {
  /** Folders of this agent's QMD: `qmdHome(stateFolder, agentId)`. */
  readonly home: QmdHome
  /** Collections to index: `planCollections(…)`. */
  readonly collections: readonly QmdCollection[]
  /** Reads by the workspace's displayed paths, and by absolute path below the folders of `collections`. */
  readonly reader: DocumentReader
  /** A program on the PATH or a path, with or without arguments. Default: "qmd". */
  readonly command?: string
  /** `search` is keywords, `vsearch` vectors, `query` both with reranking. Default: "search". */
  readonly searchMode?: SearchMode
  readonly update?: QmdUpdateOptions
  readonly limits?: QmdLimits
  /** Whether snippets end with their source; `auto` does so in direct chats. Default: "auto". */
  readonly citations?: 'on' | 'off' | 'auto'
  /** Environment of the program, without variables that would lead it to another index. Default: that of this process. */
  readonly environment?: Environment
  /** Called for background failures, never with text of notes or queries. */
  readonly log?: (message: string) => void
  readonly now?: () => number
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** The options with every default filled in. */
export interface QmdSettings {
  readonly command: string
  readonly mode: SearchMode
  readonly citations: 'on' | 'off' | 'auto'
  readonly timeouts: QmdTimeouts
  readonly maxResults: number
  readonly maxSnippetChars: number
  readonly maxInjectedChars: number | undefined
  readonly intervalMs: number
  readonly debounceMs: number
  readonly onBoot: boolean
  readonly waitForBootSync: boolean
  readonly embedIntervalMs: number | undefined
}

const MODES: readonly SearchMode[] = ['search', 'vsearch', 'query']
const MOST_RESULTS = 100

/** Throws ConfigError `invalid-value` that names the option, its value and what is allowed. */
export function checkOptions({ command, searchMode, citations, update = {}, limits = {} }: QmdBackendOptions): QmdSettings {
  if (searchMode !== undefined && !MODES.includes(searchMode)) {
    throw invalid('searchMode', MODES.map((mode) => `"${mode}"`).join(', '), searchMode)
  }
  const optional = (name: string, value: number | undefined, least: number): number | undefined =>
    value === undefined ? undefined : whole(name, value, { least })
  return {
    command: command ?? 'qmd',
    mode: searchMode ?? 'search',
    citations: citations ?? 'auto',
    timeouts: {
      searchMs: whole('limits.timeoutMs', limits.timeoutMs ?? 4_000, { least: 1 }),
      commandMs: whole('update.commandTimeoutMs', update.commandTimeoutMs ?? 30_000, { least: 1 }),
      updateMs: whole('update.updateTimeoutMs', update.updateTimeoutMs ?? 120_000, { least: 1 }),
      embedMs: whole('update.embedTimeoutMs', update.embedTimeoutMs ?? 1_800_000, { least: 1 }),
    },
    maxResults: checkLimit('limits.maxResults', limits.maxResults ?? 6),
    maxSnippetChars: whole('limits.maxSnippetChars', limits.maxSnippetChars ?? 700, { least: 20 }),
    maxInjectedChars: optional('limits.maxInjectedChars', limits.maxInjectedChars, 20),
    intervalMs: whole('update.intervalMs', update.intervalMs ?? 300_000, { least: 0 }),
    debounceMs: whole('update.debounceMs', update.debounceMs ?? 15_000, { least: 0 }),
    onBoot: update.onBoot ?? true,
    waitForBootSync: update.waitForBootSync ?? false,
    embedIntervalMs: optional('update.embedIntervalMs', update.embedIntervalMs, 0),
  }
}

export function checkLimit(name: string, limit: number): number {
  return whole(name, limit, { least: 1, most: MOST_RESULTS })
}

function whole(name: string, value: number, range: { readonly least: number; readonly most?: number }): number {
  const { least, most = Number.MAX_SAFE_INTEGER } = range
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value
  throw invalid(
    name,
    range.most === undefined ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`,
    value,
  )
}

function invalid(name: string, allowed: string, value: unknown): ConfigError {
  return new ConfigError('invalid-value', `${name}: expected ${allowed}, got ${JSON.stringify(value)}`)
}
