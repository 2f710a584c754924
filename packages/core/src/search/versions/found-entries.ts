import { isTimelessPath } from '../../document/names/marks.ts'
import { type Entry, entriesOf } from '../../repeats/entries.ts'
import { type Wording, wordingOf } from '../../repeats/wording.ts'
import { foldWord } from '../../text/letters/fold.ts'
import type { Match } from '../highlight-matches.ts'
import type { LoadedChunk } from '../candidates/loaded-chunks.ts'

/** An entry of a chunk with its wording and its position. */
export interface FoundEntry extends LoadedChunk {
  readonly wording: Wording
  /** Lines of the file, from 1. */
  readonly startLine: number
  readonly endLine: number
  /** The entry's own day, else its chunk's, else its document's. */
  readonly day?: string | undefined
  readonly time?: string | undefined
  /** The heading above it, below the title of its note. */
  readonly section: string
  /** Folded words of the query with a digit that occur in it: another value there answers another question. */
  readonly askedValues: ReadonlySet<string>
}

export type Highlight = (text: string) => readonly Match[]

interface Judged {
  readonly entry: Entry
  readonly weight: number
}

/** The entry of a chunk that answers the query best, if it has enough values and words to have versions. */
export function bestEntry(loaded: LoadedChunk, highlight: Highlight): FoundEntry | undefined {
  const { text, unindexed } = loaded.chunk
  const entries = entriesOf(text, unindexed)
  const matches = highlight(text)
  const judged = entries.map((entry) => ({ entry, weight: weightOf(text, entry, matches) }))
  const best = Math.max(0, ...judged.map(({ weight }) => weight))
  // Without a common word, as where a vector or a heading found the chunk, only a single entry can be the one found.
  if (best === 0 && entries.length !== 1) return undefined
  return firstWorded(judged, best, loaded, matches)
}

function firstWorded(
  judged: readonly Judged[],
  best: number,
  loaded: LoadedChunk,
  matches: readonly Match[],
): FoundEntry | undefined {
  for (const { entry, weight } of judged) {
    if (weight < best) continue
    const found = foundEntry(loaded, entry, matches)
    if (found) return found
  }
  return undefined
}

export function entriesWorded(loaded: LoadedChunk, wording: Wording, highlight: Highlight): FoundEntry[] {
  const { text, unindexed } = loaded.chunk
  const alike = entriesOf(text, unindexed).filter((entry) => wordingOf(entry.text)?.text === wording.text)
  const matches = alike.length === 0 ? [] : highlight(text)
  return alike.flatMap((entry) => foundEntry(loaded, entry, matches) ?? [])
}

/** Weight of the query words in an entry: a word counts once, however often it occurs. */
function weightOf(text: string, { start, end }: Entry, matches: readonly Match[]): number {
  const weights = new Map<string, number>()
  for (const match of matches) {
    if (match.start < start || match.end > end) continue
    const word = foldWord(text.slice(match.start, match.end))
    weights.set(word, Math.max(weights.get(word) ?? 0, match.weight))
  }
  let sum = 0
  for (const weight of weights.values()) sum += weight
  return sum
}

function foundEntry(loaded: LoadedChunk, entry: Entry, matches: readonly Match[]): FoundEntry | undefined {
  const { chunk } = loaded
  const { start, end, heading } = entry
  const wording = wordingOf(entry.text)
  if (wording === undefined) return undefined
  const asked = matches
    .filter((match) => match.start >= start && match.end <= end)
    .map((match) => foldWord(chunk.text.slice(match.start, match.end)))
  const isDatedItself = wording.day !== undefined
  return {
    ...loaded,
    wording,
    ...linesInChunk(chunk, start, end),
    day: wording.day ?? dayOf(loaded),
    time: wording.time ?? (isDatedItself ? undefined : chunk.attributes.time),
    section: sectionOf(loaded, heading),
    askedValues: new Set(asked.filter((word) => /\p{Nd}/u.test(word))),
  }
}

/** A note edited by hand is valid as long as it exists, whatever its date; only a dated heading in it gives a day. */
function dayOf({ chunk, document }: LoadedChunk): string | undefined {
  const { from } = chunk.attributes
  return isTimelessPath(document.path) && from === document.from ? undefined : (from ?? document.from)
}

/** Lines of the file for characters [start, end) of a chunk. */
export function linesInChunk(
  chunk: LoadedChunk['chunk'],
  start: number,
  end: number,
): { readonly startLine: number; readonly endLine: number } {
  const before = lineBreaks(chunk.text, 0, start)
  const inside = lineBreaks(chunk.text, start, end)
  const isStraight = lineBreaks(chunk.text, 0, chunk.text.length) === chunk.endLine - chunk.startLine
  // Lines of a file converted from another format are not consecutive.
  if (!isStraight) return { startLine: chunk.startLine, endLine: chunk.endLine }
  return { startLine: chunk.startLine + before, endLine: chunk.startLine + before + inside }
}

function lineBreaks(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

function sectionOf({ chunk, document }: LoadedChunk, heading: string | undefined): string {
  if (heading !== undefined && /^#\s/.test(heading)) return ''
  if (heading !== undefined) return heading.replace(/^#+\s*|(?<!\s)\s+#+\s*$/g, '')
  return chunk.headingTrail.filter((part) => part !== document.title).at(-1) ?? ''
}
