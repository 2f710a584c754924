import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'

/** One value of a slot and the days on which it held. */
export interface SlotValue {
  readonly slot: string
  /** Folded name of the entity: `Entity.key`. */
  readonly entity: string
  /** `Bergen`, as the fact writes it. */
  readonly value: string
  /** The facts that state it, the first one first. */
  readonly facts: readonly [IndexedFact, ...IndexedFact[]]
  /** First day; absent where no fact says when it began. */
  readonly from?: string
  /** Last day, inclusive; absent where it still holds. */
  readonly to?: string
  /** The fact that ended it, or says that it never held. */
  readonly closedBy?: IndexedFact
  /** True where a correction or a retraction says that it never held. */
  readonly isVoid: boolean
}
