import type { BatchJobSettings } from '@mnemark/spec'
import { count, positive } from '../embed-settings.ts'

export interface BatchSettings extends BatchJobSettings {
  /** How long a submission that may have arrived is looked for before it counts as unknown. Default 120,000 ms. */
  readonly findMs?: number | undefined
}

export interface CheckedBatchSettings {
  readonly concurrency: number
  readonly pollIntervalMs: number
  /** 0 = one look. */
  readonly waitMs: number
  readonly rest: 'inline' | 'batch'
  readonly findMs: number
}

/** Throws RangeError for numbers that cannot be. */
export function checkBatchSettings(settings: BatchSettings): CheckedBatchSettings {
  const {
    concurrency = 2,
    wait = true,
    pollIntervalMs = 2_000,
    timeoutMinutes = 60,
    rest = 'inline',
    findMs = 120_000,
  } = settings
  if (!(timeoutMinutes >= 0)) throw new RangeError(`timeoutMinutes must be a number from 0, got ${timeoutMinutes}`)
  return {
    concurrency: count('concurrency', concurrency),
    pollIntervalMs: positive('pollIntervalMs', pollIntervalMs),
    waitMs: wait ? timeoutMinutes * 60_000 : 0,
    rest,
    findMs: positive('findMs', findMs),
  }
}
