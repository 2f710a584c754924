import type { Outline } from '@mnemark/core/document'

/** A line that opens or closes a block which a program keeps up to date; `line` counts from 0. */
export interface MarkerLine {
  readonly line: number
  readonly isStart: boolean
}

/** Lines, from 1, both inclusive. */
export interface LineRange {
  readonly startLine: number
  readonly endLine: number
}

const NAME = 'mnemark:bank:'
const MARKER = /^[ \t]*(<!--)[ \t]*mnemark:bank:(start|end)\b/

/** The markers of managed blocks. One in a fence, in a quote, inside another comment or in the middle of a line is plain text. */
export function markerLines(text: string, outline: Pick<Outline, 'starts' | 'ends' | 'unindexed'>): readonly MarkerLine[] {
  if (!text.includes(NAME)) return []
  const comments = new Set(outline.unindexed.map(({ start }) => start))
  return outline.starts.flatMap((start, line) => {
    const [whole = '', , word] = MARKER.exec(text.slice(start, outline.ends[line])) ?? []
    const isComment = whole !== '' && comments.has(start + whole.indexOf('<'))
    return isComment ? [{ line, isStart: word === 'start' }] : []
  })
}

/**
 * The lines between markers, and the markers: derived text, never facts. A block that is not closed goes on to the next marker, or to the
 * end of the note; a closing marker alone closes nothing.
 */
export function managedLines(text: string, outline: Outline): readonly LineRange[] {
  const markers = markerLines(text, outline)
  const ranges: LineRange[] = []
  const open: number[] = []
  for (const [at, { line, isStart }] of markers.entries()) {
    const start = isStart ? undefined : markers[open.pop() ?? -1]
    if (isStart) open.push(at)
    else if (start !== undefined) ranges.push({ startLine: start.line + 1, endLine: line + 1 })
  }
  for (const at of open) {
    const startLine = (markers[at]?.line ?? 0) + 1
    ranges.push({ startLine, endLine: markers[at + 1]?.line ?? outline.starts.length })
  }
  return ranges.toSorted((left, right) => left.startLine - right.startLine || right.endLine - left.endLine).reduce(outermost, [])
}

/** Ranges in the order of their starts: one inside the last one adds nothing. */
function outermost(kept: readonly LineRange[], range: LineRange): readonly LineRange[] {
  return range.startLine <= (kept.at(-1)?.endLine ?? 0) ? kept : [...kept, range]
}
