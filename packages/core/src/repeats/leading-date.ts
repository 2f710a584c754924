import { calendarDay } from '../dates/calendar/calendar-day.ts'
import { readDates } from '../dates/read-dates.ts'
import { foldWord } from '../text/letters/fold.ts'

/** The date or clock time at the beginning of a line: when it was written, not what it says. */
export interface LeadingDate {
  /** Characters [start, end) of the line: the date, the marks around it and the separator after it. */
  readonly start: number
  readonly end: number
  /** YYYY-MM-DD, where the date is whole and has only one reading. */
  readonly day?: string
  /** HH:MM[:SS]. */
  readonly time?: string
}

/** Longest date with its weekday and time; reading more would cost time on every line. */
const REACH = 80
/** A task's box before the date is no part of it; neither are the marks of a heading or the bar of a table's row. */
const BEFORE = /^(?:#{1,6}\s+|\|\s*|>\s?)?(?:\[[ xX]\]\s+)?/
const OPENING = /^[*_~`[(（【「]{0,4}/
/** A day beside a word: everything else cannot be a written date. */
const MAY_BE_WRITTEN = /^(?:\d{1,2}(?:st|nd|rd|th)?\.?\s+\p{L}|\p{L}{1,20}\.?\s+(?:the\s+)?\d{1,2}(?!\d))/iu
const CLOSING = /^[*_~`\])）】」]{0,4}/
/** A dash separates only before a blank: before a digit it is a sign. */
const SEPARATOR = /^\s*(?:[:：,，、;；|]|[-–—](?=\s))?\s*/
/** Between a date and its time or weekday: `2026-03-14T08:03`, `2026-03-14 (Sat)`. */
const BETWEEN = /^(?:t(?=\d)|[\s,，(（]*)/i
/** Text after a date that shows it is not part of something longer. */
const BORDER = /^(?:$|[\s:：,，、;；|)\]）】」*_~`]|\.(?:\s|$)|[-–—]\s)/
/** A span of times or days is content. */
const SPAN = /^\s*(?:[-–—~～/]|(?:to|till|until|bis|до|إلى|الى|حتى)(?=\s)|[至到])\s*\p{Nd}/iu
const UNSPACED_BORDER = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

const YEAR_FIRST = /^(\d{4})([-/._])(\d{1,2})\2(\d{1,2})(?!\d)/
const EAST_ASIAN = /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]?/
const DAY_FIRST = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})(?!\d)/
const WEEKDAY =
  /^(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?(?![\p{L}\p{N}])|(?:الاثنين|الإثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|الأحد)(?!\p{L})|(?:星期|周|週|礼拜|禮拜)[一二三四五六日天]|[月火水木金土日]曜日?)/iu
/** An offset counts only after seconds: `08:00-09:00` is a span of time. */
const CLOCK =
  /^(?:上午|下午|凌晨|早上|晚上|中午|午前|午後)?(\d{1,2})(?:[:：](\d{2})(?:[:：](\d{2})(?:[.,]\d{1,9})?(?:[+-]\d{2}:?\d{2}(?![\d:]))?)?|[点點时時](?:(\d{1,2})分?|半|整))(?:\s?([ap])\.?m\.?(?!\p{L})|\s?[صم](?!\p{L}))?(?:\s?(?:utc|gmt)(?:[+-]\d{1,2}(?::?\d{2})?(?!\d))?(?!\p{L})|\s?(?:z|ces?t|[ecmp][sd]t)(?!\p{L}))?/iu
/** `8点` alone is a count of eight; after a part of the day it is a time. */
const EAST_ASIAN_HOUR = /^(?:上午|下午|凌晨|早上|晚上|中午|午前|午後)(\d{1,2})[点點时時]/
/** `5:30 min/km` and `7:30 hours` are durations. */
const LENGTH =
  /^\s?(?:\/|(?:min|minutes?|h|hrs?|hours?|sec|seconds?|km|stunden?|minuten?|часов|часа|минут[аы]?|ساعة|ساعات|دقيقة|دقائق)(?!\p{L})|小时|小時|分钟|分鐘|時間)/iu
const HOUR = /^(\d{1,2})\s?([ap])\.?m\.?(?!\p{L})/iu

/** Digits of any script as 0 to 9; the length is unchanged. */
function asciiDigits(text: string): string {
  return /[^\0-\x7f]/.test(text)
    ? text.replace(/[^\P{Nd}0-9]/gu, (digit) => (digit.length === 1 ? foldWord(digit) : digit))
    : text
}

interface Read {
  readonly length: number
  readonly day?: string | undefined
  readonly time?: string | undefined
}

function dayRead(
  match: RegExpExecArray,
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): Read | undefined {
  const found = calendarDay(Number(year), Number(month), Number(day))
  return found === null ? undefined : { length: match[0].length, day: found }
}

function numericDay(text: string): Read | undefined {
  const yearFirst = YEAR_FIRST.exec(text) ?? undefined
  // `2026.11.3` is a version number.
  if (yearFirst?.[2] === '.' && yearFirst[0].length < 10) return undefined
  if (yearFirst) return dayRead(yearFirst, yearFirst[1], yearFirst[3], yearFirst[4])
  const eastAsian = EAST_ASIAN.exec(text)
  if (eastAsian) return dayRead(eastAsian, eastAsian[1], eastAsian[2], eastAsian[3])
  const dayFirst = DAY_FIRST.exec(text)
  if (!dayFirst) return undefined
  const [, first, mark, second, year] = dayFirst
  if (mark === '.' || Number(first) > 12) return dayRead(dayFirst, year, second, first)
  // 03/14/2026 is one day; 03/04/2026 is a date too, but its day is unknown.
  if (Number(second) > 12) return dayRead(dayFirst, year, first, second)
  return Number(first) > 0 && Number(second) > 0 ? { length: dayFirst[0].length } : undefined
}

/** A date with month name and year, read by the reader for questions. */
function writtenDay(text: string): Read | undefined {
  if (!MAY_BE_WRITTEN.test(text) || !/\d{4}/.test(text.slice(0, 40))) return undefined
  const first = readDates(text, { nowMs: 0, timeZone: 'UTC' })[0]
  if (first?.start !== 0 || first.precision !== 'day' || !/\d{4}/.test(text.slice(0, first.end))) return undefined
  return { length: first.end, day: first.from }
}

function clock(text: string): Read | undefined {
  const match = CLOCK.exec(text)
  if (match && !LENGTH.test(text.slice(match[0].length))) {
    const [all, hour = '', minute = match[4] ?? '00', second, , half] = match
    return timeRead(all.length, hour, minute, second, half)
  }
  const eastAsian = EAST_ASIAN_HOUR.exec(text)
  if (eastAsian) return timeRead(eastAsian[0].length, eastAsian[1] ?? '', '00')
  const hour = HOUR.exec(text)
  return hour ? timeRead(hour[0].length, hour[1] ?? '', '00', undefined, hour[2]) : undefined
}

// oxlint-disable-next-line max-params
function timeRead(length: number, hour: string, minute: string, second?: string, half?: string): Read | undefined {
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  if (hours > 24 || Number(minute) > 59 || Number(second ?? 0) > 59) return undefined
  const parts = [String(hours), minute, ...(second === undefined ? [] : [second])]
  return { length, time: parts.map((part) => part.padStart(2, '0')).join(':') }
}

function weekday(text: string): Read | undefined {
  const match = WEEKDAY.exec(text)
  return match ? { length: match[0].length } : undefined
}

/**
 * Whether the line may begin with a date at all: nearly none does, and this runs on every line. A letter may begin a
 * weekday, the name of a month with a year after it, or in Chinese a time of day.
 */
function mayLead(text: string): boolean {
  const code = text.charCodeAt(0)
  if (code < 0x80) {
    if (code >= 0x30 && code <= 0x39) return true
    const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
    return isLetter && (MAY_BE_WRITTEN.test(text) || WEEKDAY.test(text))
  }
  return /^\p{Nd}/u.test(text) || (/^\p{L}/u.test(text) && /\p{Nd}/u.test(text.slice(0, 24)))
}

/** Date, weekday and time at the beginning, in any order; `from` is where the line's own text begins. */
export function leadingDate(line: string, from = 0): LeadingDate | undefined {
  const head = line.slice(from, from + REACH)
  const before = BEFORE.exec(head)?.[0].length ?? 0
  const opening = OPENING.exec(head.slice(before))?.[0].length ?? 0
  if (!mayLead(head.slice(before + opening))) return undefined
  const text = asciiDigits(head)
  let at = before + opening
  let end = -1
  let [day, time]: [string | undefined, string | undefined] = [undefined, undefined]
  for (let piece = 0; piece < 4; piece += 1) {
    const rest = text.slice(at)
    const read: Read | undefined =
      (day === undefined ? (numericDay(rest) ?? writtenDay(rest)) : undefined) ?? clock(rest) ?? weekday(rest)
    if (read === undefined) break
    day ??= read.day
    time ??= read.time
    at += read.length
    // A weekday alone is content: "Monday: bins", "Friday: bins".
    if (read.day !== undefined || read.time !== undefined || end >= 0 || numericDay(rest)) end = at
    at += BETWEEN.exec(text.slice(at))?.[0].length ?? 0
  }
  if (end < 0) return undefined
  const behind = text.slice(end)
  if (SPAN.test(behind)) return undefined
  if (!BORDER.test(behind) && !UNSPACED_BORDER.test(behind)) return undefined
  end += CLOSING.exec(text.slice(end))?.[0].length ?? 0
  end += SEPARATOR.exec(text.slice(end))?.[0].length ?? 0
  return { start: from + before, end: from + end, ...(day !== undefined && { day }), ...(time !== undefined && { time }) }
}
