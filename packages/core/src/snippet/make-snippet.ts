import { ConfigError } from '@mnemark/spec'
import { excerptBounds } from './excerpt-bounds.ts'
import { graphemeCeiling, graphemeFloor } from './grapheme-border.ts'
import { densestWindow, mergedMatches, type WeightedMatch } from './match-window.ts'
import { OMISSION, visibleText } from './visible-text.ts'

export interface SnippetRequest {
  /** Text of a chunk, or any text. */
  readonly text: string
  /** What answers the query, in characters of `text`, in any order. Without any the snippet is the beginning. */
  readonly matches: readonly WeightedMatch[]
  /** Most UTF-16 units of the snippet, omission marks included: 700, at least 20. */
  readonly maxCharacters?: number
  /** Ranges of `text` that are not shown (a chunk's `unindexed`): an omission mark stands for each. */
  readonly hidden?: readonly (readonly [start: number, end: number])[]
}
export interface Snippet {
  readonly snippet: string
  /** Character ranges [start, end) of the snippet, sorted, apart, whole graphemes. */
  readonly highlights: readonly (readonly [start: number, end: number])[]
  /** The part [startOffset, endOffset) of `text` the snippet shows. */
  readonly startOffset: number
  readonly endOffset: number
  /** Line of the best match (of the snippet's beginning without matches), counted from the first line of `text` as 0. */
  readonly lineOffset: number
}

const DEFAULT_MAX_CHARACTERS = 700
const LEAST_MAX_CHARACTERS = 20

/**
 * An excerpt around the matches that weigh most together, of whole lines where they fit, else sentences, words, graphemes.
 * Time is linear in the text, also where it is one line. Throws ConfigError for a size below 20 or not whole.
 */
export function makeSnippet(request: SnippetRequest): Snippet {
  const maxCharacters = checkedSize(request.maxCharacters ?? DEFAULT_MAX_CHARACTERS)
  const shown = visibleText(request.text, request.hidden ?? [])
  const matches = mergedMatches(
    request.matches.map(({ start, end, weight }) => ({ start: shown.toVisible(start), end: shown.toVisible(end), weight })),
    shown.text.length,
  )
  const size = shown.text.length <= maxCharacters ? maxCharacters : maxCharacters - 2 * OMISSION.length
  const window = densestWindow(matches, size)
  const bounds = trimmed(shown.text, excerptBounds(shown.text, window ?? { start: 0, end: 0 }, size))
  const before = hasText(shown.text, 0, bounds.start) ? OMISSION : ''
  const after = hasText(shown.text, bounds.end, shown.text.length) ? OMISSION : ''
  const body = shown.text.slice(bounds.start, bounds.end).toWellFormed()
  const inside = matches
    .filter(({ start, end }) => end > bounds.start && start < bounds.end)
    .map(({ start, end }) => [Math.max(start, bounds.start) - bounds.start, Math.min(end, bounds.end) - bounds.start] as const)
  return {
    snippet: before + body + after,
    highlights: wholeGraphemes(body, inside).map(([start, end]) => [start + before.length, end + before.length] as const),
    startOffset: shown.toSource(bounds.start),
    endOffset: shown.toSource(bounds.end),
    lineOffset: linesBefore(request.text, shown.toSource(window?.best.start ?? bounds.start)),
  }
}

function checkedSize(maxCharacters: number): number {
  if (Number.isInteger(maxCharacters) && maxCharacters >= LEAST_MAX_CHARACTERS) return maxCharacters
  throw new ConfigError(
    'invalid-value',
    `snippet size: expected a whole number of characters from ${LEAST_MAX_CHARACTERS}, got ${String(maxCharacters)}`,
  )
}

/** Without blanks and omission marks at its ends; those marks are put back where text was left out. */
function trimmed(text: string, bounds: { readonly start: number; readonly end: number }): { start: number; end: number } {
  const isEdge = (position: number): boolean => /[\s…]/u.test(text.charAt(position))
  let { start, end } = bounds
  // A blank with a combining mark on it is no blank.
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

function linesBefore(text: string, offset: number): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
