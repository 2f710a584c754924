import { distance } from 'fastest-levenshtein'

/** The word most like what was typed; undefined where none is near. `least` letters may differ in a word of four and more, whatever its length. */
export function nearestWord(typed: string, words: readonly string[], least: number): string | undefined {
  // A third of the letters may differ (two are a swap): more is another word.
  const bound = Math.max(typed.length < 4 ? 1 : least, Math.floor(typed.length / 3))
  const ranked = words.map((word) => ({ word, edits: editsBetween(typed, word) }))
  ranked.sort((left, right) => left.edits - right.edits)
  const best = ranked[0]
  return best !== undefined && best.edits <= bound ? best.word : undefined
}

/** Letters to change, add or take away; capitals count as small ones. */
export function editsBetween(left: string, right: string): number {
  return distance(left.toLowerCase(), right.toLowerCase())
}
