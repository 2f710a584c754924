import { datedBy } from '@mnemark/core/document'
import type { IndexedFact } from '../facts/chunks/facts-of-chunks.ts'
import { compareText } from '../retain/compare-text.ts'

/** The day on which a line was written, as far as its note says it: a day that the line itself names may be another. */
export function sourceDayOf({ written, days, path }: IndexedFact): string | undefined {
  return written === undefined ? days?.from : (datedBy(path, { dates: [], headings: [] })?.from ?? days?.from)
}

/** Oldest first, undated ones before all; never by the order of the index. */
export function compareAge(left: IndexedFact, right: IndexedFact): number {
  return (
    compareText(left.days?.from ?? '', right.days?.from ?? '') ||
    compareText(left.clock ?? '', right.clock ?? '') ||
    compareText(left.path, right.path) ||
    left.startLine - right.startLine ||
    compareText(left.id, right.id)
  )
}
