import type { EmbeddingProvider, InputType } from '@mnemark/spec'
import { sleepWithTimer } from '../timing/sleep.ts'

/** Milliseconds one attempt may take. */
export interface EmbedTimeouts {
  /** Default 60,000, or 300,000 for a local provider. */
  readonly queryMs?: number | undefined
  /** Default 120,000, or 600,000 for a local provider. */
  readonly documentMs?: number | undefined
}
/** Side effects; by default the real clock, timers and random numbers. */
export interface EmbedEffects {
  readonly now?: (() => number) | undefined
  /** Rejects with the signal's reason. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
  /** From 0 to below 1. */
  readonly random?: (() => number) | undefined
}

export type CheckedEffects = { readonly [Name in keyof EmbedEffects]-?: NonNullable<EmbedEffects[Name]> }

const TIMEOUT_MS = { query: { remote: 60_000, local: 300_000 }, document: { remote: 120_000, local: 600_000 } }

export function timeoutMsFor(
  provider: Pick<EmbeddingProvider, 'traits'>,
  inputType: InputType,
  timeouts: EmbedTimeouts = {},
): number {
  const own = inputType === 'query' ? timeouts.queryMs : timeouts.documentMs
  return positive('timeouts', own ?? TIMEOUT_MS[inputType][provider.traits.isLocal ? 'local' : 'remote'])
}

export function effectsOf({ now, sleep, random }: EmbedEffects): CheckedEffects {
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
