import type { IndexedFact } from '../facts/facts-of-chunks.ts'

/** A property of an entity that has one value at a time, and what its facts begin with. */
export interface Slot {
  /** `home`. */
  readonly name: string
  /** `lives in`, `moved to`: a fact whose content begins with one of them states a value. */
  readonly phrases: readonly string[]
}

/** One value of a slot and the days on which it held. */
export interface SlotValue {
  readonly slot: string
  /** Folded name of the entity: `Entity.key`. */
  readonly entity: string
  /** `Bergen`, as the fact writes it. */
  readonly value: string
  readonly fact: IndexedFact
  /** First day; absent where no fact says when it began. */
  readonly from?: string
  /** Last day, inclusive; absent where it still holds. */
  readonly to?: string
  /** The fact that ended it. */
  readonly closedBy?: IndexedFact
}
