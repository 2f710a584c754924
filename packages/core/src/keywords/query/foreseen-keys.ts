import type { KeywordQuery } from './keyword-query.ts'
import { nameKeys } from './name-matches.ts'
import { keysOfTerm } from './weigh-query.ts'

/** Every key that a search for this query will look up, except those that match a prefix: words, names, phrases. */
export function foreseenKeys({ words, name, phrases }: KeywordQuery): readonly string[] {
  return [
    ...words.flatMap(({ terms, grams }) => [...terms, ...grams].flatMap(keysOfTerm)),
    ...nameKeys(name),
    ...phrases.flatMap(({ required }) => required.flat()),
  ]
}
