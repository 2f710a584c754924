/** Kinds of facts; `W`, `B`, `O` and `S` in a note. */
export type FactKind = 'world' | 'experience' | 'opinion' | 'observation'

/** The author that a line names; a line that names none was written by a person. */
export type FactAuthor = 'person' | 'agent' | 'model'

/** A name as a fact writes it: `@Mara`, `@"The Old Mill"`, `[[people/Mara|M.]]`. */
export interface FactEntity {
  /** Without `@`, quotes and brackets; the target of a link. */
  readonly name: string
  /** The form in which names are compared: folded, of a link its last part. */
  readonly key: string
  /** True for `[[…]]`. */
  readonly isLink: boolean
  /** The part after `#` in a link. */
  readonly part?: string
  /** The text that a link shows instead of its target. */
  readonly label?: string
}

export type RelationVerb = 'confirms' | 'contradicts' | 'corrects' | 'supersedes' | 'retracts'

/** `(corrects: ^ab12cd34ef)`: what a fact says about another one. */
export interface FactRelation {
  readonly verb: RelationVerb
  /** An id without `^`, a citation, or quoted text without its quotes. */
  readonly target: string
  readonly by: 'id' | 'quote' | 'citation'
}

/** Calendar days, YYYY-MM-DD, both inclusive. `isOpen`: valid since `from`, without an end. */
export interface FactDays {
  readonly from: string
  readonly to?: string
  readonly isOpen?: boolean
}

/** `  - Evidence: memory/2026-02-03.md` below a fact. */
export interface FactChild {
  readonly key: ChildKey
  readonly value: string
}

export type ChildKey =
  | 'evidence'
  | 'source'
  | 'confidence'
  | 'updated'
  | 'last reinforced'
  | 'valid'
  | 'status'
  | 'absorbed'
  | 'reason'
  | 'rule'
  | 'principle'
  | 'awaiting'

/** One fact of a note: what its lines say; `days` falls back to the day of the note. */
export interface Fact {
  /** Ten characters of base32: a hash of kind, days, entities, clock and content, never of its place or confidence. */
  readonly id: string
  readonly kind: FactKind
  /**
   * `retracted`: struck through. `forget`: an `F` line, a request to forget what it says, which deletes nothing. Absent
   * otherwise.
   */
  readonly state?: 'retracted' | 'forget'
  readonly entities: readonly FactEntity[]
  /** Entities named in the content alone. */
  readonly mentions: readonly FactEntity[]
  /** The text without head and trailers, on one line. */
  readonly content: string
  /** Struck text inside the content, replaced by the rest. */
  readonly earlier: readonly string[]
  /** 0 to 1; absent = unknown. */
  readonly confidence?: number
  /** The confidence that an opinion was first stated with, and the day. */
  readonly stated?: { readonly confidence: number; readonly day?: string }
  /** Days that the line itself names by a trailer or a mark. */
  readonly written?: FactDays
  /** `written`, else the days of the note or of the heading above; absent = undated. */
  readonly days?: FactDays
  /** HH:MM[:SS]. */
  readonly clock?: string
  readonly author: FactAuthor
  /** `P1`, `High`: marks in brackets before the letter. */
  readonly marks: readonly string[]
  readonly tags: readonly string[]
  /** Citations and links, as written. */
  readonly sources: readonly string[]
  readonly relations: readonly FactRelation[]
  /** The `^id` at the end of the line. */
  readonly blockId?: string
  readonly children: readonly FactChild[]
}

/** A fact and the lines it stands on, from 1, children included. */
export interface PlacedFact extends Fact {
  readonly startLine: number
  readonly endLine: number
  /** The version of the formula that the managed block of `bank/opinions.md` names, 0 where it names none; absent elsewhere. */
  readonly formula?: number
}
