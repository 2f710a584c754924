import { addDays } from '../calendar/calendar-day.ts'
import type { DayRange } from '../calendar/day-range.ts'
import { widened } from '../calendar/year-parts.ts'
import { foldQuery } from '../forms/folded-query.ts'
import { countedTime } from './counted-times.ts'
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
  isPartOf,
  type Lead,
  openPairAround,
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
  const found: Bound[] = []
  for (const [at, period] of periods.entries()) {
    const bound = boundPeriod(folded.text, period, periods[at - 1]?.end ?? 0, periods[at + 1]?.start ?? folded.text.length)
    if (bound === undefined) continue
    // "Last week before 5 March" is no week of today's.
    while (found.length > 0 && (found.at(-1)?.end ?? 0) > bound.start) found.pop()
    found.push(bound)
  }
  return found.flatMap(({ start, end, precision, relation, range }): TimeWindow[] => {
    const days = daysOf(relation, range)
    const [originalStart, originalEnd] = folded.originalRange(start, end)
    return days === undefined ? [] : [{ ...days, precision, relation, start: originalStart, end: originalEnd }]
  })
}

interface Bound {
  readonly relation: TimeRelation
  readonly start: number
  readonly end: number
  readonly range: DayRange
  readonly precision: WindowPrecision
}

/** The period with the words of time around it; undefined for a weak one without any. */
function boundPeriod(text: string, period: JoinedPeriod, previousEnd: number, nextStart: number): Bound | undefined {
  const { start, end, range, precision } = period
  const itself: Bound = { relation: 'in', start, end, range, precision }
  if (period.isSpan === true) return itself
  const ahead = before(text, previousEnd, start)
  const behind = text.slice(end, Math.min(nextStart, end + 16))
  if (isSomethingElse(period, behind)) return undefined
  const suffix = suffixIn(behind)
  if (suffix !== undefined)
    return { ...itself, relation: suffix.relation, start: start - hanLeadLength(ahead), end: end + suffix.length }
  const open = openPairAround(ahead, behind)
  if (open !== undefined) return { ...itself, relation: 'since', start: start - open.lead, end: end + open.suffix }
  const lead = leadIn(ahead)
  if (lead === undefined) return period.isWeak === true ? undefined : itself
  if (period.isWeak === true && !mayBind(period, lead, text)) return undefined
  if (lead.relation === 'before' || lead.relation === 'after') {
    const words = before(text, 0, start - lead.length)
    const counted = countedTime(words, lead.relation, range)
    if (counted !== undefined)
      return { ...itself, range: counted.range, precision: counted.precision, start: start - lead.length - counted.length }
    if (isCountedFrom(words)) return undefined
  }
  return { ...itself, relation: lead.relation, start: lead.relation === 'in' ? start : start - lead.length }
}

/** Whether words behind show that a year is an amount, "may" a verb, or "second quarter" one of something unread. */
function isSomethingElse({ year, isWeak, part }: Period, behind: string): boolean {
  if (year !== undefined) return isAmount(behind)
  return isWeak === true && (part === undefined ? isVerb(behind) : isPartOf(behind))
}

function hanLeadLength(ahead: string): number {
  return /[从從自由]$/u.test(ahead) ? 1 : 0
}

function mayBind(period: Period, { relation, words }: Lead, text: string): boolean {
  if (period.year !== undefined) {
    // "After the 1973 crisis" is not "after 1973".
    if (/(?<![a-z])the $/u.test(words)) return false
    if (/^\p{Script=Han}/u.test(words) && text.charAt(period.end - 1) !== '年') return false
    return !period.year.isPersian || isPersianLead(words)
  }
  if (relation === 'in' || period.around === undefined) return false
  return period.isWord !== true || !isEnglish(words)
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
