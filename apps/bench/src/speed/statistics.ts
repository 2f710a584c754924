/** Linear between the two nearest ranks; NaN for an empty list. `share` from 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  const at = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN]
  return low + (high - low) * (at - Math.floor(at))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export interface Spread {
  readonly p50: number
  readonly p95: number
  readonly max: number
}

export function spreadOf(values: readonly number[]): Spread {
  return { p50: median(values), p95: quantile(values, 0.95), max: Math.max(...values) }
}
