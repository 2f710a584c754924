import { contentKey } from '../retain/fact-id.ts'
import type { Fact } from '../retain/fact.ts'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'

/** Equal for facts that say the same about the same entities, on whatever day: values, digits and negations all count. */
export function statementKey(fact: Pick<Fact, 'entities' | 'content'>, keyOf: (key: string) => string = (key) => key): string {
  const names = [...new Set(fact.entities.map(({ key }) => keyOf(key)))].sort()
  return JSON.stringify([names, contentKey(fact.content)])
}

/**
 * Equal for lines of one origin: one author on one day, in whatever notes. A copy has the origin of what it copies, which
 * is the oldest line of its statement.
 */
export function originKey(fact: Pick<IndexedFact, 'author' | 'days' | 'path' | 'isCopy'>): string {
  if (fact.isCopy) return 'copy'
  return JSON.stringify([fact.author, fact.days?.from ?? fact.path])
}
