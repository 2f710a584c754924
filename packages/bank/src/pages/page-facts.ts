import type { Entity } from '../entities/entities.ts'
import type { FactState } from '../facts/fact-registry.ts'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { statementKey } from '../packs/statement.ts'
import { compareText } from '../retain/compare-text.ts'

/** A fact that a person deleted from the block of a page. It stays in its note, and away from that page. */
export interface Tombstone {
  /** Path of the page. */
  readonly path: string
  /** Id of the fact. */
  readonly fact: string
}

/** Facts of one kind that say the same about the same entities, the oldest first. */
export type Statement = readonly [IndexedFact, ...IndexedFact[]]

/** Facts as they say the same: with names resolved, each list by day and place, never by the order of the index. */
export function statementsOf(facts: readonly IndexedFact[], { entities }: Pick<FactState, 'entities'>): readonly Statement[] {
  const keyOf = (key: string): string => entities.find(key)?.key ?? key
  const groups = new Map<string, [IndexedFact, ...IndexedFact[]]>()
  for (const fact of facts.toSorted(byAge)) {
    const key = `${fact.kind} ${statementKey(fact, keyOf)}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [fact])
    else group.push(fact)
  }
  return [...groups.values()]
}

/** By first day, undated ones first; then by id and place. */
export function byAge(left: IndexedFact, right: IndexedFact): number {
  return (
    compareText(left.days?.from ?? '', right.days?.from ?? '') ||
    compareText(left.clock ?? '', right.clock ?? '') ||
    compareText(left.id, right.id) ||
    compareText(left.path, right.path) ||
    left.startLine - right.startLine
  )
}

/** The newest statement first, by the last fact of each. */
export function newestFirst(left: Statement, right: Statement): number {
  return byAge(right.at(-1) ?? right[0], left.at(-1) ?? left[0])
}

const ENDING: ReadonlySet<string> = new Set(['corrects', 'supersedes', 'retracts'])

/** Whether a fact holds no longer: struck through, a request to forget, or ended by another that may end it. */
export function isClosed(fact: IndexedFact, { corrections }: Pick<FactState, 'corrections'>): boolean {
  if (fact.state !== undefined) return true
  return (corrections.of.get(fact) ?? []).some(({ verb, isProposal }) => ENDING.has(verb) && !isProposal)
}

/** Whether a fact names this entity alone, as what it is about. */
export function isAboutAlone(fact: IndexedFact, entity: Entity | undefined): boolean {
  const [only, ...others] = fact.entities
  return entity !== undefined && others.length === 0 && only !== undefined && entity.keys.includes(only.key)
}
