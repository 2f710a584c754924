import type { DateOrder } from '../../dates/forms/date-matcher.ts'
import { calendarDay } from '../../dates/calendar/calendar-day.ts'
import { monthRange } from '../../dates/calendar/day-range.ts'
import { baseNameOf } from './base-name.ts'
import { type DatedSpan, dateOfFolder, dateOfName, dateOfText } from './note-dates.ts'

export type DateReason = 'front-matter' | 'name' | 'folder' | 'heading'

export interface NoteDate extends DatedSpan {
  readonly reason: DateReason
}

/**
 * The day of a note by the first rule that applies: front matter, base name, nearest folder, nearest dated heading.
 * Weeks and months are ranges. `dates` are front matter values in order of preference, `headings` those above the text,
 * outermost first; `order` is the order of `03/04/2026`, which names no day without it.
 */
export function datedBy(
  path: string,
  {
    dates,
    headings,
    order,
  }: { readonly dates: readonly string[]; readonly headings: readonly string[]; readonly order?: DateOrder | undefined },
): NoteDate | undefined {
  for (const value of dates) {
    const span = dateOfValue(value, order)
    if (span !== undefined) return { ...span, reason: 'front-matter' }
  }
  const folders = path.split(/[\\/]/)
  folders.pop()
  const name = baseNameOf(path)
  const named = dateOfName(name, order)
  if (named !== undefined) return { ...named, reason: 'name' }
  const placed = dateOfFolders(folders, name, order)
  if (placed !== undefined) return { ...placed, reason: 'folder' }
  for (const heading of headings.toReversed()) {
    const span = dateOfText(heading, order)
    if (span !== undefined) return { ...span, reason: 'heading' }
  }
  return undefined
}

/** Front matter also holds bare Unix times, in seconds or milliseconds; their day is in UTC. */
function dateOfValue(value: string, order: DateOrder | undefined): DatedSpan | undefined {
  if (!/^\d{10}(?:\d{3})?$/.test(value)) return dateOfText(value, order)
  const stamp = new Date(Number(value) * (value.length === 10 ? 1000 : 1)).toISOString()
  return { from: stamp.slice(0, 10), to: stamp.slice(0, 10), time: stamp.slice(11, 19) }
}

function dateOfFolders(folders: readonly string[], name: string, order: DateOrder | undefined): DatedSpan | undefined {
  for (const folder of folders.toReversed()) {
    const span = dateOfFolder(folder, order)
    if (span !== undefined) return span
  }
  // Journals in year/month/day folders spread the date over the path.
  const spread = /(?:^|\/)((?:19|20|21)\d{2})\/(\d{1,2})(?:\/(\d{1,2}))?(?=\/|$)/.exec([...folders, name].join('/'))
  if (spread === null) return undefined
  const [year, month] = [Number(spread[1]), Number(spread[2])]
  const day = spread[3] === undefined ? null : calendarDay(year, month, Number(spread[3]))
  return (day === null ? monthRange(year, month) : { from: day, to: day }) ?? undefined
}
