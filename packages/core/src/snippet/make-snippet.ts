import { ConfigError } from '@mnemark/spec'
import { graphemeCeiling, graphemeFloor } from '../text/grapheme-border.ts'
import { mergedRanges, orderedMatches, type WeightedMatch } from './match-window.ts'
import { type Range, shownParts } from './shown-parts.ts'
import { OMISSION, type VisibleText, visibleText } from './visible-text.ts'

export interface SnippetRequest {
  /** Text of a chunk, or any text. */
  readonly text: string
  /** Matches of the query, in characters of `text`, in any order. Without any the snippet is the beginning. */
  readonly matches: readonly WeightedMatch[]
  /** Most UTF-16 units of the snippet, omission marks included: 700, at least 20. */
  readonly maxCharacters?: number
  /** Ranges of `text` that are not shown (a chunk's `unindexed`), each replaced by an omission mark. */
  readonly hidden?: readonly (readonly [start: number, end: number])[]
}
export interface Snippet {
  readonly snippet: string
  /** Character ranges [start, end) of the snippet, sorted, apart, whole graphemes. */
  readonly highlights: readonly (readonly [start: number, end: number])[]
  /** Offsets in `text` where the shown text begins and ends. */
  readonly startOffset: number
  readonly endOffset: number
  /** Line in `text` of each line of the snippet, counted from 0. */
  readonly lineOffsets: readonly number[]
  /** Line of the best match (of the snippet's beginning without matches), counted from the first line of `text` as 0. */
  readonly lineOffset: number
}

const DEFAULT_MAX_CHARACTERS = 700
const LEAST_MAX_CHARACTERS = 20

/**
 * An excerpt around the most relevant group of matches, of whole lines where they fit, else sentences, words,
 * graphemes; with the best matching heading and the column names of its table, even where these are apart from it. Time
 * is linear in the text, even if it is one line. Throws ConfigError for a size below 20 or not whole.
 */
export function makeSnippet(request: SnippetRequest): Snippet {
  const maxCharacters = checkedSize(request.maxCharacters ?? DEFAULT_MAX_CHARACTERS)
  const shown = visibleText(request.text, request.hidden ?? [])
  const matches = orderedMatches(
    request.matches.map((match) => ({ ...match, start: shown.toVisible(match.start), end: shown.toVisible(match.end) })),
    shown.text.length,
  )
  const size = shown.text.length <= maxCharacters ? maxCharacters : maxCharacters - 2 * OMISSION.length
  const { parts, best } = shownParts(shown.text, matches, size)
  const lines = new LineNumbers(request.text, shown)
  const ranges = mergedRanges(matches)
  let snippet = ''
  const highlights: [start: number, end: number][] = []
  const lineOffsets: number[] = []
  let [from, reached] = [parts[0]?.start ?? 0, 0]
  for (const part of parts.map((range) => trimmed(shown.text, range))) {
    if (part.start >= part.end) continue
    if (snippet === '') from = part.start
    else snippet += '\n'
    if (hasText(shown.text, reached, part.start)) snippet += OMISSION
    const body = shown.text.slice(part.start, part.end).toWellFormed()
    const inside = ranges
      .filter(([start, end]) => end > part.start && start < part.end)
      .map(([start, end]) => [Math.max(start, part.start) - part.start, Math.min(end, part.end) - part.start] as const)
    for (const [start, end] of wholeGraphemes(body, inside)) highlights.push([start + snippet.length, end + snippet.length])
    lineOffsets.push(...lines.within(part))
    snippet += body
    reached = part.end
  }
  return {
    snippet: snippet + (hasText(shown.text, reached, shown.text.length) ? OMISSION : ''),
    highlights,
    startOffset: shown.toSource(from),
    endOffset: shown.toSource(Math.max(from, reached)),
    lineOffsets,
    lineOffset: lines.at(best?.start ?? from),
  }
}

/** Maps positions in visible text to lines of its source. */
class LineNumbers {
  readonly #breaks: number[] = []
  readonly #shown: VisibleText

  constructor(source: string, shown: VisibleText) {
    this.#shown = shown
    for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) this.#breaks.push(at)
  }

  /** Line of a visible position, from 0. */
  at(offset: number): number {
    const source = this.#shown.toSource(offset)
    let [low, high] = [0, this.#breaks.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#breaks[middle] ?? 0) < source) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Line of each visible line in a range. */
  within({ start, end }: Range): number[] {
    const lines = [this.at(start)]
    const { text } = this.#shown
    for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines.push(this.at(at + 1))
    return lines
  }
}

function checkedSize(maxCharacters: number): number {
  if (Number.isInteger(maxCharacters) && maxCharacters >= LEAST_MAX_CHARACTERS) return maxCharacters
  throw new ConfigError(
    'invalid-value',
    `snippet size: expected a whole number of characters from ${LEAST_MAX_CHARACTERS}, got ${String(maxCharacters)}`,
  )
}

/** Without blanks and omission marks at its ends; the marks are added again where text was left out. */
function trimmed(text: string, bounds: { readonly start: number; readonly end: number }): { start: number; end: number } {
  const isEdge = (position: number): boolean => /[\s…]/u.test(text.charAt(position))
  let { start, end } = bounds
  // A blank with a combining mark is not blank.
  while (start < end && isEdge(start) && graphemeFloor(text, start + 1) === start + 1) start += 1
  while (end > start && isEdge(end - 1)) end -= 1
  return { start, end }
}

function hasText(text: string, start: number, end: number): boolean {
  return /\S/u.test(text.slice(start, end))
}

/** Sorted ranges widened to whole graphemes, joined where they then touch. */
function wholeGraphemes(
  text: string,
  ranges: readonly (readonly [start: number, end: number])[],
): [start: number, end: number][] {
  const widened: [start: number, end: number][] = []
  for (const [from, to] of ranges) {
    const start = graphemeFloor(text, from)
    const end = graphemeCeiling(text, to)
    const previous = widened.at(-1)
    if (previous !== undefined && start < previous[1]) previous[1] = Math.max(previous[1], end)
    else widened.push([start, end])
  }
  return widened
}
