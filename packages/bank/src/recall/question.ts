import type { FactState } from '../facts/fact-registry.ts'
import { entityKeysOf, factsByEntity } from '../facts/facts-by-entity.ts'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import type { Entity } from '../entities/entities.ts'
import { namedOf } from './names-in-question.ts'
import type { StatedOpinion } from '../opinions/stated-opinions.ts'
import type { SlotValue } from '../values/slot-value.ts'
import type { RecallSettings } from './recall-settings.ts'

/** A question as it was read, with what the facts say about its subjects. */
export interface Question {
  readonly settings: RecallSettings
  readonly state: FactState
  readonly entities: readonly Entity[]
  /** Days asked for; both absent where the question names none. */
  readonly since?: string
  readonly until?: string
  /** True where they were given as conditions, and not read in the question. */
  readonly isWindowGiven: boolean
  readonly wish?: 'preference' | 'history'
  /** The question without names and days. */
  readonly rest: string
  /** The declared slot it asks for. */
  readonly slot?: string
  /** The opinion that a fact states or denies. */
  readonly opinionOf: (fact: IndexedFact) => StatedOpinion | undefined
  /** All values of declared slots. */
  readonly values: readonly SlotValue[]
  /** The day whose values count: the end of the days asked for, else today. */
  readonly day: string
}

export function hasWindow({ since, until }: Question): boolean {
  return since !== undefined || until !== undefined
}

/** Share of the question's entities that a fact is about, 0..1; 1 where the question names none. */
export function aboutShare(fact: IndexedFact, { entities, state }: Question): number {
  if (entities.length === 0) return 1
  const named = entityKeysOf(fact, state)
  const inText = new Set(namedOf(fact.content, entities, state.entities))
  return entities.filter((entity) => named.has(entity.key) || inText.has(entity)).length / entities.length
}

/** The facts that name one of the question's entities. */
export function factsAbout({ state, entities }: Question): readonly IndexedFact[] {
  const facts = factsByEntity(state)
  return [...new Set(entities.flatMap(({ key }) => facts.get(key) ?? []))]
}
