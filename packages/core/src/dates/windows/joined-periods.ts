import { addDays } from '../calendar/calendar-day.ts'
import { changed, type Period, spanOf } from './period.ts'
import { before, firstDayIn, isAmount, joinOf, lastDayIn, rangeLeadIn } from './time-words.ts'

/** A period that joins two, so that no further word of time binds it. */
export interface JoinedPeriod extends Period {
  readonly isSpan?: boolean
}

const FINEST: readonly Period['precision'][] = ['day', 'week', 'month', 'quarter', 'season', 'half', 'year']

/** Reads "from 28 Feb to 3 March", "between 2019 and 2023", "3 to 5 March": two periods as one. */
export function joinedPeriods(text: string, periods: readonly Period[]): JoinedPeriod[] {
  const joined: JoinedPeriod[] = []
  for (let at = 0; at < periods.length; at += 1) {
    const period = periods[at]
    if (period === undefined) continue
    const next = periods[at + 1]
    const previousEnd = joined.at(-1)?.end ?? 0
    const whole = next && joinedWith(text, period, next, previousEnd)
    if (whole !== undefined) at += 1
    // "Monday to Friday" is no time, and neither is its "to Friday".
    else if (next?.isWeak && period.isWeak && joinOf(text.slice(period.end, next.start)) === 'to') {
      at += 1
      continue
    }
    joined.push(whole ?? daysOf(text, period, previousEnd, next?.start ?? text.length) ?? period)
  }
  return joined
}

function joinedWith(text: string, first: Period, last: Period, previousEnd: number): JoinedPeriod | undefined {
  const between = text.slice(first.end, last.start)
  // Arabic writes "and" onto the second.
  const join = between === ' ' && text.charAt(last.start) !== 'و' ? undefined : joinOf(between)
  if (join === undefined) return undefined
  const ahead = before(text, previousEnd, first.start)
  const lead = rangeLeadIn(ahead, 'between') || (join === 'to' ? rangeLeadIn(ahead, 'from') : 0)
  const isHanBetween = join === 'and' && text.startsWith('之间', last.end)
  if (lead === 0 && !isHanBetween && (join === 'and' || (first.isWeak && last.isWeak))) return undefined
  // "Between summer and winter" is any year's.
  if (first.part !== undefined && first.isWeak && last.part !== undefined && last.isWeak) return undefined
  if (last.year !== undefined && isAmount(text.slice(last.end, last.end + 16))) return undefined
  const range = spanOf(first, last)
  if (range === undefined) return undefined
  const precision = FINEST[Math.min(FINEST.indexOf(first.precision), FINEST.indexOf(last.precision))] ?? 'day'
  return { start: first.start - lead, end: last.end + (isHanBetween ? 2 : 0), precision, range, isSpan: true }
}

/** Reads the number of a first day before a date, or in Chinese of a last day behind it. */
function daysOf(text: string, period: Period, previousEnd: number, nextStart: number): JoinedPeriod | undefined {
  if (period.precision !== 'day' || period.isWeak === true || period.range.from !== period.range.to) return undefined
  const day = Number(/^\D{0,6}(\d{1,2})(?!\d)/u.exec(text.slice(period.start, period.end))?.[1])
  // Arabic writes "and" onto the date.
  const ownStart = period.start + (text.charAt(period.start) === 'و' ? 1 : 0)
  const words = before(text, previousEnd, ownStart)
  const first = firstDayIn(words)
  if (first !== undefined && first.day < day) {
    const ahead = words.slice(0, words.length - first.length)
    const lead = rangeLeadIn(ahead, 'between') || (first.isAnd ? 0 : rangeLeadIn(ahead, 'from'))
    const start = ownStart - first.length - lead
    if (lead > 0 || !first.isAnd) return longer(period, { days: first.day - day, start })
  }
  const last = lastDayIn(text.slice(period.end, Math.min(nextStart, period.end + 8)))
  const days = last === undefined ? 0 : last.day - Number(period.range.from.slice(8))
  return last === undefined || days <= 0 ? undefined : longer(period, { days, end: period.end + last.length })
}

/** The period with days of the same month before or behind it. */
function longer(
  period: Period,
  { days, start = period.start, end = period.end }: { readonly days: number; readonly start?: number; readonly end?: number },
): JoinedPeriod | undefined {
  const whole = changed({ ...period, start, end }, ({ from, to }) => {
    const other = addDays(from, days)
    if (other === null) return null
    return days < 0 ? { from: other, to } : other.slice(0, 7) === from.slice(0, 7) ? { from, to: other } : null
  })
  return whole && { ...whole, isSpan: true }
}
