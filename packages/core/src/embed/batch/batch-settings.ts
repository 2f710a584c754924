import { count, positive } from '../embed-settings.ts'

export interface BatchSettings {
  /** Jobs at the service at a time. Default 2. */
  readonly concurrency?: number | undefined
  /** False = jobs are made, and looked at once; the next run collects them. Default true. */
  readonly wait?: boolean | undefined
  /** Between two looks at a job, at first; grows to a minute. Default 2,000 ms. */
  readonly pollIntervalMs?: number | undefined
  /** Ends the wait, not the jobs: the next run collects them. 0 = no wait. Default 60. */
  readonly timeoutMinutes?: number | undefined
  /** What becomes of texts whose job ended without them: sent by requests (`inline`, the default), or in one more job (`batch`). */
  readonly rest?: 'inline' | 'batch' | undefined
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
