import { type KeywordIndex, keywordIndex } from '@mnemark/core/keywords'
import type { Slot } from '../facts/slots.ts'

const LEAST_SCORE = 0.1

/** The declared slot that a question asks for, by the words of its name and phrases: "where does she live" asks for `lives in`. */
export async function askedSlot(rest: string, slots: readonly Slot[]): Promise<string | undefined> {
  const names = [...new Set(slots.map(({ name }) => name))]
  if (names.length === 0 || rest === '') return undefined
  const texts = names.map((name): [string, string] => [
    `slot ${names.indexOf(name)}`,
    [name, ...slots.filter((slot) => slot.name === name).flatMap(({ phrases }) => phrases)].join('\n'),
  ])
  const [best] = await indexOf(texts).search(rest, { limit: 1 })
  return best === undefined || best.score < LEAST_SCORE ? undefined : names[Number(best.id.slice('slot '.length))]
}

const MOST_INDEXES = 200
const indexes = new Map<string, KeywordIndex>()

/** Most questions ask about entities with the same slots. */
function indexOf(texts: readonly (readonly [string, string])[]): KeywordIndex {
  const key = JSON.stringify(texts)
  const index = indexes.get(key) ?? keywordIndex(texts, { now: () => 0, timeZone: 'UTC' })
  if (indexes.size >= MOST_INDEXES) indexes.clear()
  indexes.set(key, index)
  return index
}
