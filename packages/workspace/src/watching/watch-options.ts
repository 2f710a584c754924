import { ConfigError } from '@mnemark/spec'
import type { StartWatcher } from './system-watcher.ts'
import { SYSTEM_TIMERS, type Timers } from './timers.ts'

export interface WatchOptions {
  /** How long it must be quiet before changes are reported, in milliseconds. Default: 1,500. */
  readonly debounceMs?: number
  /** Between two listings where the system refuses to watch, in milliseconds. Default: 30,000. */
  readonly pollIntervalMs?: number
  /** Called once, with a sentence for people, when the system refuses to watch and polling replaces it. */
  readonly onRefusal?: (message: string) => void
  /** Replaces the system's timers. */
  readonly timers?: Timers
  /** Replaces the system's watcher. */
  readonly startWatcher?: StartWatcher
}

export type CheckedWatchOptions = Required<Omit<WatchOptions, 'startWatcher'>> & Pick<WatchOptions, 'startWatcher'>

const DEFAULT_DEBOUNCE_MS = 1_500
const DEFAULT_POLL_INTERVAL_MS = 30_000

/** @throws ConfigError `invalid-value` for times that are no whole numbers, or too small */
export function checkWatchOptions(options: WatchOptions = {}): CheckedWatchOptions {
  return {
    debounceMs: checkedMs('debounceMs', options.debounceMs ?? DEFAULT_DEBOUNCE_MS, 0),
    pollIntervalMs: checkedMs('pollIntervalMs', options.pollIntervalMs ?? DEFAULT_POLL_INTERVAL_MS, 1),
    onRefusal: options.onRefusal ?? (() => {}),
    timers: options.timers ?? SYSTEM_TIMERS,
    ...(options.startWatcher !== undefined && { startWatcher: options.startWatcher }),
  }
}

/** The longest time a timer can wait. */
const MAX_TIMER_MS = 2_147_483_647

function checkedMs(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= MAX_TIMER_MS) return value
  throw new ConfigError('invalid-value', `watch.${name}: expected whole milliseconds from ${least}, got ${String(value)}.`)
}
