import type { ChunkFilter, SearchQuery } from '@mnemark/spec'
import picomatch from 'picomatch'

/** Filters on data that our own index has and QMD does not. */
const UNKNOWN_TO_QMD = ['since', 'until', 'asOf', 'kinds', 'entities', 'tags', 'sessions', 'audiences'] as const

/** The filters of a query that QMD cannot apply. */
export function unknownFilters({ all = [], ...filter }: ChunkFilter = {}): readonly string[] {
  return [...new Set([...UNKNOWN_TO_QMD.filter((name) => filter[name] !== undefined), ...all.flatMap(unknownFilters)])]
}

/** Whether a text has nothing to search: blanks, signs, exclusions alone. */
export function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text.replaceAll(/(?<=^|\s)-(?=\p{L})\S+/gu, ' '))
}

/** Whether a document passes the filters on source and path. */
export function placeFilter(filter: ChunkFilter = {}): (source: string, path: string) => boolean {
  const { sources, paths, excludePaths, all = [] } = filter
  // A name may hold a line break.
  const options = { dot: true, flags: 's' }
  const isIn = paths && picomatch([...paths], options)
  const isOut = picomatch([...(excludePaths ?? [])], options)
  const others = all.map(placeFilter)
  return (source, path) =>
    (sources?.includes(source) ?? true) &&
    (isIn === undefined || paths?.includes(path) || isIn(path)) &&
    !isOut(path) &&
    others.every((passes) => passes(source, path))
}

/** Filters or results may drop hits, so more are requested. */
export function askedLimit({ filter }: SearchQuery, limit: number): number {
  const isFiltered = Object.values(filter ?? {}).some((value) => value !== undefined)
  return isFiltered ? 500 : Math.max(limit * 2, limit + 10)
}
