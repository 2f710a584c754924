import { addDays, calendarDay } from './calendar-day.ts'
import { type DateGroups, type DateLanguage, matcher, WORD_END, WORD_START, YEAR } from './date-matcher.ts'
import { type DateReading, readDay, readRange } from './date-reading.ts'
import { isoWeekRange, monthRange } from './day-range.ts'

// Not inside a longer number, version or chain of numbers; "T10:00", "-1830-standup" or "_slug" may follow a day.
const START = '(?<![a-z0-9]|\\d[-./_])'
const NO_MORE_DIGITS = '(?!\\d)'
const NOT_CHAINED = '(?![-./_]?\\d|[a-z_])'

/** Numeric dates whose order is beyond doubt: year first, day first with dots, or a slash form with a number above 12. */
export const isoDates: DateLanguage = {
  applies: /\d{4}/,
  matchers: [
    matcher(`${START}(?<year>${YEAR})(?<mark>[-./_])(?<month>\\d{1,2})\\k<mark>(?<day>\\d{1,2})${NO_MORE_DIGITS}`, readYearFirst),
    matcher(`${START}(?<year>${YEAR})(?<month>\\d{2})(?<day>\\d{2})${NO_MORE_DIGITS}`, readYearFirst),
    matcher(`${START}(?<year>${YEAR})-?w(?<week>\\d{2})(?:-?(?<weekday>[1-7]))?${WORD_END}`, readWeek),
    matcher(`${START}(?<year>${YEAR})[-/](?<month>0[1-9]|1[0-2])${NOT_CHAINED}`, ({ year, month }) =>
      readRange(monthRange(Number(year), Number(month)), 'month'),
    ),
    matcher(`${START}(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?<year>${YEAR})${NOT_CHAINED}`, readYearFirst),
    matcher(`${WORD_START}(?<![/.-])(?<first>\\d{1,2})/(?<second>\\d{1,2})/(?<year>${YEAR})${NOT_CHAINED}`, readSlashes),
  ],
}

function readYearFirst({ year, month, day }: DateGroups): DateReading | null {
  return readDay(calendarDay(Number(year), Number(month), Number(day)))
}

function readWeek({ year, week, weekday }: DateGroups): DateReading | null {
  const range = isoWeekRange(Number(year), Number(week))
  if (range === null || weekday === undefined) return readRange(range, 'week')
  return readDay(addDays(range.from, Number(weekday) - 1))
}

/** 31/12/2026 and 12/31/2026 name one day; 3/4/2026 names two and is left alone. */
function readSlashes({ first, second, year }: DateGroups): DateReading | null {
  const [left, right] = [Number(first), Number(second)]
  if (left > 12) return readDay(calendarDay(Number(year), right, left))
  if (right > 12) return readDay(calendarDay(Number(year), left, right))
  return left === right ? readDay(calendarDay(Number(year), left, right)) : null
}
