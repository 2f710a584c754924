import { keywordIndex } from '@mnemark/core/keywords'
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
  const [best] = await keywordIndex(texts, { now: () => 0, timeZone: 'UTC' }).search(rest, { limit: 1 })
  return best === undefined || best.score < LEAST_SCORE ? undefined : names[Number(best.id.slice('slot '.length))]
}
