import type { DocumentContent, DocumentId } from '@mnemark/spec'
import { calendarDay, dayNumber, partsOfDay } from '../dates/calendar/calendar-day.ts'
import type { DateOrder } from '../dates/forms/date-matcher.ts'
import { baseNameOf } from './names/base-name.ts'
import { withoutConflict } from './names/copy-name.ts'
import { parseDocument } from './parse-document.ts'
import { dateOfName, dateOfText, orderEvidenceIn } from './names/note-dates.ts'

/** Days that a note's name and its first heading give, YYYY-MM-DD; null where they name no single day. */
export interface NoteDays {
  readonly path: string
  readonly name: string | null
  readonly heading: string | null
  /** The two possible days of a note without a date: `03-04-2026` in its front matter, name or a heading. */
  readonly open?: OpenDay
}

export interface OpenDay {
  /** Day first, and month first. */
  readonly dmy: string
  readonly mdy: string
}

/** A note whose name probably has the wrong year. */
export interface DoubtfulDate {
  readonly path: string
  readonly day: string
  readonly likelyDay: string
  /** `heading`: its first heading names the same day of another year. `neighbours`: a year later it would fit its folder. */
  readonly because: 'heading' | 'neighbours'
}

/** A note this far from the middle of its folder may have slipped by a year. */
const FAR_DAYS = 200
/** Notes at most this far apart are neighbours. */
const NEAR_DAYS = 15
/** The other year is likely when it has this many more neighbours. */
const MORE_NEIGHBOURS = 3
/** Fewer notes have no meaningful middle. */
const LEAST_NOTES = 4

/** The day that a path alone names. `order` is the order of `03-04-2026` there. */
export function dayOfPath(path: string, order?: DateOrder): string | null {
  return singleDay(dateOfName(baseNameOf(withoutConflict(path)), order))
}

export function noteDays(id: DocumentId, content: DocumentContent, order?: DateOrder): NoteDays {
  const { dateReason, outline, dates } = parseDocument(id, content, { dateOrder: order })
  const [heading] = outline.headings
  const said = [...dates, baseNameOf(id.path), ...outline.headings.map(({ text }) => text)]
  const open = dateReason === undefined && order === undefined ? firstOpenDay(said) : undefined
  return {
    path: id.path,
    name: dayOfPath(id.path, order),
    heading: heading === undefined ? null : singleDay(dateOfText(heading.text, order)),
    ...(open !== undefined && { open }),
  }
}

function firstOpenDay(texts: readonly string[]): OpenDay | undefined {
  for (const text of texts) {
    for (const { days } of orderEvidenceIn(text)) {
      const { dmy, mdy } = days
      if (dmy !== null && mdy !== null && dmy !== mdy) return { dmy, mdy }
    }
  }
  return undefined
}

function singleDay(span: { readonly from: string; readonly to: string } | undefined): string | null {
  return span !== undefined && span.from === span.to ? span.from : null
}

/** In the order of `notes`; the heading is the stronger evidence. */
export function findDoubtfulDates(notes: readonly NoteDays[]): readonly DoubtfulDate[] {
  const folders = new Map<string, number[]>()
  for (const { path, name } of notes) {
    if (name === null) continue
    const days = folders.get(folderOf(path))
    if (days) days.push(dayNumber(name))
    else folders.set(folderOf(path), [dayNumber(name)])
  }
  for (const days of folders.values()) days.sort((left, right) => left - right)
  return notes.flatMap(({ path, name: day, heading }): DoubtfulDate[] => {
    if (day === null) return []
    if (heading !== null && heading !== day && heading.slice(4) === day.slice(4))
      return [{ path, day, likelyDay: heading, because: 'heading' }]
    const likelyDay = slippedFrom(day, folders.get(folderOf(path)) ?? [])
    return likelyDay === null ? [] : [{ path, day, likelyDay, because: 'neighbours' }]
  })
}

/** `days` are those of the folder, ascending, and include `day`. */
function slippedFrom(day: string, days: readonly number[]): string | null {
  const number = dayNumber(day)
  const median = days[days.length >> 1] ?? number
  if (days.length < LEAST_NOTES || Math.abs(number - median) <= FAR_DAYS) return null
  const { year, month, day: dayOfMonth } = partsOfDay(day)
  // 29 February is missing from the next year: the day before replaces it.
  const later = calendarDay(year + 1, month, dayOfMonth) ?? calendarDay(year + 1, month, dayOfMonth - 1)
  if (later === null) return null
  const here = countNear(days, number) - countNear(days, number, 0)
  return countNear(days, dayNumber(later)) > MORE_NEIGHBOURS * here ? later : null
}

function countNear(days: readonly number[], day: number, within: number = NEAR_DAYS): number {
  return firstAbove(days, day + within) - firstAbove(days, day - within - 1)
}

/** Position of the first of the ascending `days` that is above `day`. */
function firstAbove(days: readonly number[], day: number): number {
  let [low, high] = [0, days.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((days[middle] ?? 0) <= day) low = middle + 1
    else high = middle
  }
  return low
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}
