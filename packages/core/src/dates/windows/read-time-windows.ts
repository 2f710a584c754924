import { addDays } from '../calendar/calendar-day.ts'
import type { DayRange } from '../calendar/day-range.ts'
import { widened } from '../calendar/year-parts.ts'
import { foldQuery } from '../forms/folded-query.ts'
import { type JoinedPeriod, joinedPeriods } from './joined-periods.ts'
import { periodsIn, type TimeWindowOptions } from './named-periods.ts'
import { narrowedPeriods } from './narrowed-periods.ts'
import type { Period, WindowPrecision } from './period.ts'
import {
  before,
  isAmount,
  isCountedFrom,
  isEnglish,
  isPersianLead,
  isVerb,
  leadIn,
  rangeLeadIn,
  sinceSuffixIn,
  suffixIn,
  type TimeRelation,
} from './time-words.ts'

/** A time that a text names: its days, one side of which may be open, and the characters [start, end) that name it. */
export interface TimeWindow {
  /** First day YYYY-MM-DD, inclusive; absent for "until", "before". */
  readonly from?: string
  /** Last day YYYY-MM-DD, inclusive; absent for "since", "after". */
  readonly to?: string
  /** How exactly the words name days: "2025" a year, "early March" a month, whatever the days are. */
  readonly precision: WindowPrecision
  readonly relation: TimeRelation
  readonly start: number
  readonly end: number
}

/**
 * Times that a text names, in its order: all that `readDates` finds, and ranges over months, quarters, halves, seasons,
 * parts of a month, open ends. A number, month, weekday or season alone is no time: it needs a year, or a word such as
 * "since". Before and after leave the period out, since and until hold it; "around" adds half its length at both ends,
 * at least three days. Times outside the years 1 to 9999 are left out. Throws RangeError if `today` is no calendar day.
 */
export function readTimeWindows(text: string, options: TimeWindowOptions): TimeWindow[] {
  const folded = foldQuery(text)
  const periods = joinedPeriods(folded.text, narrowedPeriods(folded.text, periodsIn(folded, text, options)))
  return periods.flatMap((period, at): TimeWindow[] => {
    const bound = boundPeriod(folded.text, period, periods[at - 1]?.end ?? 0, periods[at + 1]?.start ?? folded.text.length)
    const days = bound && daysOf(bound.relation, period.range)
    if (!bound || !days) return []
    const [start, end] = folded.originalRange(bound.start, bound.end)
    return [{ ...days, precision: period.precision, relation: bound.relation, start, end }]
  })
}

interface Bound {
  readonly relation: TimeRelation
  readonly start: number
  readonly end: number
}

/** The period with the words of time around it; undefined for a weak one without any. */
function boundPeriod(text: string, period: JoinedPeriod, previousEnd: number, nextStart: number): Bound | undefined {
  const { start, end } = period
  if (period.isSpan === true) return { relation: 'in', start, end }
  const ahead = before(text, previousEnd, start)
  const behind = text.slice(end, Math.min(nextStart, end + 16))
  if (period.year === undefined ? period.isWeak === true && isVerb(behind) : isAmount(behind)) return undefined
  const suffix = suffixIn(behind)
  if (suffix !== undefined) return { relation: suffix.relation, start: start - hanLeadLength(ahead), end: end + suffix.length }
  const from = rangeLeadIn(ahead, 'from')
  const open = from === 0 ? 0 : sinceSuffixIn(behind)
  if (open > 0) return { relation: 'since', start: start - from, end: end + open }
  const lead = leadIn(ahead)
  if (lead === undefined) return period.isWeak === true ? undefined : { relation: 'in', start, end }
  if (period.isWeak === true && !mayBind(period, lead)) return undefined
  const isBeside = lead.relation === 'before' || lead.relation === 'after'
  // "Three days before 5 March" is another day, which nothing here counts.
  if (isBeside && isCountedFrom(ahead.slice(0, ahead.length - lead.length))) return undefined
  return { relation: lead.relation, start: lead.relation === 'in' ? start : start - lead.length, end }
}

function hanLeadLength(ahead: string): number {
  return /[从從自由]$/u.test(ahead) ? 1 : 0
}

function mayBind(period: Period, lead: { readonly relation: TimeRelation; readonly words: string }): boolean {
  if (period.year !== undefined) return !period.year.isPersian || isPersianLead(lead.words)
  if (lead.relation === 'in' || period.around === undefined) return false
  return period.isWord !== true || !isEnglish(lead.words)
}

function daysOf(relation: TimeRelation, range: DayRange): Pick<TimeWindow, 'from' | 'to'> | undefined {
  switch (relation) {
    case 'in':
      return { from: range.from, to: range.to }
    case 'since':
      return { from: range.from }
    case 'until':
      return { to: range.to }
    case 'before': {
      const to = addDays(range.from, -1)
      return to === null ? undefined : { to }
    }
    case 'after': {
      const from = addDays(range.to, 1)
      return from === null ? undefined : { from }
    }
    case 'around':
      return widened(range) ?? undefined
  }
}
