import type { MemorySettings } from '@mnemark/spec'

/** A named change of the product's settings. */
export interface Variant {
  readonly name: string
  readonly settings: MemorySettings
}

export const PRODUCT: Variant = { name: 'product', settings: {} }

/** What `--ablate` compares with the product; a new line here is a new column. */
export const VARIANTS: readonly Variant[] = [
  { name: 'pool x1', settings: { candidateMultiplier: 1 } },
  { name: 'pool x16', settings: { candidateMultiplier: 16 } },
  { name: 'MMR .7', settings: { mmr: { enabled: true, lambda: 0.7 } } },
  { name: 'decay 30 d', settings: { temporalDecay: { enabled: true, halfLifeDays: 30 } } },
]
