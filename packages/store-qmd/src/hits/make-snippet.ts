/** The displayed part of a text, with the query's words in it. */
export interface Snippet {
  readonly snippet: string
  readonly highlights: readonly (readonly [start: number, end: number])[]
  /** Lines of the text, counted from 0: of each displayed line, and of the one with most of the words. */
  readonly lineOffsets: readonly number[]
  readonly lineOffset: number
  /** Share of the query's words in the text, 0..1. */
  readonly share: number
}

const OMISSION = '…'
const WORD = /[\p{L}\p{M}\p{N}_]+/gu
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

interface FoundWord {
  readonly start: number
  readonly end: number
  /** Index of the query word. */
  readonly word: number
}

/** At most `maxCharacters` UTF-16 units around the window with the most different words of the query, cut between graphemes. */
export function makeSnippet(text: string, query: string, maxCharacters: number): Snippet {
  const words = [...new Set(query.toLowerCase().match(WORD))].filter((word) => word.length > 1 || /\P{ASCII}/u.test(word))
  const found = findWords(text, words)
  const bestLine = lineWithMost(text, found)
  const { snippet, start } = excerpt(text, stretchWithMost(found, maxCharacters) ?? 0, maxCharacters)
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length - 1
  const from = lineAt(start)
  return {
    snippet,
    highlights: merged(findWords(snippet, words)),
    lineOffsets: snippet.split('\n').map((_, at) => from + at),
    lineOffset: bestLine ?? from,
    share: words.length === 0 ? 0 : new Set(found.map(({ word }) => word)).size / words.length,
  }
}

/** Start of the shortest window with as many different words as any of this size; undefined where there is none. */
function stretchWithMost(found: readonly FoundWord[], size: number): number | undefined {
  const counts = new Map<number, number>()
  let best: { readonly start: number; readonly words: number; readonly width: number } | undefined
  let first = 0
  for (const [last, { end, word }] of found.entries()) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
    // Drops the first word while the window is too long with it, or holds it again.
    for (let opening = found[first]; opening !== undefined && first < last; opening = found[first]) {
      const count = counts.get(opening.word) ?? 0
      if (count === 1 && end - opening.start <= size) break
      if (count > 1) counts.set(opening.word, count - 1)
      else counts.delete(opening.word)
      first += 1
    }
    const start = found[first]?.start ?? 0
    const stretch = { start, words: counts.size, width: end - start }
    if (!best || stretch.words > best.words || (stretch.words === best.words && stretch.width < best.width)) best = stretch
  }
  return best?.start
}

function lineWithMost(text: string, found: readonly FoundWord[]): number | undefined {
  const wordsOf = new Map<number, Set<number>>()
  let [line, counted] = [0, 0]
  for (const { start, word } of found) {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < start; at = text.indexOf('\n', counted)) {
      line += 1
      counted = at + 1
    }
    wordsOf.set(line, (wordsOf.get(line) ?? new Set()).add(word))
  }
  const most = Math.max(0, ...[...wordsOf.values()].map(({ size }) => size))
  return [...wordsOf].find(([, { size }]) => size === most)?.[0]
}

function excerpt(text: string, at: number, maxCharacters: number): { readonly snippet: string; readonly start: number } {
  if (text.length <= maxCharacters) return { snippet: text, start: 0 }
  const room = Math.max(1, maxCharacters - 2 * OMISSION.length)
  const wanted = Math.max(0, Math.min(at - Math.floor(room / 3), text.length - room))
  const start = wanted === 0 ? 0 : borderBefore(text, wanted)
  const end = borderBefore(text, Math.min(text.length, start + room))
  // A single grapheme may be longer than the limit.
  const part = end > start ? text.slice(start, end) : ''
  const snippet = (start > 0 ? OMISSION : '') + part.trim() + (end < text.length ? OMISSION : '')
  return { snippet, start: start + part.length - part.trimStart().length }
}

/** Long enough for every real grapheme. */
const LONGEST_GRAPHEME = 64

function borderBefore(text: string, position: number): number {
  if (position >= text.length) return text.length
  const from = Math.max(0, position - LONGEST_GRAPHEME)
  const found = graphemes.segment(text.slice(from, position + LONGEST_GRAPHEME)).containing(position - from)
  return from + (found?.index ?? position - from)
}

/** In order of position. */
function findWords(text: string, words: readonly string[]): FoundWord[] {
  const lower = text.toLowerCase()
  // A few letters change their length with their case; then positions in the two texts differ.
  if (lower.length !== text.length) return []
  const found = words.flatMap((term, word) =>
    positionsOf(lower, term).map((start) => ({ start, end: start + term.length, word })),
  )
  return found.sort((left, right) => left.start - right.start)
}

function merged(found: readonly FoundWord[]): [start: number, end: number][] {
  const ranges: [number, number][] = []
  for (const { start, end } of found) {
    const last = ranges.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else ranges.push([start, end])
  }
  return ranges
}

function positionsOf(text: string, word: string): readonly number[] {
  const positions: number[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) positions.push(at)
  return positions
}
