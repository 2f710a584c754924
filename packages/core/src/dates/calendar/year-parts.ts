import { addDays, calendarDay, daysBetween } from './calendar-day.ts'
import { type DayRange, monthRange, yearRange } from './day-range.ts'
import { persianDay, persianMonthRange } from './persian-calendar.ts'

/** A part of a year by its place, from 1: four quarters, two halves, four seasons from spring on. */
export interface YearPart {
  readonly kind: 'quarter' | 'half' | 'season'
  readonly place: number
}
/** A year of one of the two calendars whose months are known. */
export interface CalendarYear {
  readonly year: number
  readonly isPersian: boolean
}

const MONTHS: Readonly<Record<YearPart['kind'], number>> = { quarter: 3, half: 6, season: 3 }

/**
 * First to last day of a part of a year. Seasons are those of the northern hemisphere in whole months, spring from March;
 * a winter has the year of its December. A season of the Persian calendar is a quarter of its year, which begins with
 * spring.
 */
export function yearPartRange({ kind, place }: YearPart, { year, isPersian }: CalendarYear): DayRange | null {
  const length = MONTHS[kind]
  const first = (place - 1) * length + (kind === 'season' && !isPersian ? 3 : 1)
  return monthsRange({ year, isPersian }, first, first + length - 1)
}

/** First to last day of a year. */
export function calendarYearRange({ year, isPersian }: CalendarYear): DayRange | null {
  return isPersian ? monthsRange({ year, isPersian }, 1, 12) : yearRange(year)
}

/** The first, second or last third of a month (its days 1 to 10, 11 to 20, the rest) or of a year (four months each). */
export function thirdOf(range: DayRange, place: number): DayRange | null {
  if (isLong(range)) {
    const year = Number(range.from.slice(0, 4))
    // A year of the Persian calendar begins in March; its thirds are not asked for.
    return range.from.endsWith('-01-01') ? monthsRange({ year, isPersian: false }, place * 4 - 3, place * 4) : null
  }
  const from = addDays(range.from, (place - 1) * 10)
  const to = place === 3 ? range.to : addDays(range.from, place * 10 - 1)
  return from === null || to === null ? null : { from, to }
}

/** The days of a month up to the fifteenth, or those after it. */
export function halfOfMonth(range: DayRange, place: number): DayRange | null {
  const [middle, after] = [addDays(range.from, 14), addDays(range.from, 15)]
  if (middle === null || after === null) return null
  return place === 1 ? { from: range.from, to: middle } : { from: after, to: range.to }
}

/** The range with half its length added at both ends, at least three days. */
export function widened(range: DayRange): DayRange | null {
  const days = Math.max(3, Math.floor((daysBetween(range.from, range.to) + 1) / 2))
  const [from, to] = [addDays(range.from, -days), addDays(range.to, days)]
  return from === null || to === null ? null : { from, to }
}

function isLong({ from, to }: DayRange): boolean {
  return daysBetween(from, to) > 31
}

/** From the first day of a month to the last day of another; months after the twelfth are of the next year. */
function monthsRange({ year, isPersian }: CalendarYear, first: number, last: number): DayRange | null {
  const [lastYear, lastMonth] = last > 12 ? [year + 1, last - 12] : [year, last]
  const from = isPersian ? persianDay(year, first, 1) : calendarDay(year, first, 1)
  const to = isPersian ? persianMonthRange(lastYear, lastMonth)?.to : monthRange(lastYear, lastMonth)?.to
  return from === null || to === undefined ? null : { from, to }
}
