import { keyOf } from '../format/channels.ts'
import type { KeywordReader } from '../read/keyword-reader.ts'
import { type NameKind, nameTerm } from '../terms/name-terms.ts'
import type { QueryName } from './keyword-query.ts'
import { PostingList } from '../read/posting-list.ts'

/** How a query names a note or section; `words`: the query is a part of the name. */
export type NameMatch = 'exact' | 'name' | 'stem' | 'title' | 'alias' | 'heading' | 'words'

type Whole = Exclude<NameKind, 'word'>
const MATCH_OF: Readonly<Record<Whole, NameMatch>> = {
  path: 'exact',
  base: 'name',
  stem: 'stem',
  title: 'title',
  alias: 'alias',
  heading: 'heading',
}
/** A name shared by more notes than this is a habit of its folder (`README`, `Tasks`), not a name to search by. */
const MAX_SHARING: Readonly<Record<NameMatch, number>> = {
  exact: 500,
  name: 500,
  stem: 500,
  title: 30,
  alias: 30,
  heading: 20,
  words: 20,
}

function keysOf(name: QueryName): readonly { readonly match: NameMatch; readonly keys: readonly string[] }[] {
  // Object.entries widens the keys of a full record to string.
  return (Object.entries(MATCH_OF) as [Whole, NameMatch][]).map(([kind, match]) => {
    const isSpelled = kind === 'path' || kind === 'base' || kind === 'stem'
    const values = isSpelled ? [name.path].filter((path) => path !== '') : name.keys
    return { match, keys: values.map((value) => keyOf('title', nameTerm(kind, value))) }
  })
}

function wordKeys({ words }: QueryName): readonly (readonly string[])[] {
  return words.map((forms) => forms.map((form) => keyOf('title', form)))
}

/** Every key that `nameMatches` looks up. */
export function nameKeys(name: QueryName): readonly string[] {
  return [...new Set([...keysOf(name).flatMap(({ keys }) => keys), ...wordKeys(name).flat()])]
}

/** Most chunks that lead by one kind of name match. */
const MAX_NAMED = 60

/** The first chunk of a note that passes. A note's chunks are adjacent, so none is read for it. */
function firstPassing(reader: KeywordReader, first: number, accepts: Accepts): number | undefined {
  for (let ordinal = first; ordinal === first || (ordinal < reader.size && !reader.isFirst(ordinal)); ordinal += 1)
    if (accepts(reader.idOf(ordinal))) return ordinal
  return undefined
}

type Accepts = (chunkId: number) => boolean

/**
 * Chunks whose note or section the query names, by their strongest match: the first chunk of a note that passes
 * `accepts`, or the one with the heading of a section. Only notes that pass count as sharing a name.
 */
export async function nameMatches(
  reader: KeywordReader,
  name: QueryName,
  accepts: Accepts = () => true,
): Promise<ReadonlyMap<number, NameMatch>> {
  const wholes = keysOf(name)
  const words = wordKeys(name)
  const found = await reader.postings(nameKeys(name))
  const lists = (keys: readonly string[]) => keys.flatMap((key) => found.get(key) ?? [])
  const matches = new Map<number, NameMatch>()
  const add = (match: NameMatch, ordinals: readonly number[]): void => {
    const passing = ordinals.flatMap((ordinal) => {
      if (match === 'heading') return accepts(reader.idOf(ordinal)) ? [ordinal] : []
      return firstPassing(reader, ordinal, accepts) ?? []
    })
    if (passing.length > MAX_SHARING[match]) return
    const leading = passing.length > MAX_NAMED ? passing.sort((left, right) => reader.compareEquals(left, right)) : passing
    for (const id of leading.slice(0, MAX_NAMED).map((ordinal) => reader.idOf(ordinal)))
      if (!matches.has(id)) matches.set(id, match)
  }
  for (const { match, keys } of wholes) {
    const [first, ...others] = lists(keys)
    if (first) add(match, [...PostingList.unite([first, ...others]).toPostings().ordinals])
  }
  add('words', chunksWithAll(words.map(lists)))
  return matches
}

/** Chunks with at least one of each group of lists. */
function chunksWithAll(required: readonly (readonly PostingList[])[]): readonly number[] {
  if (required.length === 0 || required.some((lists) => lists.length === 0)) return []
  const [rarest, ...others] = required.map((lists) => PostingList.unite(lists)).sort((left, right) => left.count - right.count)
  if (!rarest) return []
  return [...rarest.toPostings().ordinals].filter((ordinal) => others.every((list) => list.frequencyAt(ordinal) > 0))
}
