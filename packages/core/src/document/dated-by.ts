import { monthRange } from '../dates/day-range.ts'
import { type DatedSpan, dateOfFolder, dateOfName, dateOfText, dayRange } from './read-dates.ts'

export type DateReason = 'front-matter' | 'name' | 'folder' | 'heading'

export interface NoteDate extends DatedSpan {
  readonly reason: DateReason
}

/**
 * The day of a note, first rule that applies: front matter, base name, nearest folder, nearest dated heading. Weeks and
 * months are ranges. `dates` are front matter values in order of preference, `headings` those above the text, outermost first.
 */
export function datedBy(path: string, dates: readonly string[], headings: readonly string[]): NoteDate | undefined {
  for (const value of dates) {
    const span = dateOfValue(value)
    if (span !== undefined) return { ...span, reason: 'front-matter' }
  }
  const folders = path.split(/[\\/]/)
  const name = (folders.pop() ?? '').replace(/\.[a-z][a-z0-9]*$/i, '')
  const named = dateOfName(name)
  if (named !== undefined) return { ...named, reason: 'name' }
  const placed = dateOfFolders(folders, name)
  if (placed !== undefined) return { ...placed, reason: 'folder' }
  for (const heading of headings.toReversed()) {
    const span = dateOfText(heading)
    if (span !== undefined) return { ...span, reason: 'heading' }
  }
  return undefined
}

/** Front matter also holds bare Unix times, in seconds or milliseconds; their day is that of UTC. */
function dateOfValue(value: string): DatedSpan | undefined {
  if (!/^\d{10}(?:\d{3})?$/.test(value)) return dateOfText(value)
  const stamp = new Date(Number(value) * (value.length === 10 ? 1000 : 1)).toISOString()
  return { from: stamp.slice(0, 10), to: stamp.slice(0, 10), time: stamp.slice(11, 19) }
}

function dateOfFolders(folders: readonly string[], name: string): DatedSpan | undefined {
  for (const folder of folders.toReversed()) {
    const span = dateOfFolder(folder)
    if (span !== undefined) return span
  }
  // Journals kept as year/month/day: the date is spread over the path.
  const spread = /(?:^|\/)(\d{4})\/(\d{2})(?:\/(\d{2}))?(?=\/|$)/.exec([...folders, name].join('/'))
  if (spread === null) return undefined
  const [year, month, day] = [Number(spread[1]), Number(spread[2]), spread[3]]
  return (day === undefined ? null : dayRange(year, month, Number(day))) ?? monthRange(year, month) ?? undefined
}
