import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import type { FactEntity } from '../retain/fact.ts'

/** Why a line speaks for or against an opinion. */
export type EvidenceReason = 'own line' | 'same statement' | 'negation' | 'relation' | 'verdict'

/** The line that a group counts with, or the opinion's own line, which counts nothing. */
export interface Evidence {
  readonly fact: IndexedFact
  /** See `docs/opinions.md`; 0 for the own line. */
  readonly weight: number
  readonly why: EvidenceReason
}

/** The number that evidence moves. */
export interface Anchor {
  /** 0 to 1, as stated. */
  readonly confidence: number
  readonly isByPerson: boolean
  /** False where no number was ever stated: then it is 0.5. */
  readonly isStated: boolean
  /** The day on which it was stated, YYYY-MM-DD; absent where nothing says it. */
  readonly day?: string
  /** True where a person typed it over the number that the formula gave. */
  readonly isTyped: boolean
  /** Ids of the facts that it takes into account already. */
  readonly absorbed: readonly string[]
}

export interface Opinion {
  /** Id of the undated fact that states it; stays with its line on the page when a word of the statement is edited. */
  readonly id: string
  readonly statement: string
  readonly entities: readonly FactEntity[]
  /** 0 to 1: 0.05 to 0.95, or a number that a person typed and nothing moved. */
  readonly confidence: number
  /** False where nobody stated a number and no group counts: then the confidence is 0.5 and says nothing. */
  readonly isRated: boolean
  readonly anchor: Anchor
  /** Numbers of groups that count. */
  readonly groups: { readonly for: number; readonly against: number }
  /** One line of each group, the newest first; among `for` also the own line. */
  readonly evidence: { readonly for: readonly Evidence[]; readonly against: readonly Evidence[] }
  /** Last day on which a line or a number moved it, and the last day on which somebody said it. */
  readonly lastUpdated?: string
  readonly lastConfirmed?: string
  /** `turning`: the five newest groups are all against. `retracted`: taken back, struck through or replaced. */
  readonly state: 'open' | 'turning' | 'retracted'
  /** Id of the opinion that an edit of its statement on the page put in its place. */
  readonly replacedBy?: string
  /** The line that states it: that of `bank/opinions.md`, else the oldest one. */
  readonly line: IndexedFact
}

/** Somebody's judgement of a line, kept in a record: no model is asked here. */
export interface Verdict {
  /** Ids of the opinion and of the fact. */
  readonly opinion: string
  readonly fact: string
  readonly verdict: 'supports' | 'contradicts' | 'unrelated' | 'unsure'
  /** 0 to 1. */
  readonly strength: number
  readonly by: 'person' | 'model'
}

/** A number typed at some time, kept in a record; needed only to tell what an opinion was on earlier days. */
export interface RecordedAnchor {
  readonly opinion: string
  readonly confidence: number
  readonly day: string
  readonly absorbed: readonly string[]
}

/** An opinion whose line a person deleted, with the evidence that it had then. */
export interface DeletedOpinion {
  readonly opinion: string
  /** Ids of facts. */
  readonly evidence: readonly string[]
}

/** An opinion and a line that no rule decides about; a person or a model may. */
export interface UndecidedPair {
  readonly opinion: string
  readonly statement: string
  readonly fact: IndexedFact
}
