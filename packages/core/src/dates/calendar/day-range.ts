import { addDays, calendarDay, isoWeekday } from './calendar-day.ts'

/** Calendar days YYYY-MM-DD, both inclusive. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

/** Monday to Sunday of the ISO 8601 week that holds the day; null at the ends of the calendar. */
export function weekRangeOf(day: string): DayRange | null {
  return span(addDays(day, 1 - isoWeekday(day)), addDays(day, 7 - isoWeekday(day)))
}

/** An ISO 8601 week (week 1 holds 4 January); null for a week the year does not have. */
export function isoWeekRange(year: number, week: number): DayRange | null {
  const inFirstWeek = calendarDay(year, 1, 4)
  if (inFirstWeek === null || !Number.isInteger(week) || week < 1 || week > 53) return null
  const thursday = addDays(inFirstWeek, (week - 1) * 7 + 4 - isoWeekday(inFirstWeek))
  // A week belongs to the year of its Thursday.
  return thursday !== null && Number(thursday.slice(0, 4)) === year ? weekRangeOf(thursday) : null
}

/** First to last day of a month (1..12); null for another number. */
export function monthRange(year: number, month: number): DayRange | null {
  const first = calendarDay(year, month, 1)
  if (first === null) return null
  const last = [31, 30, 29, 28].map((day) => calendarDay(year, month, day)).find((day) => day !== null)
  return span(first, last ?? null)
}

/** 1 January to 31 December. */
export function yearRange(year: number): DayRange | null {
  return span(calendarDay(year, 1, 1), calendarDay(year, 12, 31))
}

function span(from: string | null, to: string | null): DayRange | null {
  return from === null || to === null ? null : { from, to }
}
