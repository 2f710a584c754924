import type { CallOptions, ChunkFilter, Degradation, SearchReply } from '@mnemark/spec'
import type { FactKind } from '../retain/fact.ts'
import type { DropReason } from '../packs/pack-facts.ts'

/** A question for the bank. Days are YYYY-MM-DD or everyday forms such as `2026-03`, `7d` and `yesterday`. */
export interface RecallQuery extends CallOptions {
  readonly text: string
  /** Most facts, from 1 to 100. */
  readonly limit?: number | undefined
  /** First and last day asked about, both inclusive; they replace days that the text names. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Only what was true on that day: facts and dated passages of later days are left out. */
  readonly asOf?: string | undefined
  /** Only what was known on that day: facts that were written down later are left out. */
  readonly knownOn?: string | undefined
  /** Names that the answer must be about, beside those that the text names. */
  readonly entities?: readonly string[] | undefined
  readonly kinds?: readonly RecalledKind[] | undefined
  /** Most tokens of text; 0 asks for nothing. */
  readonly budgetTokens?: number | undefined
  /** Also earlier, corrected and retracted facts, and every further line of one origin, as facts of their own. */
  readonly withHistory?: boolean | undefined
  /** Scope of the caller and further conditions: nothing outside it is read, counted or named. */
  readonly filter?: ChunkFilter | undefined
}

/** The kind of a fact, or `note` for a plain passage. */
export type RecalledKind = FactKind | 'note'

/** A fact that another one replaced or speaks about. */
export interface EarlierFact {
  readonly content: string
  readonly source: string
  readonly timestamp?: string
  readonly why: 'corrected' | 'superseded' | 'retracted' | 'earlier value' | 'proposed correction'
}

/** A line that speaks for or against an opinion. */
export interface RecalledEvidence {
  /** Citation. */
  readonly source: string
  readonly quote: string
  readonly timestamp?: string
}

/** Why an opinion has its confidence: at most two lines each way, the newest first, and the numbers of independent origins. */
export interface RecalledReasons {
  readonly for: readonly RecalledEvidence[]
  readonly against: readonly RecalledEvidence[]
  readonly groups: { readonly for: number; readonly against: number }
}

export interface RecalledFact {
  readonly kind: RecalledKind
  /** First and last valid day, inclusive, YYYY-MM-DD; both absent where undated, `until` also where it still holds. */
  readonly timestamp?: string
  readonly until?: string
  readonly entities: readonly string[]
  /** Without head and trailers; of a passage the bullet or sentence that answers. */
  readonly content: string
  /** Citation, `path#L12-L12`. */
  readonly source: string
  /** Hash of the cited lines; `read` finds them again by it after edits. */
  readonly quoteHash: string
  /** 0 to 1, comparable within one answer. */
  readonly score: number
  /** Tokens of `content`. */
  readonly tokens: number
  readonly factId?: string
  /** 0 to 1, of an opinion as its evidence has it; absent = unknown. */
  readonly confidence?: number
  /** The evidence of an opinion. */
  readonly evidence?: RecalledReasons
  readonly author?: 'person' | 'agent' | 'model'
  /** Property of the entity whose value this is, where one is declared. */
  readonly slot?: string
  /**
   * `closed`: replaced by a later fact. `retracted`: taken back. `turning`: an opinion whose five newest origins are all against it. Absent where
   * it stands.
   */
  readonly state?: 'closed' | 'retracted' | 'turning'
  /** Newest first. */
  readonly earlier?: readonly EarlierFact[]
}

export interface RecallReply extends Pick<SearchReply, 'mode' | 'provider' | 'model' | 'requestedProvider' | 'stale'> {
  /** Best first. */
  readonly facts: readonly RecalledFact[]
  readonly dropped: readonly { readonly source: string; readonly why: DropReason }[]
  readonly isOverBudget: boolean
  /** How the question was read. */
  readonly read: {
    readonly entities: readonly string[]
    readonly since?: string
    readonly until?: string
    readonly wish?: 'preference' | 'history'
  }
  /** Where nothing was found: the dated fact nearest to the question, so that no neighbour day is taken for the asked one. */
  readonly nearest?: RecalledFact
  readonly degraded: readonly Degradation[]
}
