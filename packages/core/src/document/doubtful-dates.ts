import type { DocumentContent, DocumentId } from '@mnemark/spec'
import { addDays, daysBetween } from '../dates/calendar-day.ts'
import { parseDocument } from './parse-document.ts'
import { dateOfName, dateOfText } from './read-dates.ts'

/** What a note's name and its first heading say about its day, YYYY-MM-DD; null where they name no single day. */
export interface NoteDays {
  readonly path: string
  readonly name: string | null
  readonly heading: string | null
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

/** The day a path names by itself, without reading the note. */
export function dayOfPath(path: string): string | null {
  const base = path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z][a-z0-9]*$/i, '')
  return singleDay(dateOfName(base))
}

export function noteDays(id: DocumentId, content: DocumentContent): NoteDays {
  const heading = parseDocument(id, content).outline.headings[0]
  return { path: id.path, name: dayOfPath(id.path), heading: heading === undefined ? null : singleDay(dateOfText(heading.text)) }
}

function singleDay(span: { readonly from: string; readonly to: string } | undefined): string | null {
  return span !== undefined && span.from === span.to ? span.from : null
}

/** In the order of `notes`; the heading is the better witness. */
export function findDoubtfulDates(notes: readonly NoteDays[]): readonly DoubtfulDate[] {
  const folders = new Map<string, string[]>()
  for (const { path, name } of notes)
    if (name !== null) folders.set(folderOf(path), [...(folders.get(folderOf(path)) ?? []), name])
  for (const days of folders.values()) days.sort()
  return notes.flatMap(({ path, name: day, heading }): DoubtfulDate[] => {
    if (day === null) return []
    if (heading !== null && heading !== day && heading.slice(4) === day.slice(4))
      return [{ path, day, likelyDay: heading, because: 'heading' }]
    const likelyDay = slippedFrom(day, folders.get(folderOf(path)) ?? [])
    return likelyDay === null ? [] : [{ path, day, likelyDay, because: 'neighbours' }]
  })
}

/** `days` are those of the folder, rising, `day` among them. */
function slippedFrom(day: string, days: readonly string[]): string | null {
  const median = days[days.length >> 1]
  if (median === undefined || days.length < LEAST_NOTES || Math.abs(daysBetween(day, median)) <= FAR_DAYS) return null
  const year = String(Number(day.slice(0, 4)) + 1).padStart(4, '0')
  // 29 February has no next year's twin: the day before stands for it.
  const later = addDays(`${year}${day.slice(4) === '-02-29' ? '-02-28' : day.slice(4)}`, 0)
  if (later === null) return null
  const neighbours = (of: string): number =>
    days.filter((other) => other !== day && Math.abs(daysBetween(of, other)) <= NEAR_DAYS).length
  return neighbours(later) > MORE_NEIGHBOURS * neighbours(day) ? later : null
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}
