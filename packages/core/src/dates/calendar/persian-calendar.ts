import { addDays, calendarDay, partsOfDay } from './calendar-day.ts'
import type { DayRange } from './day-range.ts'

/** The day before the first of the Persian (solar Hijri) calendar, from which the cycle of 33 years counts. */
const EPOCH = '0622-03-21'

function isLeap(year: number): boolean {
  return (25 * year + 11) % 33 < 8
}

/**
 * Days in all earlier years, by the cycle of 33 years, which agrees with the astronomical calendar from 1206 to 1497
 * (1827 to 2118).
 */
function daysBefore(year: number): number {
  return 365 * (year - 1) + Math.floor((8 * year + 21) / 33)
}

/** The Gregorian day YYYY-MM-DD of a Persian date; null where that calendar has none. */
export function persianDay(year: number, month: number, day: number): string | null {
  const length = month <= 6 ? 31 : month < 12 || isLeap(year) ? 30 : 29
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= length)) return null
  const before = month <= 7 ? (month - 1) * 31 : 186 + (month - 7) * 30
  return addDays(EPOCH, daysBefore(year) + before + day - 1)
}

/** First to last day of a Persian month (1..12), as Gregorian days; null for another number. */
export function persianMonthRange(year: number, month: number): DayRange | null {
  const from = persianDay(year, month, 1)
  const to = [31, 30, 29].map((day) => persianDay(year, month, day)).find((day) => day !== null)
  return from === null || to === undefined || to === null ? null : { from, to }
}

/** The Persian year in which a Gregorian day lies. */
export function persianYearOf(day: string): number {
  const { year } = partsOfDay(day)
  const newYear = persianDay(year - 621, 1, 1) ?? calendarDay(year, 3, 21)
  return newYear !== null && day < newYear ? year - 622 : year - 621
}
