import { ConfigError } from '@mnemark/spec'

/**
 * Share of a score left at an age: e^(−λ·age), λ = ln 2 / half-life, so half of it after one half-life. An age below 0
 * counts as 0. Throws ConfigError for a half-life that is not a positive number of days, RangeError for NaN.
 */
export function decayFactor(ageDays: number, halfLifeDays: number): number {
  if (!Number.isFinite(halfLifeDays) || halfLifeDays <= 0) {
    throw new ConfigError(
      'invalid-value',
      `temporalDecay.halfLifeDays: expected a number of days above 0, got ${String(halfLifeDays)}`,
    )
  }
  if (Number.isNaN(ageDays)) throw new RangeError('expected an age in days')
  return Math.exp((-Math.LN2 / halfLifeDays) * Math.max(0, ageDays))
}
