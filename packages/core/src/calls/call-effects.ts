import { sleepWithTimer } from '../timing/sleep.ts'

/** Side effects; by default the real clock, timers and random numbers. */
export interface CallEffects {
  readonly now?: (() => number) | undefined
  /** Rejects with the signal's reason. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
  /** From 0 to below 1. */
  readonly random?: (() => number) | undefined
}

export type CheckedEffects = { readonly [Name in keyof CallEffects]-?: NonNullable<CallEffects[Name]> }

export function effectsOf({ now, sleep, random }: CallEffects): CheckedEffects {
  return { now: now ?? Date.now, sleep: sleep ?? sleepWithTimer, random: random ?? Math.random }
}

/** Throws RangeError for anything but a number above 0. */
export function positive(name: string, value: number): number {
  if (value > 0) return value
  throw new RangeError(`${name} must be above 0, got ${value}`)
}

/** Throws RangeError for anything but a whole number from 1. */
export function count(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new RangeError(`${name} must be a whole number from 1, got ${value}`)
}
