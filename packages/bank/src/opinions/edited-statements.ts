import { holdsNegation } from '../facts/negations.ts'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { contentKey } from '../retain/fact-id.ts'
import { isOwnLine } from './own-line.ts'
import { undatedId } from './compute-opinion.ts'

/** Share of words that an edited statement keeps where it stays the same opinion. */
const LEAST_KEPT = 0.8
const FACT_ID = /^[0-9a-hjkmnp-tv-z]{10}$/

/** A line of the page whose statement is no longer the one that its id was made of. */
export interface EditedStatement {
  readonly line: IndexedFact
  /** The id that the line carries. */
  readonly id: string
  /** A line that still says what it said before. */
  readonly before?: IndexedFact
  /** True where it is the same opinion in other words; the same polarity, the same numbers, four of five words. */
  readonly isSame: boolean
}

/** The lines of the page whose statement somebody edited, by the id that each carries. */
export function editedStatements(facts: readonly IndexedFact[]): readonly EditedStatement[] {
  const edited = facts.filter((fact) => isOwnLine(fact) && FACT_ID.test(fact.blockId ?? '') && idOf(fact) !== fact.blockId)
  if (edited.length === 0) return []
  const byId = new Map<string, IndexedFact>()
  for (const fact of facts) if (fact.kind === 'opinion' && !byId.has(idOf(fact))) byId.set(idOf(fact), fact)
  return edited.map((line) => {
    const id = line.blockId ?? ''
    const before = byId.get(id)
    return { line, id, ...(before !== undefined && { before }), isSame: before === undefined || isSameOpinion(before, line) }
  })
}

const ids = new WeakMap<IndexedFact, string>()

function idOf(fact: IndexedFact): string {
  const id = ids.get(fact) ?? undatedId(fact)
  ids.set(fact, id)
  return id
}

function isSameOpinion(before: IndexedFact, after: IndexedFact): boolean {
  const keysOf = ({ entities }: IndexedFact): string => JSON.stringify(entities.map(({ key }) => key).toSorted())
  if (keysOf(before) !== keysOf(after) || holdsNegation(before.content) !== holdsNegation(after.content)) return false
  const [one, other] = [wordsOf(before), wordsOf(after)]
  const kept = [...one].filter((word) => other.has(word))
  const numbers = [...one, ...other].filter((word) => /\p{Nd}/u.test(word))
  return numbers.every((word) => one.has(word) && other.has(word)) && kept.length / Math.max(one.size, other.size) >= LEAST_KEPT
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu

function wordsOf({ content }: IndexedFact): ReadonlySet<string> {
  return new Set(contentKey(content).match(UNSPACED))
}
