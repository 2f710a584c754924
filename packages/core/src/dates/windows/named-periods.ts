import { yearPartRange } from '../calendar/year-parts.ts'
import type { DateOrder } from '../forms/date-matcher.ts'
import type { DateReading } from '../forms/date-reading.ts'
import type { FoldedQuery } from '../forms/folded-query.ts'
import { placedDates, withoutOverlaps } from '../read-dates.ts'
import { dayOfEachYear, looseTimesIn, monthOfEachYear } from './loose-times.ts'
import { nearestOf, type Period } from './period.ts'
import { hasOtherYear, linksToYear } from './time-words.ts'
import { yearPartsIn } from './year-part-words.ts'

export interface TimeWindowOptions {
  /** The day YYYY-MM-DD that relative words count from: the note's own for a fact, today for a question. */
  readonly today: string
  /** Order of `3/4/2026`; without it, that names two days and is skipped. */
  readonly dateOrder?: DateOrder | undefined
  /**
   * Which year a day, month or season without one is of: the `last` that has begun (default), or the `nearest` to the
   * day, as a log of 14 March means 20 March.
   */
  readonly yearless?: 'last' | 'nearest' | undefined
}

/** The periods that a text names one by one, in its order; weak ones among them. */
export function periodsIn(folded: FoldedQuery, text: string, { today, dateOrder, yearless }: TimeWindowOptions): Period[] {
  const dates = placedDates(folded, text, today, dateOrder).map(({ start, end, reading }) => ({
    start,
    end,
    period: reading === null ? null : periodOf(reading, start, end),
  }))
  const others = [...yearPartsIn(folded.text, today), ...looseTimesIn(folded.text, today)]
  const found = [...dates, ...others.map((period) => ({ start: period.start, end: period.end, period }))]
  const periods = withoutOverlaps(found, folded.text.length).flatMap(({ period }) => (period === null ? [] : [period]))
  const named = withYears(folded.text, periods).filter(
    ({ start, end, around }) =>
      around === undefined || !hasOtherYear(folded.text.slice(Math.max(0, start - 2), start), folded.text.slice(end, end + 16)),
  )
  return named.map((period) => {
    const range = yearless === 'nearest' && period.around !== undefined && nearestOf(period.around(today), today)
    return range ? { ...period, range } : period
  })
}

function periodOf(reading: DateReading, start: number, end: number): Period {
  const { from, to, monthDay, month } = reading
  const place = { start, end, range: { from, to } }
  if (monthDay !== undefined) {
    const [ofMonth, ofDay] = [Number(monthDay.slice(0, 2)), Number(monthDay.slice(3))]
    return { ...place, precision: 'day', around: dayOfEachYear(ofMonth, ofDay) }
  }
  if (month !== undefined) return { ...place, precision: 'month', around: monthOfEachYear(Number(month)) }
  const precision = reading.precision === 'month-day' ? 'day' : reading.precision
  const isYear = precision === 'year' && from.endsWith('-01-01') && to.endsWith('-12-31') && from.slice(0, 4) === to.slice(0, 4)
  return { ...place, precision, ...(isYear && { year: { year: Number(from.slice(0, 4)), isPersian: false } }) }
}

/** Joins "first quarter" and the year beside it. */
function withYears(text: string, periods: readonly Period[]): Period[] {
  const joined: Period[] = []
  for (let at = 0; at < periods.length; at += 1) {
    const [period, next] = [periods[at], periods[at + 1]]
    if (period === undefined) continue
    const whole = next && (partOfYear(text, period, next) ?? partOfYear(text, next, period))
    joined.push(whole ?? period)
    if (whole !== undefined) at += 1
  }
  return joined
}

function partOfYear(text: string, { part, isPersian, ...head }: Period, { year, ...named }: Period): Period | undefined {
  if (part === undefined || year === undefined || (year.isPersian && isPersian !== true)) return undefined
  const between = head.end <= named.start ? text.slice(head.end, named.start) : text.slice(named.end, head.start)
  if (!linksToYear(between, head.end <= named.start)) return undefined
  const range = yearPartRange(part, year)
  if (range === null) return undefined
  return { start: Math.min(head.start, named.start), end: Math.max(head.end, named.end), precision: part.kind, range }
}
