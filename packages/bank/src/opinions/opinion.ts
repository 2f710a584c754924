import type { IndexedFact } from '../facts/facts-of-chunks.ts'

/** One line that speaks for or against an opinion. */
export interface Evidence {
  readonly fact: IndexedFact
  readonly stance: 'for' | 'against'
  /** How the stance is known. */
  readonly by: 'relation' | 'same statement' | 'negation' | 'verdict'
  /** 0 to 1.5: what this line adds, before damping and caps. */
  readonly weight: number
  /** Equal for lines of one independent origin, which count once. */
  readonly group: string
}

/** Something that somebody holds, the number that follows from its evidence, and the evidence. */
export interface Opinion {
  /** The id of the fact that first states it. */
  readonly id: string
  readonly statement: string
  /** Folded names. */
  readonly entities: readonly string[]
  /** 0.05 to 0.95, by rule L; absent = unrated, no evidence and no number. */
  readonly confidence?: number
  /** The number that a person gave, as typed, and the day; absent = none was given, and 0.5 is computed with. */
  readonly anchor?: { readonly confidence: number; readonly day?: string }
  /** All lines, the newest first; more lines than groups where origins repeat themselves. */
  readonly evidence: readonly Evidence[]
  readonly groups: { readonly for: number; readonly against: number }
  /** Days, YYYY-MM-DD: of the newest line that says anything about it, and of the newest that agrees. */
  readonly lastUpdated?: string
  readonly lastConfirmed?: string
  readonly state: 'open' | 'turning' | 'retracted'
}
