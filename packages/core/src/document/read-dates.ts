import { calendarDay } from '../dates/calendar-day.ts'
import { type DayRange, isoWeekRange, monthRange } from '../dates/day-range.ts'

export interface DatedSpan extends DayRange {
  /** HH:MM[:SS] on the day of `from`. */
  readonly time?: string
}

interface FoundSpan extends DayRange {
  readonly start: number
  readonly end: number
}

// A digit or letter beside a date makes it part of an id. Scripts written without spaces are no such letters: 2026-02-14会议.
const JOINED =
  '[[\\p{L}\\p{N}]--[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]]'
const BEFORE = `(?<!${JOINED})`
const AFTER = `(?!(?!T\\d\\d)${JOINED})`
const DAY = new RegExp(
  `${BEFORE}(?:(\\d{4})([\\-_.\\/])(\\d{2})\\2(\\d{2})|((?:19|20)\\d{2})(\\d{2})(\\d{2}))${AFTER}|${BEFORE}(\\d{4})\\s?[年년]\\s?(\\d{1,2})\\s?[月월]\\s?(\\d{1,2})(?!\\d)[日号號일]?`,
  'gv',
)
const WEEK = new RegExp(`${BEFORE}(\\d{4})[\\-_.]?[Ww](\\d{2})${AFTER}`, 'gv')
// A third number after a month would make it a day that does not exist, or a version.
const MONTH = new RegExp(`${BEFORE}(\\d{4})[\\-_](\\d{2})(?![\\-_.\\/]?\\d)${AFTER}`, 'gv')
const MONTH_NAMES = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const NAME = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?'
const WRITTEN = new RegExp(
  `\\b(?:${NAME}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})|(\\d{1,2})(?:st|nd|rd|th)?\\.?\\s+${NAME},?\\s+(\\d{4}))\\b`,
  'gi',
)
const NAME_TIME = new RegExp(
  `^(?:[\\-_. ]{1,3}|T)(\\d{2})(?:(\\d{2})(\\d{2})?|[\\-_.:h](\\d{2})(?:[\\-_.:](\\d{2}))?)Z?(?!${JOINED})`,
  'v',
)
const TEXT_TIME = /(?<![\d:.])(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?(?![\d:])(?:\s?([ap])\.?m\b)?/gi

// Zeros of the decimal digits that people write dates with beside ASCII: Arabic, Persian, Devanagari, Bengali, Thai, full-width.
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]

function asciiDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = ZEROS.find((first) => code >= first && code < first + 10)
    return zero === undefined ? digit : String(code - zero)
  })
}

/** One day; null where the calendar has none, or the year has not four digits of its own. */
export function dayRange(year: number, month: number, day: number): DayRange | null {
  const text = year < 1000 ? null : calendarDay(year, month, day)
  return text === null ? null : { from: text, to: text }
}

function firstMatch(text: string, pattern: RegExp, read: (groups: readonly number[]) => DayRange | null): FoundSpan | undefined {
  for (const match of text.matchAll(pattern)) {
    const range = read(
      match
        .slice(1)
        .filter((group) => group !== undefined && /^\d+$/.test(group))
        .map(Number),
    )
    if (range !== null) return { ...range, start: match.index, end: match.index + match[0].length }
  }
  return undefined
}

function numericSpan(text: string): FoundSpan | undefined {
  // Most names and headings have no year: they cost one look.
  if (!/\d{4}/.test(text)) return undefined
  return (
    firstMatch(text, DAY, ([year = 0, month = 0, day = 0]) => dayRange(year, month, day)) ??
    firstMatch(text, WEEK, ([year = 0, week = 0]) => isoWeekRange(year, week)) ??
    firstMatch(text, MONTH, ([year = 0, month = 0]) => monthRange(year, month))
  )
}

function writtenSpan(text: string): FoundSpan | undefined {
  for (const match of text.matchAll(WRITTEN)) {
    const month = MONTH_NAMES.indexOf((match[1] ?? match[5] ?? '').slice(0, 3).toLowerCase()) + 1
    const range = dayRange(Number(match[3] ?? match[6]), month, Number(match[2] ?? match[4]))
    if (range !== null) return { ...range, start: match.index, end: match.index + match[0].length }
  }
  return undefined
}

function withTime(range: DayRange, time: string | undefined): DatedSpan {
  const { from, to } = range
  return time === undefined || from !== to ? { from, to } : { from, to, time }
}

/** First valid day, else week, else month in a file or folder name, with the time of day that follows it. */
export function dateOfName(name: string): DatedSpan | undefined {
  const text = asciiDigits(name)
  const span = numericSpan(text)
  return span && withTime(span, timeAfter(text.slice(span.end)))
}

/** As `dateOfName`, but only where the name begins with the date: a folder may mention a day without being of it. */
export function dateOfFolder(name: string): DatedSpan | undefined {
  const span = numericSpan(asciiDigits(name))
  return span?.start === 0 ? withTime(span, undefined) : undefined
}

function timeAfter(rest: string): string | undefined {
  const match = NAME_TIME.exec(rest)
  if (match === null) return undefined
  // `2026-02-14-2026-02-15` goes on with another date, not with 20:26.
  if (numericSpan(rest.replace(/^[-_. ]+/, ''))?.start === 0) return undefined
  return clockTime(match[1] ?? '', match[2] ?? match[4] ?? '', match[3] ?? match[5])
}

/** The date in running text (headings, front matter): also `2026/02/14`, `2026年2月14日`, `14 February 2026`. */
export function dateOfText(text: string): DatedSpan | undefined {
  if (!/\p{Nd}{4}/u.test(text)) return undefined
  const plain = asciiDigits(text)
  const span = numericSpan(plain) ?? writtenSpan(plain)
  return span && withTime(span, timeOfText(`${plain.slice(0, span.start)} ${plain.slice(span.end).replace(/^T/, ' ')}`))
}

/** First clock time in running text: `9:05`, `18:30:12`, `2:30 PM`, `9am`; undefined where there is none. */
export function timeOfText(text: string): string | undefined {
  if (!/\p{Nd}/u.test(text)) return undefined
  for (const [, hour = '', minute, second, half] of asciiDigits(text).matchAll(TEXT_TIME)) {
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

/** `HH:MM` or `HH:MM:SS`; undefined where no clock shows it. */
function clockTime(hour: string, minute: string, second?: string): string | undefined {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return undefined
  const parts = second === undefined ? [hour, minute] : [hour, minute, second]
  return parts.map((part) => part.padStart(2, '0')).join(':')
}
