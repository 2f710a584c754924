import { addDays, calendarDay, isoWeekday } from '../calendar/calendar-day.ts'
import { type DayRange, monthRange } from '../calendar/day-range.ts'
import { persianMonthRange } from '../calendar/persian-calendar.ts'
import { calendarYearRange } from '../calendar/year-parts.ts'
import { ARABIC_MONTH, arabicMonth } from '../forms/arabic-dates.ts'
import { LETTER } from '../forms/date-matcher.ts'
import { monthNamed } from '../forms/month-names.ts'
import { latestOf, type Period, yearly } from './period.ts'
import { folded } from './time-words.ts'

/** A year among words. In the Persian calendar only beside a Persian word of time, see `isPersianLead`. */
const YEAR = new RegExp(
  `(?:(?<![0-9_${LETTER}]|\\d[-.,/:]|[#/])|(?<=(?<![0-9_${LETTER}])و))(?:(?<year>(?:19|20|21)\\d{2})(?:年(?=[前后後]))?|(?<persian>1[34]\\d{2}))(?![0-9_${LETTER}]|[-.,/:]\\d)`,
  'gu',
)
const WORD = new RegExp(`(?<![0-9_${LETTER}])[${LETTER}]{3,14}(?![0-9_${LETTER}])`, 'gu')
const ARABIC = new RegExp(ARABIC_MONTH, 'gu')
const HAN_WEEKDAY = /(?<![上下这這本每])(?:周|週|星期|礼拜|禮拜)(?<weekday>[一二三四五六日天])/gu
/** `mar` is left out: it is the sea in Spanish. */
const ENGLISH =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)$/u
/** Months of other languages that are words or names in English. */
const ENGLISH_WORDS: ReadonlySet<string> = new Set(['mars', 'mart', 'marts', 'mac', 'mei', 'mai', 'maj'])

const WEEKDAYS: readonly string[] = [
  'monday tuesday wednesday thursday friday saturday sunday',
  'montag dienstag mittwoch donnerstag freitag samstag sonntag',
  'lunes martes miércoles jueves viernes sábado domingo',
  'lundi mardi mercredi jeudi vendredi samedi dimanche',
  'الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد',
  'دوشنبه سه‌شنبه چهارشنبه پنج‌شنبه جمعه شنبه یکشنبه',
]
/** Names of months that are everyday words: Arabic for a father, Persian for water; John. */
const EVERYDAY: ReadonlySet<string> = new Set(['اب', 'جون'])

const weekdays: ReadonlyMap<string, number> = new Map(
  WEEKDAYS.flatMap((names) =>
    folded(names)
      .split(' ')
      .map((name, place) => [name, place + 1] as const),
  ),
)

/** Years, months and weekdays that are a time only where a word of time binds them. */
export function looseTimesIn(text: string, today: string): Period[] {
  const found: (Period | undefined)[] = []
  for (const { 0: all, index, groups } of text.matchAll(YEAR)) {
    const year = { year: Number(groups?.year ?? groups?.persian), isPersian: groups?.year === undefined }
    const range = calendarYearRange(year)
    if (range !== null) found.push({ start: index, end: index + all.length, precision: 'year', range, isWeak: true, year })
  }
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const place = { start: index, end: index + word.length }
    found.push(monthOf(word, place, today) ?? weekdayOf(weekdays.get(word), place, today))
  }
  for (const { 0: all, index, groups } of text.matchAll(ARABIC))
    if (!EVERYDAY.has(all))
      found.push(comesYearly(gregorianMonth(arabicMonth(groups?.month)), { start: index, end: index + all.length }, today))
  for (const { 0: all, index, groups } of text.matchAll(HAN_WEEKDAY)) {
    const weekday = '一二三四五六日'.indexOf(groups?.weekday === '天' ? '日' : (groups?.weekday ?? '')) + 1
    found.push(weekdayOf(weekday, { start: index, end: index + all.length }, today))
  }
  return found.filter((period) => period !== undefined)
}

interface Place {
  readonly start: number
  readonly end: number
}

function monthOf(word: string, place: Place, today: string): Period | undefined {
  const name = monthNamed(word)
  if (name === undefined || EVERYDAY.has(word) || (name.isShort && !ENGLISH.test(word))) return undefined
  const period = comesYearly(name.isPersian ? persianMonth(name.month) : gregorianMonth(name.month), place, today)
  return period && { ...period, isWord: ENGLISH_WORDS.has(word) }
}

function gregorianMonth(month: number): (year: number) => DayRange | null {
  return (year) => monthRange(year, month)
}

/** By the Gregorian year in which the month begins: its last two begin after New Year. */
function persianMonth(month: number): (year: number) => DayRange | null {
  return (year) => persianMonthRange(year - (month > 10 ? 622 : 621), month)
}

function comesYearly(rangeOf: (year: number) => DayRange | null, place: Place, today: string): Period | undefined {
  const around = yearly(rangeOf)
  const range = latestOf(around(today), today)
  return range && { ...place, precision: 'month', range, around, isWeak: true }
}

function weekdayOf(weekday: number | undefined, place: Place, today: string): Period | undefined {
  if (weekday === undefined) return undefined
  const around = (day: string) =>
    [-14, -7, 0, 7, 14].flatMap((days): DayRange[] => {
      const found = addDays(day, days + weekday - isoWeekday(day))
      return found === null ? [] : [{ from: found, to: found }]
    })
  // "Monday", said on a Monday, is not the same day.
  const range = around(today).findLast(({ from }) => from < today)
  return range && { ...place, precision: 'day', range, around, isWeak: true }
}

/** The day of each year, as a period that names no year. */
export function dayOfEachYear(month: number, day: number): (near: string) => readonly DayRange[] {
  return yearly((year) => {
    const found = calendarDay(year, month, day)
    return found === null ? null : { from: found, to: found }
  })
}
/** The month of each year. */
export function monthOfEachYear(month: number): (near: string) => readonly DayRange[] {
  return yearly(gregorianMonth(month))
}
