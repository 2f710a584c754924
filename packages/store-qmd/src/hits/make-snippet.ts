/** The part of a text shown, and where the words of the query stand in it. */
export interface Snippet {
  readonly snippet: string
  readonly highlights: readonly (readonly [start: number, end: number])[]
}

const OMISSION = '…'
const WORD = /[\p{L}\p{M}\p{N}_]+/gu
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** At most `maxCharacters` UTF-16 units around the first word of the query, cut between characters as people see them. */
export function makeSnippet(text: string, query: string, maxCharacters: number): Snippet {
  const words = [...new Set(query.toLowerCase().match(WORD))].filter((word) => word.length > 1 || /\P{ASCII}/u.test(word))
  const first = Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0))
  const shown = excerpt(text, Number.isFinite(first) ? first : 0, maxCharacters)
  return { snippet: shown, highlights: findWords(shown, words) }
}

function excerpt(text: string, at: number, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const room = Math.max(1, maxCharacters - 2 * OMISSION.length)
  const wanted = Math.max(0, Math.min(at - Math.floor(room / 3), text.length - room))
  const start = wanted === 0 ? 0 : borderBefore(text, wanted)
  const end = borderBefore(text, Math.min(text.length, start + room))
  // One character as people see it may be longer than all that may be shown.
  const part = end > start ? text.slice(start, end) : ''
  return (start > 0 ? OMISSION : '') + part.trim() + (end < text.length ? OMISSION : '')
}

/** Long enough for every character that people write. */
const LONGEST_GRAPHEME = 64

function borderBefore(text: string, position: number): number {
  if (position >= text.length) return text.length
  const from = Math.max(0, position - LONGEST_GRAPHEME)
  const found = graphemes.segment(text.slice(from, position + LONGEST_GRAPHEME)).containing(position - from)
  return from + (found?.index ?? position - from)
}

function findWords(text: string, words: readonly string[]): [start: number, end: number][] {
  const lower = text.toLowerCase()
  // A few letters change their length with their case; positions in one text are none in the other then.
  if (lower.length !== text.length) return []
  const found = words.flatMap((word) => positionsOf(lower, word).map((start): [number, number] => [start, start + word.length]))
  const merged: [number, number][] = []
  for (const [start, end] of found.sort((left, right) => left[0] - right[0])) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}

function positionsOf(text: string, word: string): readonly number[] {
  const positions: number[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) positions.push(at)
  return positions
}
