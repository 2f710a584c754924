import type { DocumentContent, DocumentId } from '@mnemark/spec'
import { calendarDay, dayNumber, partsOfDay } from '../dates/calendar/calendar-day.ts'
import type { DateOrder } from '../dates/forms/date-matcher.ts'
import { baseNameOf } from './names/base-name.ts'
import { withoutConflict } from './names/copy-name.ts'
import { parseDocument } from './parse-document.ts'
import { dateOfName, dateOfText, orderEvidenceIn } from './names/note-dates.ts'

/** What a note's name and its first heading say about its day, YYYY-MM-DD; null where they name no single day. */
export interface NoteDays {
  readonly path: string
  readonly name: string | null
  readonly heading: string | null
  /** The days between which a note without a date leaves the choice: `03-04-2026` in its front matter, name or a heading. */
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
  /** The day it probably is. */
  readonly likelyDay: string
  /** `heading`: its first heading names the same day of another year. `neighbours`: a year later it would stand among the notes of its folder. */
  readonly because: 'heading' | 'neighbours'
}

/** A note this far from the middle of its folder may have slipped by a year. */
const FAR_DAYS = 200
/** Notes this close are neighbours. */
const NEAR_DAYS = 15
/** So many neighbours more than where it stands make the other year the likely one. */
const MORE_NEIGHBOURS = 3
/** With fewer there is no middle worth the name. */
const LEAST_NOTES = 4

/** The day a path names by itself, without reading the note. `order` is how `03-04-2026` is meant there. */
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

/** In the order of `notes`; the heading is the better witness. */
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

/** `days` are those of the folder, rising, `day` among them. */
function slippedFrom(day: string, days: readonly number[]): string | null {
  const number = dayNumber(day)
  const median = days[days.length >> 1] ?? number
  if (days.length < LEAST_NOTES || Math.abs(number - median) <= FAR_DAYS) return null
  const { year, month, day: dayOfMonth } = partsOfDay(day)
  // 29 February has no next year's twin: the day before stands for it.
  const later = calendarDay(year + 1, month, dayOfMonth) ?? calendarDay(year + 1, month, dayOfMonth - 1)
  if (later === null) return null
  const here = countNear(days, number) - countNear(days, number, 0)
  return countNear(days, dayNumber(later)) > MORE_NEIGHBOURS * here ? later : null
}

function countNear(days: readonly number[], day: number, within: number = NEAR_DAYS): number {
  return firstAbove(days, day + within) - firstAbove(days, day - within - 1)
}

/** Position of the first of the rising `days` that is above `day`. */
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
