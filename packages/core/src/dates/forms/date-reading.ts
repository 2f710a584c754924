import { addDays, calendarDay, isoWeekday, partsOfDay } from '../calendar/calendar-day.ts'
import { type DayRange, monthRange, weekRangeOf, yearRange } from '../calendar/day-range.ts'

/** The days that a piece of a query names. */
export interface DateReading extends DayRange {
  readonly precision: 'day' | 'week' | 'month' | 'year' | 'month-day'
  /** MM-DD: a day named without its year. `from` and `to` are then its most recent occurrence, today included. */
  readonly monthDay?: string
  /** MM: a month named without its year. `from` and `to` are then the most recent such month, the present one included. */
  readonly month?: string
}

export type DateUnit = 'day' | 'week' | 'month' | 'year'

const UNITS: readonly DateUnit[] = ['day', 'week', 'month', 'year']

/** The unit that a matched word names; a day where it names none. */
export function dateUnit(name: string | undefined): DateUnit {
  return UNITS.find((unit) => unit === name) ?? 'day'
}

export function readDay(day: string | null): DateReading | null {
  return day === null ? null : { from: day, to: day, precision: 'day' }
}

export function readRange(range: DayRange | null, precision: DateUnit): DateReading | null {
  return range === null ? null : { from: range.from, to: range.to, precision }
}

/**
 * Reads a year, month or day as far as given; a missing year means the most recent occurrence, and none without a
 * present day.
 */
export function readCalendar(
  given: { readonly year?: number | undefined; readonly month: number; readonly day?: number | undefined },
  today: string | null,
): DateReading | null {
  const { year, month, day } = given
  if (today === null) {
    if (year === undefined) return null
    return day === undefined ? readRange(monthRange(year, month), 'month') : readDay(calendarDay(year, month, day))
  }
  if (day === undefined) return year === undefined ? readRecentMonth(month, today) : readRange(monthRange(year, month), 'month')
  return year === undefined ? readMonthDay(month, day, today) : readDay(calendarDay(year, month, day))
}

/** The day, week, month or year a number of steps from the present one; weeks begin on Monday. */
export function readShifted(unit: DateUnit, steps: number, today: string): DateReading | null {
  if (unit === 'day') return readDay(addDays(today, steps))
  if (unit === 'week') {
    const day = addDays(today, steps * 7)
    return day === null ? null : readRange(weekRangeOf(day), 'week')
  }
  const { year, month } = partsOfDay(today)
  if (unit === 'year') return readRange(yearRange(year + steps), 'year')
  return readRange(monthRange(...shiftedMonth(year, month, steps)), 'month')
}

/** Reads "the last three weeks": from that many units ago up to today. */
export function readLast(unit: DateUnit, count: number, today: string): DateReading | null {
  const from =
    unit === 'day' || unit === 'week' ? addDays(today, -count * (unit === 'day' ? 1 : 7)) : sameDayBefore(unit, count, today)
  return from === null ? null : { from, to: today, precision: unit }
}

/** The nearest such weekday (1 Monday to 7 Sunday) strictly before or after today. */
export function readWeekday(weekday: number, direction: 'before' | 'after', today: string): DateReading | null {
  const forward = (weekday - isoWeekday(today) + 7) % 7 || 7
  return readDay(addDays(today, direction === 'after' ? forward : forward === 7 ? -7 : forward - 7))
}

/** A weekday of the week a number of weeks from the present one. */
export function readWeekdayOfWeek(weekday: number, weeks: number, today: string): DateReading | null {
  return readDay(addDays(today, weeks * 7 + weekday - isoWeekday(today)))
}

/** Saturday and Sunday of the week a number of weeks from the present one. */
export function readWeekend(weeks: number, today: string): DateReading | null {
  const saturday = addDays(today, weeks * 7 + 6 - isoWeekday(today))
  const sunday = saturday === null ? null : addDays(saturday, 1)
  return saturday === null || sunday === null ? null : { from: saturday, to: sunday, precision: 'day' }
}

/** Reads "the 5th of last month". */
export function readDayOfMonth(day: number, months: number, today: string): DateReading | null {
  const now = partsOfDay(today)
  return readDay(calendarDay(...shiftedMonth(now.year, now.month, months), day))
}

/** The year a number of years from the present one; undefined without a present day. */
export function yearFrom(today: string | null, steps: number): number | undefined {
  return today === null ? undefined : partsOfDay(today).year + steps
}

/** Reads "last March", "next March": strictly before or after the present month. */
export function readMonthBeside(month: number, direction: 'before' | 'after', today: string): DateReading | null {
  const now = partsOfDay(today)
  const isSameYear = direction === 'before' ? month < now.month : month > now.month
  const year = isSameYear ? now.year : now.year + (direction === 'before' ? -1 : 1)
  return readRange(monthRange(year, month), 'month')
}

function readRecentMonth(month: number, today: string): DateReading | null {
  const now = partsOfDay(today)
  const range = monthRange(month <= now.month ? now.year : now.year - 1, month)
  return range === null ? null : { ...range, precision: 'month', month: twoDigits(month) }
}

function readMonthDay(month: number, day: number, today: string): DateReading | null {
  const { year } = partsOfDay(today)
  // 29 February may be eight years back (1896, 1904).
  for (let back = 0; back <= 8; back += 1) {
    const found = calendarDay(year - back, month, day)
    if (found !== null && found <= today) {
      return { from: found, to: found, precision: 'month-day', monthDay: `${twoDigits(month)}-${twoDigits(day)}` }
    }
  }
  return null
}

function sameDayBefore(unit: 'month' | 'year', count: number, today: string): string | null {
  const now = partsOfDay(today)
  const [year, month] = shiftedMonth(now.year, now.month, unit === 'month' ? -count : -count * 12)
  const last = monthRange(year, month)?.to
  return last === undefined ? null : (calendarDay(year, month, now.day) ?? last)
}

function shiftedMonth(year: number, month: number, steps: number): [year: number, month: number] {
  const months = year * 12 + month - 1 + steps
  return [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1]
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
