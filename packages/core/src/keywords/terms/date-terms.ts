import type { DateMention } from '../../dates/read-dates.ts'
import { addDays } from '../../dates/calendar/calendar-day.ts'

/** Longest range of a query whose days are searched one by one; a longer one is a month or a year. */
const MAX_DAYS = 31

/** Terms for the days of a note: day, month, year, and the day and month of any year (`--03-14`, `--03`). Days are YYYY-MM-DD. */
export function dateTerms(days: readonly string[]): readonly string[] {
  const terms = new Set<string>()
  for (const day of days) {
    terms.add(day).add(day.slice(0, 7)).add(day.slice(0, 4))
    terms.add(`-${day.slice(4)}`).add(`-${day.slice(4, 7)}`)
  }
  return [...terms]
}

/** The terms of `dateTerms` that match a date named in a query. */
export function termsOfMention(mention: DateMention): readonly string[] {
  if (mention.monthDay !== undefined) return [`--${mention.monthDay}`]
  if (mention.month !== undefined) return [`--${mention.month}`]
  if (mention.precision === 'month') return [mention.from.slice(0, 7)]
  if (mention.precision === 'year') return [mention.from.slice(0, 4)]
  const days: string[] = []
  for (let day: string | null = mention.from; day !== null && day <= mention.to && days.length < MAX_DAYS; day = addDays(day, 1))
    days.push(day)
  return days
}
