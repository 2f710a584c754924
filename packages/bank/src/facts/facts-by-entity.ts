import type { FactState } from './fact-registry.ts'
import type { IndexedFact } from './chunks/facts-of-chunks.ts'

const grouped = new WeakMap<FactState, ReadonlyMap<string, readonly IndexedFact[]>>()

/** The facts of each entity, by its key, in the order of their places: those that name it in their head or in their text, by `@` or a link. */
export function factsByEntity(state: FactState): ReadonlyMap<string, readonly IndexedFact[]> {
  const groups = grouped.get(state) ?? groupsOf(state)
  grouped.set(state, groups)
  return groups
}

/** Keys of the entities that a fact names. */
export function entityKeysOf(fact: IndexedFact, { entities }: Pick<FactState, 'entities'>): ReadonlySet<string> {
  return new Set([...fact.entities, ...fact.mentions].map(({ key }) => entities.find(key)?.key ?? key))
}

function groupsOf(state: FactState): ReadonlyMap<string, readonly IndexedFact[]> {
  const groups = new Map<string, IndexedFact[]>()
  for (const fact of state.facts) {
    for (const key of entityKeysOf(fact, state)) {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [fact])
      else group.push(fact)
    }
  }
  return groups
}
