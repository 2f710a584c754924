import type { SearchHit } from '@mnemark/spec'

/** The first hits whose snippets fit together into `maxCharacters`. */
export function capInjected(hits: readonly SearchHit[], maxCharacters: number | undefined): readonly SearchHit[] {
  if (maxCharacters === undefined) return hits
  let used = 0
  const fitting = hits.findIndex(({ snippet }) => (used += snippet.length) > maxCharacters)
  return fitting === -1 ? hits : hits.slice(0, fitting)
}
