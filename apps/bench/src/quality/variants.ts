import { KEYWORD_TUNING, type KeywordTuning } from '@mnemark/core/tuning'
import type { MemorySettings } from '@mnemark/spec'

/** A named change of the product: settings anybody can make, and weights of keyword ranking. */
export interface Variant {
  readonly name: string
  readonly settings?: MemorySettings
  readonly tuning?: KeywordTuning
}

function weights(name: string, changed: Partial<KeywordTuning['weights']>): Variant {
  return { name, tuning: { ...KEYWORD_TUNING, weights: { ...KEYWORD_TUNING.weights, ...changed } } }
}

function bonuses(name: string, changed: Partial<Omit<KeywordTuning, 'weights'>>): Variant {
  return { name, tuning: { ...KEYWORD_TUNING, ...changed } }
}

export const PRODUCT: Variant = { name: 'product' }

/** Variants that `--ablate` compares with the product; each new entry is a new column. */
export const VARIANTS: readonly Variant[] = [
  weights('no grams', { gram: 0 }),
  weights('no stems', { stem: 0 }),
  weights('no dates', { date: 0, wordOfDate: 1 }),
  weights('no headings', { context: 0 }),
  weights('no paths', { path: 0, name: 0 }),
  weights('no variants', { variant: 0 }),
  weights('stop words 0', { stop: 0 }),
  weights('stop words 1', { stop: 1 }),
  bonuses('no coverage', { coverageBonus: 0 }),
  bonuses('no compounds', { compoundBonus: 0 }),
  { name: 'pool x1', settings: { candidateMultiplier: 1 } },
  { name: 'pool x16', settings: { candidateMultiplier: 16 } },
  { name: 'MMR .7', settings: { mmr: { enabled: true, lambda: 0.7 } } },
  { name: 'decay 30 d', settings: { temporalDecay: { enabled: true, halfLifeDays: 30 } } },
]
