import { addDays, calendarDay } from '../calendar/calendar-day.ts'
import { calendar, type DateGroups, type DateLanguage, type DateOrder, LETTER, YEAR } from './date-matcher.ts'
import { type DateReading, readDay, readRange } from './date-reading.ts'
import { isoWeekRange, monthRange } from '../calendar/day-range.ts'
import { persianDay } from '../calendar/persian-calendar.ts'

const JOINED = `[0-9${LETTER}]`
// Never inside a longer number or word; "T10:00", "-1830-standup" or "_slug" may follow a day, an underscore may stand before it.
const START = `(?<!${JOINED})`
/** A year may begin a date after a hyphen (names hold a second day), but not after a point or slash (a version, a path). */
const YEAR_START = `${START}(?<!\\d[./])`
const DAY_START = `${START}(?<!\\d[-./_])`
const END = `(?!(?!t\\d\\d)${JOINED})`
/** A third number after a month would make it an impossible day, or a version. */
const MONTH_END = `(?![-./_]?\\d)${END}`
const DAY_END = `(?![./]\\d)${END}`

/** Two numbers of one or two digits and a year after them: day and month, in an order that the slash or hyphen leaves open. */
const OPEN_ORDER = `${DAY_START}(?<first>\\d{1,2})(?<mark>[-/_])(?<second>\\d{1,2})\\k<mark>(?<year>${YEAR})${DAY_END}`

/** Numeric dates: year first; day first with dots; with slashes or hyphens where the order is beyond doubt or given. */
export const numericDates: DateLanguage = {
  applies: /\d{4}/,
  calendar: [
    calendar(
      `${YEAR_START}(?<year>\\d{4})(?<mark>[-./_]|\\. )(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})(?!\\d)${END}`,
      readYearFirst,
    ),
    calendar(`${YEAR_START}(?<year>${YEAR})(?<month>\\d{2})(?<day>\\d{2})${END}`, readYearFirst),
    calendar(`${YEAR_START}(?<year>${YEAR})[-_.]?w(?<week>\\d{2})(?:-?(?<weekday>[1-7]))?${END}`, readWeek),
    calendar(`${YEAR_START}(?<year>${YEAR})[-/_](?<month>0[1-9]|1[0-2])${MONTH_END}`, readMonth),
    calendar(`${DAY_START}(?<month>0[1-9]|1[0-2])[-./](?<year>${YEAR})${MONTH_END}`, readMonth),
    calendar(`${DAY_START}(?<day>\\d{1,2})(?<mark>\\. ?)(?<month>\\d{1,2})\\k<mark>(?<year>\\d{4})${DAY_END}`, readYearFirst),
    calendar(OPEN_ORDER, readOpenOrder),
  ],
  relative: [],
}

function readYearFirst({ year, month, day }: DateGroups): DateReading | null {
  return readDay(dayOfEra(Number(year), Number(month), Number(day)))
}

/**
 * The day of a numeric date by the size of its year: 1370 to 1410 is the Persian calendar (1991 to 2032), 2450 to 2599 the
 * Buddhist one of Thailand, whose months are the Gregorian ones. Other years of the fourteenth and fifteenth century may also be of the
 * lunar Hijri calendar, which has no days that hold everywhere: they name none.
 */
export function dayOfEra(year: number, month: number, day: number): string | null {
  if (year >= 1370 && year <= 1410) return persianDay(year, month, day)
  const gregorian = gregorianYear(year)
  return gregorian === null ? null : calendarDay(gregorian, month, day)
}

/** The year in Gregorian counting; null where it may be of another calendar, or is implausible. */
export function gregorianYear(year: number): number | null {
  if (year >= 2450 && year <= 2599) return year - 543
  return (year >= 1000 && year < 1300) || (year >= 1500 && year < 2200) ? year : null
}

function readWeek({ year, week, weekday }: DateGroups): DateReading | null {
  const range = isoWeekRange(Number(year), Number(week))
  if (range === null || weekday === undefined) return readRange(range, 'week')
  return readDay(addDays(range.from, Number(weekday) - 1))
}

function readMonth({ year, month }: DateGroups): DateReading | null {
  return readRange(monthRange(Number(year), Number(month)), 'month')
}

function readOpenOrder(groups: DateGroups, _today: string | null, order?: DateOrder): DateReading | null {
  const { dmy, mdy } = bothWays(groups)
  if (dmy === null || mdy === null) return readDay(dmy ?? mdy)
  if (dmy === mdy) return readDay(dmy)
  return order === undefined ? null : readDay(order === 'dmy' ? dmy : mdy)
}

/** 31/12/2026 and 12/31/2026 name one day; 3/4/2026 names two. */
function bothWays({ first, second, year }: DateGroups): Readonly<Record<DateOrder, string | null>> {
  return {
    dmy: calendarDay(Number(year), Number(second), Number(first)),
    mdy: calendarDay(Number(year), Number(first), Number(second)),
  }
}

/** Evidence of a date on the day-month order: the days it may name, and the order where only one of them exists. */
export interface OrderEvidence {
  readonly days: Readonly<Record<DateOrder, string | null>>
  readonly proves?: DateOrder
}

/** One entry for each date in folded text whose order slashes or hyphens leave open. */
export function orderEvidence(folded: string): readonly OrderEvidence[] {
  return Array.from(folded.matchAll(new RegExp(OPEN_ORDER, 'g')), ({ groups = {} }): OrderEvidence => {
    const days = bothWays(groups)
    if (days.dmy === null) return days.mdy === null ? { days } : { days, proves: 'mdy' }
    return days.mdy === null ? { days, proves: 'dmy' } : { days }
  })
}
