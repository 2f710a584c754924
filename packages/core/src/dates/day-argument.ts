import { dayInZone } from '@mnemark/spec'
import { calendarDay } from './calendar/calendar-day.ts'
import { dateUnit, readLast } from './forms/date-reading.ts'
import { type DayRange, monthRange, yearRange } from './calendar/day-range.ts'
import { foldQuery } from './forms/folded-query.ts'
import { readDates, type ReadDatesOptions } from './read-dates.ts'

/** The accepted forms of a day, for messages. */
export const DAY_FORMS = 'YYYY-MM-DD, a month (2026-03), a year (2026), 7d, 2w, 3m, or words such as "yesterday"'

/** Matches instants too: programs send one where a day is meant. */
const CALENDAR = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:t\d{2}:\d{2}[\d:.]*(?:z|[+-]\d{2}:?\d{2})?)?)?)?$/
const AGO = /^(\d{1,4}) ?(d|w|m|y|days?|weeks?|months?|years?)(?: ago)?$/
const UNITS: Readonly<Record<string, string>> = { d: 'day', w: 'week', m: 'month', y: 'year' }

/**
 * Reads a day argument: a day, a month or a year, of which `edge` is meant, a number of days, weeks, months or years
 * ago, or a phrase of the date reader in any of its languages. Returns YYYY-MM-DD, or undefined where the text is none
 * of these.
 */
export function readDayArgument(text: string, edge: 'first' | 'last', options: ReadDatesOptions): string | undefined {
  const folded = foldQuery(text.trim()).text
  const range = calendarRange(folded) ?? agoRange(folded, options) ?? phraseRange(text.trim(), options)
  return edge === 'first' ? range?.from : range?.to
}

function calendarRange(text: string): DayRange | null {
  const [, year, month, day] = CALENDAR.exec(text) ?? []
  if (year === undefined) return null
  if (month === undefined) return yearRange(Number(year))
  if (day === undefined) return monthRange(Number(year), Number(month))
  const found = calendarDay(Number(year), Number(month), Number(day))
  return found === null ? null : { from: found, to: found }
}

/** Reads `7d` as the day seven days ago, for either edge. */
function agoRange(text: string, { nowMs, timeZone }: ReadDatesOptions): DayRange | null {
  const [, count, unit] = AGO.exec(text) ?? []
  if (count === undefined) return null
  const from = readLast(dateUnit(UNITS[unit?.[0] ?? '']), Number(count), dayInZone(nowMs, timeZone))?.from
  return from === undefined ? null : { from, to: from }
}

/**
 * Reads a phrase that is a date as a whole. `March` alone is read as `in March`, since it can be no verb here, and
 * `Monday` as the last one.
 */
function phraseRange(text: string, options: ReadDatesOptions): DayRange | null {
  for (const lead of ['', 'in ', 'on ']) {
    const [mention, ...others] = readDates(lead + text, options)
    const isWhole = mention !== undefined && mention.start <= lead.length && mention.end >= lead.length + text.length
    if (isWhole && others.length === 0) return mention
  }
  return null
}
