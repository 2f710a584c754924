import { ConfigError } from '@mnemark/spec'

export interface CompactionSettings {
  /** False: never by itself. Default: true. */
  readonly enabled?: boolean
  /** Share of the window at which to compact. Default: 0.8. */
  readonly threshold?: number
  /** Fewer messages since the last compaction are left alone, unless the provider reports an overflow. Default: 6. */
  readonly minMessages?: number
  /** Tokens kept free for the answer; at most a quarter of the window is taken. Default: 20,000. */
  readonly reserveTokensFloor?: number
  /** Tokens of the latest messages that stay as they are; at most a quarter of the window is taken. Default: 20,000. */
  readonly keepRecentTokens?: number
  readonly memoryFlush?: MemoryFlushSettings
}

export interface MemoryFlushSettings {
  /** False: compaction comes without saving anything to the notes first. Default: true. */
  readonly enabled?: boolean
  /** The flush comes so many tokens before the compaction, but not below half of the window. Default: 4,000. */
  readonly softThresholdTokens?: number
  readonly systemPrompt?: string
  readonly prompt?: string
}

/** Points of a window, in tokens. */
export interface Limits {
  readonly window: number
  readonly reserve: number
  readonly compaction: number
  readonly flush: number
  readonly keepRecent: number
  readonly minMessages: number
}

/** @throws ConfigError `invalid-value` for a window or a setting that is no such number */
export function limitsOf(window: number, settings: CompactionSettings = {}): Limits {
  const { threshold = 0.8, minMessages = 6, reserveTokensFloor = 20_000, keepRecentTokens = 20_000, memoryFlush } = settings
  const { softThresholdTokens = 4_000 } = memoryFlush ?? {}
  requireTokens('window', window, 1)
  if (!(threshold > 0 && threshold <= 1)) {
    throw new ConfigError('invalid-value', `compaction.threshold: expected a share above 0, at most 1, got ${String(threshold)}`)
  }
  for (const [name, value] of Object.entries({
    minMessages,
    reserveTokensFloor,
    keepRecentTokens,
    'memoryFlush.softThresholdTokens': softThresholdTokens,
  })) {
    requireTokens(`compaction.${name}`, value, 0)
  }
  const quarter = Math.floor(window / 4)
  const reserve = Math.min(reserveTokensFloor, quarter)
  const compaction = Math.min(Math.floor(window * threshold), window - reserve)
  const flush = Math.max(Math.floor(window / 2), Math.min(window - reserve, compaction) - softThresholdTokens)
  return { window, reserve, compaction, flush, keepRecent: Math.min(keepRecentTokens, quarter), minMessages }
}

function requireTokens(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return
  throw new ConfigError('invalid-value', `${name}: expected a whole number, ${least} or more, got ${String(value)}`)
}
