import type { DateOrder } from '../../dates/forms/date-matcher.ts'
import type { DayRange } from '../../dates/calendar/day-range.ts'
import { foldQuery } from '../../dates/forms/folded-query.ts'
import { type OrderEvidence, orderEvidence } from '../../dates/forms/numeric-dates.ts'
import { type DateMention, readCalendarDates } from '../../dates/read-dates.ts'

export interface DatedSpan extends DayRange {
  /** HH:MM[:SS] on the day of `from`. */
  readonly time?: string
}

const NAME_TIME = /^(?:[-_. ]{1,3}|t)(\d{2})(?:(\d{2})(\d{2})?|[-_.:h](\d{2})(?:[-_.:](\d{2}))?)z?(?![0-9a-z\u00df-\u0dff])/
const TEXT_TIME = /(?<![\d:.])(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?(?![\d:])(?:\s?([ap])\.?m\b)?/gi
/**
 * A date has a year: four digits, the same in Chinese numerals, or a year of an era. Most names and headings have none
 * and cost one test.
 */
const YEAR = /\p{Nd}{4}|[〇零一二三四五六七八九]{4}\s*年|(?:令和|平成|昭和|民[國国])/u

/** The first day, else the first week, else the first month that a text names with its year. */
function firstDate(text: string, order: DateOrder | undefined): DateMention | undefined {
  if (!YEAR.test(text)) return undefined
  const dates = readCalendarDates(text, order)
  return (
    dates.find(({ precision }) => precision === 'day') ??
    dates.find(({ precision }) => precision === 'week') ??
    dates.find(({ precision }) => precision === 'month')
  )
}

/** Names use underscores for spaces; a purely numeric date such as `2026_03_05` is read before they are replaced. */
function dateInName(name: string, order: DateOrder | undefined): DateMention | undefined {
  const date = firstDate(name, order)
  if (date?.precision === 'day' || !name.includes('_')) return date
  const spaced = firstDate(name.replaceAll('_', ' '), order)
  return spaced?.precision === 'day' ? spaced : (date ?? spaced)
}

function withTime({ from, to }: DayRange, time: string | undefined): DatedSpan {
  return time === undefined || from !== to ? { from, to } : { from, to, time }
}

/** First valid day, else week, else month in a file or folder name, with the time of day that follows it. */
export function dateOfName(name: string, order?: DateOrder): DatedSpan | undefined {
  const composed = name.normalize('NFC')
  const date = dateInName(composed, order)
  return date && withTime(date, timeAfter(foldQuery(composed.slice(date.end)).text, order))
}

/** A name without its date and the time of day that follows: `2026-02-14-1830-standup` is `standup`. */
export function withoutDate(name: string): string {
  const composed = name.normalize('NFC')
  const date = dateInName(composed, undefined)
  if (date === undefined) return composed
  const rest = foldQuery(composed.slice(date.end)).text
  const time = timeAfter(rest, undefined) === undefined ? 0 : (NAME_TIME.exec(rest)?.[0].length ?? 0)
  const [before, after] = [composed.slice(0, date.start), composed.slice(date.end + time)]
  const isBetween = (character: string) => /[-_. \t]/.test(character)
  const letters = [...(before === '' || after === '' ? before + after : `${before} ${after}`)]
  const first = letters.findIndex((character) => !isBetween(character))
  return first === -1 ? '' : letters.slice(first, letters.findLastIndex((character) => !isBetween(character)) + 1).join('')
}

/** As `dateOfName`, but only where the name begins with the date: a folder may mention a day without belonging to it. */
export function dateOfFolder(name: string, order?: DateOrder): DatedSpan | undefined {
  const date = dateInName(name.normalize('NFC'), order)
  return date?.start === 0 ? withTime(date, undefined) : undefined
}

/** Evidence of the dates in a name or heading on the day-month order; see `OrderEvidence`. */
export function orderEvidenceIn(text: string): readonly OrderEvidence[] {
  return YEAR.test(text) ? orderEvidence(foldQuery(text).text) : []
}

function timeAfter(rest: string, order: DateOrder | undefined): string | undefined {
  const match = NAME_TIME.exec(rest)
  if (match === null) return undefined
  // `2026-02-14-2026-02-15` continues with another date, not with 20:26.
  if (firstDate(rest.replace(/^[-_. ]+/, ''), order)?.start === 0) return undefined
  return clockTime(match[1] ?? '', match[2] ?? match[4] ?? '', match[3] ?? match[5])
}

/** The date in running text (headings, front matter), with the clock time beside it. */
export function dateOfText(text: string, order?: DateOrder): DatedSpan | undefined {
  const date = firstDate(text, order)
  return date && withTime(date, timeOfText(`${text.slice(0, date.start)} ${text.slice(date.end).replace(/^T/i, ' ')}`))
}

/** First clock time in running text: `9:05`, `18:30:12`, `2:30 PM`, `9am`; undefined where there is none. */
export function timeOfText(text: string): string | undefined {
  if (!/\p{Nd}/u.test(text)) return undefined
  for (const [, hour = '', minute, second, half] of foldQuery(text).text.matchAll(TEXT_TIME)) {
    if (minute === undefined && half === undefined) continue
    if (half === undefined) {
      const time = clockTime(hour, minute ?? '', second)
      if (time !== undefined) return time
    } else if (Number(hour) >= 1 && Number(hour) <= 12) {
      const shifted = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
      return clockTime(String(shifted), minute ?? '00', second)
    }
  }
  return undefined
}

/** `HH:MM` or `HH:MM:SS`; undefined for an impossible time. */
function clockTime(hour: string, minute: string, second?: string): string | undefined {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return undefined
  const parts = second === undefined ? [hour, minute] : [hour, minute, second]
  return parts.map((part) => part.padStart(2, '0')).join(':')
}
