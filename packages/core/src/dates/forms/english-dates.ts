import { calendar, type DateGroups, type DateLanguage, optionalNumber, relative, YEAR } from './date-matcher.ts'
import {
  type DateReading,
  dateUnit,
  readCalendar,
  readDayOfMonth,
  readLast,
  readMonthBeside,
  readRange,
  readShifted,
  readWeekday,
  readWeekdayOfWeek,
  readWeekend,
  yearFrom,
} from './date-reading.ts'
import { isoWeekRange, yearRange } from '../calendar/day-range.ts'

/** Beginning and end of a word of folded Latin letters; plain classes, for a Unicode class makes a pattern slow to compile. */
const WORD_START = '(?<![a-z0-9_])'
const WORD_END = '(?![a-z0-9_])'
const MONTHS = words('jan feb mar apr may jun jul aug sep oct nov dec')
const WEEKDAYS = words('mon tue wed thu fri sat sun')
const COUNTS = words('one two three four five six seven eight nine ten eleven twelve')
const ORDINALS = words(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
)

const MONTH_NAMES = oneOf(
  'january february march april may june july august september october november december jan feb mar apr jun jul aug sept sep oct nov dec',
)
const WEEKDAY_NAMES = oneOf('monday tuesday wednesday thursday friday saturday sunday')
const WEEKDAY_SHORT = oneOf('mon tues tue wed thurs thur thu fri sat sun')
const MONTH = `(?<month>${MONTH_NAMES})\\b\\.?`
/**
 * Month names that are no common word or given name, so they stand alone; "may", "march", "april", "june" need a word
 * of time beside them.
 */
const PLAIN_MONTH = `(?<month>${oneOf('january february july august september october november december')})`
const DAY = '(?<day>\\d{1,2})(?<suffix>st|nd|rd|th)?'
const ORDINAL = `(?<ordinal>(?:twenty|thirty)[ -](?:${ORDINALS.slice(0, 9).join('|')})|thirtieth|${ORDINALS.join('|')})`
const RELATIVE_YEAR = '(?<which>last|this|next)\\s+year'
const GAP = '(?:\\s*,\\s*|\\s+(?:(?:of|in)\\s+)?|[-/])'
const WITH_YEAR = `(?:${GAP}(?:(?<year>${YEAR}|['’]\\d{2})|${RELATIVE_YEAR}))?`
const LAST_DAY = '\\s*(?:-|–|—|to|and)\\s*(?:the\\s+)?(?<last>\\d{1,2})(?:st|nd|rd|th)?'
const COUNT = `(?<count>\\d{1,4}|an?\\s+couple(?:\\s+of)?|an?|${COUNTS.join('|')})`
const UNIT = '(?<unit>day|week|month|year)s?'
const TIME_WORD =
  '(?:in|during|since|until|till|before|after|between|early|mid|late|(?:beginning|start|middle|end|rest|month)\\s+of)'
/** Rules out clock times, fractions and percentages that begin like a day of a month. */
const NO_AMOUNT = '(?![:.,]\\d|\\s*(?:%|am\\b|pm\\b|percent\\b))'

const DAY_WORDS: Readonly<Record<string, number>> = {
  'day before yesterday': -2,
  'last night': -1,
  yesterday: -1,
  'this morning': 0,
  'this afternoon': 0,
  'this evening': 0,
  tonight: 0,
  today: 0,
  tomorrow: 1,
  'day after tomorrow': 2,
}

const namedDays = [
  calendar(`${WORD_START}${MONTH}\\s+(?:the\\s+)?${DAY}${LAST_DAY}${WITH_YEAR}${WORD_END}${NO_AMOUNT}`, readDaysOfMonth),
  calendar(`${WORD_START}${DAY}${LAST_DAY}\\s+(?:of\\s+)?${MONTH}${WITH_YEAR}${WORD_END}`, readDaysOfMonth),
  calendar(
    `(?<=${WORD_START}(?<other>\\d{1,2}(?:st|nd|rd|th)? )?)${WORD_START}${MONTH}(?<gap>[\\s/-]+)(?:the\\s+)?${DAY}${WITH_YEAR}${WORD_END}${NO_AMOUNT}`,
    readUnlessRange,
  ),
  calendar(
    `(?<=(?<other>\\b(?:${MONTH_NAMES})\\.? )?)(?<=(?<lead>\\b(?:on|the|since|until|till|by|from|before|after|of)\\s+)?)${WORD_START}${DAY}(?<gap>[\\s/-]+)(?:day\\s+)?(?:of\\s+)?${MONTH}${WITH_YEAR}${WORD_END}(?=(?<next>\\s+[a-z])?)`,
    (groups, today) => (mayBeVerb(groups) ? null : readUnlessRange(groups, today)),
  ),
  calendar(`${WORD_START}${ORDINAL}\\s+(?:day\\s+)?of\\s+${MONTH}${WITH_YEAR}${WORD_END}`, readNamed),
]

const months = [
  calendar(`${WORD_START}${MONTH}${GAP}(?:(?<year>${YEAR})|${RELATIVE_YEAR})${WORD_END}${NO_AMOUNT}`, readNamed),
  calendar(`${WORD_START}${RELATIVE_YEAR}(?:['’]s)?\\s+(?:in\\s+)?${MONTH}${WORD_END}`, readNamed),
  calendar(`(?<=${WORD_START}${TIME_WORD}[ -])${MONTH}${WORD_END}(?!\\s+(?:i|we|you|he|she|it|they)\\b)`, readNamed),
  calendar(
    `(?<=${WORD_START}(?:${MONTH_NAMES})\\s+(?:and|to|through|until|till)\\s+|${WORD_START}from\\s+(?=(?:${MONTH_NAMES})\\s+(?:to|through|until|till)\\s))${MONTH}${WORD_END}`,
    readNamed,
  ),
  calendar(`${WORD_START}${PLAIN_MONTH}${WORD_END}`, readNamed),
  calendar(
    `(?<=${WORD_START}(?:${TIME_WORD}|year|from|of|for|${YEAR}\\s+(?:and|to|until))\\s+)(?<year>${YEAR})${WORD_END}(?![-./,]\\d)`,
    ({ year }) => readRange(yearRange(Number(year)), 'year'),
  ),
  calendar(`${WORD_START}week\\s+(?<week>\\d{1,2})\\s*,?\\s+(?:of\\s+|in\\s+)?(?<year>${YEAR})${WORD_END}`, ({ week, year }) =>
    readRange(isoWeekRange(Number(year), Number(week)), 'week'),
  ),
]

const relatives = [
  relative(`${WORD_START}${DAY}\\s+(?:of\\s+)?(?<which>last|this|next)\\s+month${WORD_END}`, ({ day, which }, today) =>
    readDayOfMonth(Number(day), stepOf(which), today),
  ),
  relative(
    `${WORD_START}(?<which>last|past|previous|this|next|coming)\\s+${MONTH}${WORD_END}(?=(?<next>\\s+[a-z])?)`,
    readMonthByWhich,
  ),

  relative(`${WORD_START}(?<word>${Object.keys(DAY_WORDS).join('|')})${WORD_END}`, ({ word }, today) =>
    readShifted('day', DAY_WORDS[word ?? ''] ?? 0, today),
  ),
  relative(
    `${WORD_START}(?<which>last|previous|this|current|next|coming)\\s+(?<unit>week|month|year)${WORD_END}`,
    (groups, today) => readShifted(dateUnit(groups.unit), stepOf(groups.which), today),
  ),
  relative(`${WORD_START}(?<which>last|past|previous|this|next|coming)\\s+weekend${WORD_END}`, ({ which }, today) =>
    readWeekend(stepOf(which), today),
  ),
  relative(
    `${WORD_START}(?<which>last|past|previous|next|coming)\\s+(?<weekday>${WEEKDAY_NAMES}|${WEEKDAY_SHORT})${WORD_END}`,
    ({ weekday, which }, today) => readWeekday(weekdayNumber(weekday), stepOf(which) < 0 ? 'before' : 'after', today),
  ),
  relative(
    `${WORD_START}(?<weekday>${WEEKDAY_NAMES})\\s+(?:of\\s+)?(?<which>last|this|next)\\s+week${WORD_END}`,
    ({ weekday, which }, today) => readWeekdayOfWeek(weekdayNumber(weekday), stepOf(which), today),
  ),
  relative(`${WORD_START}this\\s+(?<weekday>${WEEKDAY_NAMES})${WORD_END}`, ({ weekday }, today) =>
    readWeekdayOfWeek(weekdayNumber(weekday), 0, today),
  ),
  relative(`(?<=${WORD_START}on\\s+)(?<weekday>${WEEKDAY_NAMES})${WORD_END}`, ({ weekday }, today) =>
    readWeekday(weekdayNumber(weekday), 'before', today),
  ),
  relative(`(?<!\\d[.,])${WORD_START}${COUNT}\\s+${UNIT}\\s+ago${WORD_END}`, ({ count, unit }, today) =>
    readShifted(dateUnit(unit), -countNumber(count), today),
  ),
  relative(`${WORD_START}(?:last|past|previous)\\s+(?:${COUNT}\\s+)?${UNIT}${WORD_END}`, ({ count, unit }, today) =>
    readLast(dateUnit(unit), countNumber(count ?? 'a'), today),
  ),
]

const HINTS =
  /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|day|week|month|year|night|morrow|this|last|past|next|previous|coming|19\d\d|2[01]\d\d/

/** English names of months and weekdays, and relative days, weeks, months and years. */
export const englishDates: DateLanguage = { applies: HINTS, calendar: [...namedDays, ...months], relative: relatives }

function readNamed(groups: DateGroups, today: string | null): DateReading | null {
  const { month, day, ordinal } = groups
  const dayNumber = ordinal === undefined ? optionalNumber(day) : ordinalNumber(ordinal)
  return readCalendar({ year: yearNumber(groups, today), month: monthNumber(month), day: dayNumber }, today)
}

/** In "Jan 5 - Feb 3" and "28 Feb - 3 March" the dash is between two days and no part of one. */
function readUnlessRange(groups: DateGroups, today: string | null): DateReading | null | undefined {
  const isBetween = groups.other !== undefined && groups.gap === ' - '
  return isBetween && today !== null ? undefined : readNamed(groups, today)
}

/** Reads "May 5-7, 2023": both days of one year; without a year, that of the last day's most recent occurrence. */
function readDaysOfMonth(groups: DateGroups, today: string | null): DateReading | null {
  const { month, day, last } = groups
  const end = readCalendar({ year: yearNumber(groups, today), month: monthNumber(month), day: optionalNumber(last) }, today)
  if (end === null) return null
  const start = readCalendar({ year: Number(end.to.slice(0, 4)), month: monthNumber(month), day: optionalNumber(day) }, today)
  return start === null || start.from > end.to ? null : { from: start.from, to: end.to, precision: 'day' }
}

function yearNumber({ year, which }: DateGroups, today: string | null): number | undefined {
  if (year === undefined) return which === undefined ? undefined : yearFrom(today, stepOf(which))
  return year.length === 4 ? Number(year) : 2000 + Number(year.slice(1))
}

/** Reads "last May", "next March"; "this may fail" is no month. */
function readMonthByWhich({ which, month, next }: DateGroups, today: string): DateReading | null {
  const step = stepOf(which)
  if (step !== 0) return readMonthBeside(monthNumber(month), step < 0 ? 'before' : 'after', today)
  if (month === 'may' && next !== undefined) return null
  return readCalendar({ year: yearFrom(today, 0), month: monthNumber(month) }, today)
}

/** Whether the month may be a verb ("why 2 may fail"): a bare number, a month that is also a verb, and more words after it. */
function mayBeVerb({ month, suffix, year, which, lead, next }: DateGroups): boolean {
  const isBare = suffix === undefined && year === undefined && which === undefined && lead === undefined
  return isBare && next !== undefined && (month === 'may' || month === 'march')
}

function stepOf(which: string | undefined): -1 | 0 | 1 {
  if (which === 'next' || which === 'coming') return 1
  return which === 'this' || which === 'current' ? 0 : -1
}

function monthNumber(name: string | undefined): number {
  return MONTHS.indexOf((name ?? '').slice(0, 3)) + 1
}

function weekdayNumber(name: string | undefined): number {
  return WEEKDAYS.indexOf((name ?? '').slice(0, 3)) + 1
}

function ordinalNumber(word: string): number {
  const [tens, unit] = word.split(/[ -]/u)
  if (word === 'thirtieth') return 30
  return unit === undefined ? ORDINALS.indexOf(word) + 1 : (tens === 'thirty' ? 30 : 20) + ORDINALS.indexOf(unit) + 1
}

function countNumber(word: string | undefined): number {
  if (word === undefined) return 1
  if (/^\d+$/u.test(word)) return Number(word)
  if (word.includes('couple')) return 2
  return COUNTS.includes(word) ? COUNTS.indexOf(word) + 1 : 1
}

function words(list: string): readonly string[] {
  return list.split(' ')
}

function oneOf(list: string): string {
  return words(list).join('|')
}
