import { addDays, isoWeekday } from '../calendar/calendar-day.ts'
import type { DayRange } from '../calendar/day-range.ts'
import { type DateUnit, readShifted, readWeekday } from '../forms/date-reading.ts'
import type { Period } from './period.ts'

/** A time counted from another, and how many characters before "before" or "after" name it. */
export interface CountedTime {
  readonly range: DayRange
  readonly precision: Period['precision']
  readonly length: number
}

const COUNTS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ')
const COUNTED = new RegExp(
  `(?<![a-z0-9_])(?:(?<count>\\d{1,4}|an?|${COUNTS.join('|')}) )?(?:last )?(?:(?<unit>day|week|month|year)s?|(?<weekday>${WEEKDAYS.join('|')})|(?<weekend>weekend)) $`,
  'u',
)

/** Reads the words before "before 5 March": "the Sunday", "two weeks", "the weekend". In English alone. */
export function countedTime(words: string, direction: 'before' | 'after', from: DayRange): CountedTime | undefined {
  const match = COUNTED.exec(words)
  if (match?.groups === undefined) return undefined
  const { count, unit, weekday, weekend } = match.groups
  const day = direction === 'before' ? from.from : from.to
  const steps = (direction === 'before' ? -1 : 1) * (count === undefined ? 1 : numberOf(count))
  const range =
    weekend !== undefined
      ? weekendBeside(day, direction)
      : weekday !== undefined
        ? readWeekday(WEEKDAYS.indexOf(weekday) + 1, direction, day)
        : readShifted(unitOf(unit), steps, day)
  if (range === null) return undefined
  const precision = unit === undefined ? 'day' : unitOf(unit)
  return { range: { from: range.from, to: range.to }, precision, length: match[0].length }
}

/** The nearest Saturday and Sunday that are both on one side of the day. */
function weekendBeside(day: string, direction: 'before' | 'after'): DayRange | null {
  const weekday = isoWeekday(day)
  const saturday = addDays(
    day,
    direction === 'before' ? (weekday === 7 ? -8 : -1 - weekday) : weekday < 6 ? 6 - weekday : 13 - weekday,
  )
  const sunday = saturday === null ? null : addDays(saturday, 1)
  return saturday === null || sunday === null ? null : { from: saturday, to: sunday }
}

function unitOf(word: string | undefined): DateUnit {
  return word === 'week' || word === 'month' || word === 'year' ? word : 'day'
}

function numberOf(word: string): number {
  return /^\d/.test(word) ? Number(word) : Math.max(1, COUNTS.indexOf(word) + 1)
}
