import { daysBetween, partsOfDay } from '../calendar/calendar-day.ts'
import type { DayRange } from '../calendar/day-range.ts'
import type { CalendarYear, YearPart } from '../calendar/year-parts.ts'

/** How exactly words name days. */
export type WindowPrecision = 'day' | 'week' | 'month' | 'quarter' | 'season' | 'half' | 'year'

/** A stretch of days that a piece of folded text names: its characters [start, end). */
export interface Period {
  readonly start: number
  readonly end: number
  readonly precision: WindowPrecision
  readonly range: DayRange
  /** Where words name no year ("March", "Monday"): the ranges they may mean around a day, in order of time. */
  readonly around?: ((day: string) => readonly DayRange[]) | undefined
  /** A number or word that is a time only beside words of time: 2023, "March", "spring". */
  readonly isWeak?: boolean | undefined
  /** A month's name that is a common word or name in English, so that no English word may bind it. */
  readonly isWord?: boolean | undefined
  /** A quarter, half or season whose year is not read yet. */
  readonly part?: YearPart | undefined
  /** The year that the period is. */
  readonly year?: CalendarYear | undefined
  /** True for a word of Persian, which alone binds years of the Persian calendar. */
  readonly isPersian?: boolean | undefined
}

/** The latest range that has begun on the day. */
export function latestOf(ranges: readonly DayRange[], day: string): DayRange | undefined {
  return ranges.findLast(({ from }) => from <= day)
}

/** The range nearest to the day; the earlier one of two. */
export function nearestOf(ranges: readonly DayRange[], day: string): DayRange | undefined {
  const distance = ({ from, to }: DayRange) => (day < from ? daysBetween(day, from) : day > to ? daysBetween(to, day) : 0)
  return ranges.toSorted((left, right) => distance(left) - distance(right) || (left.from < right.from ? -1 : 1))[0]
}

/** The ranges of a period of each year, for the years around a day: a leap day may be eight years back. */
export function yearly(rangeOf: (year: number) => DayRange | null): (day: string) => readonly DayRange[] {
  return (day) => {
    const { year } = partsOfDay(day)
    return Array.from({ length: 18 }, (_, place) => rangeOf(year - 9 + place)).filter((range) => range !== null)
  }
}

/** The period narrowed or widened, in every year that it may mean; undefined where the calendar has no such days. */
export function changed(period: Period, change: (range: DayRange) => DayRange | null): Period | undefined {
  const range = change(period.range)
  if (range === null) return undefined
  const { around } = period
  return {
    ...period,
    range,
    ...(around && {
      around: (day) =>
        around(day)
          .map(change)
          .filter((each) => each !== null),
    }),
  }
}

/**
 * From one period to a later one. A year that one of them lacks is taken from the other; where both lack it, the
 * first is the last such before the second. Undefined where the second would end before the first begins.
 */
export function spanOf(first: Period, last: Period): DayRange | undefined {
  const to = first.around === undefined ? last.around?.(first.range.from).find(({ from }) => from >= first.range.from) : undefined
  const end = to ?? last.range
  const begin = first.around === undefined ? first.range : latestOf(first.around(end.from), end.to)
  return begin === undefined || begin.from > end.to ? undefined : { from: begin.from, to: end.to }
}
