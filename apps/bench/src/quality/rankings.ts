import type { MemorySettings } from '@mnemark/spec'

/** One way to use words and vectors. */
export interface Ranking {
  readonly name: string
  /** Over the product's defaults. */
  readonly settings: MemorySettings
  /** False = no provider at all, as in a memory that has none. */
  readonly hasVectors: boolean
}

function hybrid(name: string, settings: MemorySettings = {}): Ranking {
  return { name, settings, hasVectors: true }
}

/** The product without a provider, vectors without words, and the product with a provider, at the weight that is the embedder's own. */
export const LEGS: Readonly<Record<'keywords' | 'vectors' | 'hybrid', Ranking>> = {
  keywords: { name: 'keywords', settings: {}, hasVectors: false },
  // A threshold would cost it places that it need not lose: it is the leg that hybrid is judged by.
  vectors: hybrid('vectors', { vectorsOnly: true, minScore: 0 }),
  hybrid: hybrid('hybrid'),
}

/** Variants compared with the default hybrid search; each new entry is a new column. */
export const HYBRID_VARIANTS: readonly Ranking[] = [
  ...[0.1, 0.2, 0.4, 0.5, 0.7].map((vectorWeight) => hybrid(`weight .${vectorWeight * 10}`, { vectorWeight })),
  hybrid('RRF 1:1', { fusion: 'rrf', vectorWeight: 0.5 }),
  hybrid('RRF 4:1', { fusion: 'rrf', vectorWeight: 0.2 }),
  hybrid('no threshold', { minScore: 0 }),
  hybrid('pool x16', { candidateMultiplier: 16 }),
  hybrid('MMR .7', { mmr: { enabled: true, lambda: 0.7 } }),
  hybrid('decay 30 d', { temporalDecay: { enabled: true, halfLifeDays: 30 } }),
]
