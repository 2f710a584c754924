import { nearNames } from '@mnemark/core/near-names'
import type { Entity } from '../entities/entities.ts'
import { type MergeSuggestion, suggestMerges } from '../entities/suggest-merges.ts'
import type { FactState } from './fact-registry.ts'
import { entityKeysOf, factsByEntity } from './facts-by-entity.ts'
import type { IndexedFact } from './chunks/facts-of-chunks.ts'
import { linkLabels, withLabels } from './link-labels.ts'
import { compareText } from '../retain/compare-text.ts'

/** An entity and how much is known of it. */
export interface ListedEntity {
  readonly name: string
  /** The file name that its page has or would have, without ending. */
  readonly slug: string
  readonly aliases: readonly string[]
  /** Facts that name it, copies left out; opinions among them. */
  readonly facts: number
  readonly opinions: number
  /** First and last day of them, YYYY-MM-DD; absent where none is dated. */
  readonly first?: string
  readonly last?: string
  /** Path of its page. */
  readonly page?: string
}

/** One entity with its facts, the newest first, and the names that may be the same. */
export interface EntityDetails extends ListedEntity {
  readonly known: readonly IndexedFact[]
  /** Names that a person may declare to be the same, with the reason. */
  readonly suggestions: readonly { readonly name: string; readonly why: MergeSuggestion['why'] }[]
}

/** All entities, those of most facts first, then by name. */
export function listEntities(state: FactState): readonly ListedEntity[] {
  return state.entities
    .all()
    .map((entity) => listEntity(state, entity))
    .sort((left, right) => right.facts - left.facts || compareText(left.name, right.name))
}

/** One of them. */
export function listEntity(state: FactState, entity: Entity): ListedEntity {
  return listed(entity, originalsOf(entity, state))
}

/** The entity of a name, by any of its names. */
export function findEntity(state: FactState, name: string): EntityDetails | undefined {
  const entity = state.entities.find(name)
  if (entity === undefined) return undefined
  const known = originalsOf(entity, state).toSorted(
    (left, right) =>
      compareText(right.days?.from ?? '', left.days?.from ?? '') ||
      compareText(left.path, right.path) ||
      left.startLine - right.startLine,
  )
  return { ...listed(entity, known), known, suggestions: suggestionsFor(entity, state) }
}

function suggestionsFor({ key }: Entity, state: FactState): EntityDetails['suggestions'] {
  const labels = linkLabels(state)
  const all = withLabels(state.entities, labels).all()
  const nameOf = new Map(all.flatMap((entity) => entity.keys.map((one) => [one, entity] as const)))
  return suggestMerges(all, { together: namedTogether(state), labels }).flatMap(({ keys, why }) => {
    const others = keys.map((one) => nameOf.get(one)).filter((one) => one !== undefined && one.key !== key)
    return others.length === 1 ? others.flatMap((one) => (one === undefined ? [] : { name: one.name, why })) : []
  })
}

/** Names that are near to one that nobody has, at most three; never one that differs in a digit. */
export function nearEntities(state: FactState, name: string): readonly string[] {
  const digits = digitsOf(name)
  const names = state.entities.all().flatMap((entity) => [entity.name, ...entity.aliases])
  return nearNames(
    name,
    names.filter((one) => digitsOf(one) === digits),
  )
}

function originalsOf({ key }: Entity, state: FactState): readonly IndexedFact[] {
  return (factsByEntity(state).get(key) ?? []).filter(({ isCopy }) => !isCopy)
}

function listed(entity: Entity, facts: readonly IndexedFact[]): ListedEntity {
  const { name, slug, aliases, page } = entity
  const days = facts.flatMap(({ days: own }) => (own === undefined ? [] : [own.from, own.to ?? own.from])).toSorted()
  const [first, last] = [days[0], days.at(-1)]
  return {
    name,
    slug,
    aliases,
    facts: facts.length,
    opinions: facts.filter(({ kind }) => kind === 'opinion').length,
    ...(first !== undefined && { first }),
    ...(last !== undefined && { last }),
    ...(page !== undefined && { page }),
  }
}

/** For each entity those that facts name beside it. */
function namedTogether(state: FactState): ReadonlyMap<string, ReadonlySet<string>> {
  const together = new Map<string, Set<string>>()
  for (const fact of state.facts) {
    const keys = entityKeysOf(fact, state)
    for (const key of keys) {
      const others = together.get(key) ?? new Set()
      together.set(key, others)
      for (const other of keys) if (other !== key) others.add(other)
    }
  }
  return together
}

function digitsOf(name: string): string {
  return (name.normalize('NFKC').match(/\p{N}+/gu) ?? []).join(' ')
}
