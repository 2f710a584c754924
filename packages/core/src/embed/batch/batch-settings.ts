import type { BatchJobSettings } from '@mnemark/spec'
import { count, positive } from '../../calls/call-effects.ts'

export interface BatchSettings extends BatchJobSettings {
  /** How long to search for a submission that may have arrived before it counts as unknown. Default 120,000 ms. */
  readonly findMs?: number | undefined
}

export interface CheckedBatchSettings {
  readonly concurrency: number
  readonly pollIntervalMs: number
  /** 0 = look once. */
  readonly waitMs: number
  readonly rest: 'inline' | 'batch'
  readonly findMs: number
}

/** Throws RangeError for impossible numbers. */
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
