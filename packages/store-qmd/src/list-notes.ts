import { ConfigError, type ListedNote, type ListQuery, type ListReply } from '@mnemark/spec'
import type { Listing } from './collections/list-files.ts'
import type { QmdCollection } from './collections/qmd-collection.ts'
import { placeOf } from './hits/result-place.ts'
import { placeFilter } from './query-rules.ts'

/**
 * One page of the files QMD would index. It knows neither their days nor their tags, so `newest` is ordered by path
 * too, and there are no tags to count.
 */
export function listNotes(
  { files }: Pick<Listing, 'files'>,
  collections: readonly QmdCollection[],
  { filter, order = 'newest', limit = 100, after, tags }: Omit<ListQuery, 'caller'>,
): Pick<ListReply, 'notes' | 'total' | 'tags' | 'next'> {
  if (order !== 'newest' && order !== 'path')
    throw new ConfigError('invalid-value', `order: expected "newest" or "path", got ${JSON.stringify(order)}`)
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 1_000))
    throw new ConfigError('invalid-value', `limit: expected a whole number from 1 to 1000, got ${JSON.stringify(limit)}`)
  const begin = after === undefined ? null : readCursor(after)
  const passes = placeFilter(filter)
  const all = [...files].flatMap(([file, stamp]) => {
    const place = placeOf(file, collections, [])
    if (place === null || !passes(place.collection.source, place.shown)) return []
    return [{ key: keyOf(place.shown, place.collection.source), note: noteOf(place.collection.source, place.shown, stamp) }]
  })
  all.sort((left, right) => Buffer.compare(left.key, right.key))
  const rest = begin === null ? all : all.filter(({ key }) => Buffer.compare(key, begin) > 0)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return {
    notes: page.map(({ note }) => note),
    total: all.length,
    ...(tags === true && { tags: [] }),
    ...(last !== undefined && rest.length > page.length && { next: last.key.toString('base64url') }),
  }
}

/** By path in UTF-8 bytes, then source. */
function keyOf(path: string, source: string): Buffer {
  return Buffer.from(`${path}\0${source}`, 'utf8')
}

function readCursor(cursor: string): Buffer {
  const key = Buffer.from(String(cursor), 'base64url')
  if (key.includes(0)) return key
  throw new ConfigError('invalid-value', 'after: expected the `next` of a list, as it came')
}

function noteOf(source: string, path: string, stamp: string): ListedNote {
  const [size, modifiedAtMs] = stamp.split(':').map(Number)
  return {
    source,
    path,
    tags: [],
    marks: [],
    ...(size !== undefined && { size }),
    ...(modifiedAtMs !== undefined && { modifiedAt: new Date(modifiedAtMs).toISOString() }),
  }
}
