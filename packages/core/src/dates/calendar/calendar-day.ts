const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/
const MS_PER_DAY = 86_400_000
const LAST_YEAR = 9999

/** The calendar day as YYYY-MM-DD, or null where the calendar has none (30 February, month 13, a year outside 1..9999). */
export function calendarDay(year: number, month: number, day: number): string | null {
  if (!Number.isInteger(year) || year < 1 || year > LAST_YEAR) return null
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`
}

/** True for YYYY-MM-DD that names a day of the proleptic Gregorian calendar, years 0001 to 9999. */
export function isCalendarDay(text: string): boolean {
  const match = DAY_PATTERN.exec(text)
  return match !== null && calendarDay(Number(match[1]), Number(match[2]), Number(match[3])) !== null
}

/** Year, month (1..12) and day of a valid calendar day. Throws RangeError otherwise. */
export function partsOfDay(day: string): { readonly year: number; readonly month: number; readonly day: number } {
  if (!isCalendarDay(day)) throw new RangeError('expected a calendar day, YYYY-MM-DD')
  return { year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)), day: Number(day.slice(8)) }
}

/** Whole days since 1970-01-01, negative before. Throws RangeError for a text that is no calendar day. */
export function dayNumber(day: string): number {
  const parts = partsOfDay(day)
  return new Date(0).setUTCFullYear(parts.year, parts.month - 1, parts.day) / MS_PER_DAY
}

/** The day `count` days later (earlier when negative), or null outside the years 1..9999. */
export function addDays(day: string, count: number): string | null {
  const date = new Date((dayNumber(day) + count) * MS_PER_DAY)
  return calendarDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())
}

/** Days from one day to another, negative when `to` is the earlier one. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from)
}

/** 1 Monday to 7 Sunday. */
export function isoWeekday(day: string): number {
  // 1970-01-01 was a Thursday.
  return ((((dayNumber(day) + 3) % 7) + 7) % 7) + 1
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, '0')
}
