import { calendar, type DateGroups, type DateLanguage, LETTER, optionalNumber } from './date-matcher.ts'
import { type DateReading, readCalendar, readDay, readRange } from './date-reading.ts'
import { type MonthName, monthNamed } from './month-names.ts'
import { dayOfEra, gregorianYear } from './numeric-dates.ts'
import { persianDay, persianMonthRange, persianYearOf } from '../calendar/persian-calendar.ts'

const START = `(?<![0-9${LETTER}]|\\d[.,])`
const END = `(?![0-9${LETTER}])`
/** A word that may be a month; in Thai also a short one, with points inside. */
const WORD = `(?<word>[${LETTER}]{2,14}|[\\u0e01-\\u0e4e]{1,3}\\.[\\u0e01-\\u0e4e](?=\\.)|[\\u0e01-\\u0e4e]{4,12})`
const DAY = '(?<day>\\d{1,2})'
/** Ordinal endings: "5.", "1er", "1º", "5th", "5-е". */
const ORDINAL = '(?:\\.|er|re|e|o|a|º|ª|st|nd|rd|th|-?[гоеё]{1,2}|η|α)?'
/** Words between day, month and year: "5 de março de 2026", "el 5 del marzo", "5 ng Marso". */
const OF = "(?:(?:de|del|do|da|di|of|ng|den|ta|τη)\\s+|d')?"
const GAP = '(?:\\s?[-/.]\\s?|\\s*[,،]?\\s*)'
const YEAR_MARK = '(?:(?:de|del|do|nam|roku|r\\.|року|года?|год|ค\\.?ศ\\.?|พ\\.?ศ\\.?)\\s*)?'
const YEAR = '(?<year>\\d{4})(?!\\d)'
/** Words that make a following day and month without a year certain. */
const LEAD =
  '(?<lead>(?:le|du|au|des|il|al|el|del|dal|den|der|dem|am|vom|zum|bis|ab|seit|op|van|tot|pada|tanggal|em|dia|no|ao|στις|από|с|до|от|к|по|з|od|do|dnia|den|i)\\s+)?'

/** Months that are words or names too, so that a bare number before them makes no date: "5 mars bars", "2 may". */
const WORDS: ReadonlySet<string> = new Set([
  'mars',
  'mart',
  'marts',
  'march',
  'may',
  'mei',
  'mai',
  'mac',
  'april',
  'august',
  'juni',
  'maj',
])

/** Words before a month alone: "im März", "en mars", "в марте". */
const IN = '(?:im|en|em|in|a|nel|bulan|w|v|в|у)'

/** A day, month and year in the languages that write them with the month's name, whatever the order. */
export const namedDates: DateLanguage = {
  applies: new RegExp(`\\d|${START}${IN} `),
  calendar: [
    calendar(
      `(?<=${START}${LEAD})${START}${DAY}${ORDINAL}${GAP}${OF}${WORD}(?:[.׳॰]?${GAP}${YEAR_MARK}${YEAR})?${END}`,
      readDayFirst,
    ),
    calendar(`${START}${WORD}\\.?\\s+${DAY}(?:st|nd|rd|th|\\.|-?an)?(?:\\s*,\\s*|\\s+)${YEAR}${END}`, readDayFirst),
    calendar(`${START}${YEAR}\\.?(?:\\s+|[-/])${OF}${WORD}\\.?(?:\\s+|[-/])${DAY}(?!\\d)\\.?${END}`, readDayFirst),
    calendar(`${START}${WORD}[.׳॰]?(?:\\s?[-/]\\s?|\\s*,?\\s*)${YEAR_MARK}${YEAR}${END}`, readMonth),
    calendar(`(?<=${START}(?<lead>${IN})\\s+)${START}${WORD}${END}`, readMonthAlone),
    calendar(
      `${START}(?:ngay\\s+)?${DAY}\\s+(?:thang|thg)\\s+(?<month>\\d{1,2})(?:(?:\\s*,?\\s+|\\s*/\\s*)(?:nam\\s+)?${YEAR})?${END}`,
      ({ day, month, year }, today) =>
        readCalendar({ year: optionalNumber(year), month: Number(month), day: optionalNumber(day) }, today),
    ),
    calendar(
      `${START}(?:thang|thg)\\s+(?<month>\\d{1,2})(?:\\s*,?\\s+|\\s*/\\s*)(?:nam\\s+)?${YEAR}${END}`,
      ({ month, year }, today) => readCalendar({ year: optionalNumber(year), month: Number(month) }, today),
    ),
    calendar(`(?<!\\d)(?:${YEAR}년\\s*)?(?<month>\\d{1,2})월(?:\\s*${DAY}일)?`, ({ year, month, day }, today) =>
      readCalendar({ year: optionalNumber(year), month: Number(month), day: optionalNumber(day) }, today),
    ),
  ],
  relative: [],
}

function readDayFirst({ day, word, year, lead }: DateGroups, today: string | null): DateReading | null | undefined {
  if (Number(day) > 31) return undefined
  const name = namedIn(word)
  if (name === undefined || (name.isShort && year === undefined)) return undefined
  if (year !== undefined) return readDay(dayOf(name, Number(year), Number(day)))
  if (WORDS.has(word ?? '') && lead === undefined) return undefined
  if (!name.isPersian) return readCalendar({ month: name.month, day: Number(day) }, today)
  return today === null ? null : readDay(latestPersian(name.month, Number(day), today))
}

function dayOf({ month, isPersian }: MonthName, year: number, day: number): string | null {
  if (isPersian) return year >= 1200 && year < 1500 ? persianDay(year, month, day) : null
  return gregorianYear(year) === null ? null : dayOfEra(year, month, day)
}

function latestPersian(month: number, day: number, today: string): string | null {
  const year = persianYearOf(today)
  const thisYear = persianDay(year, month, day)
  return thisYear !== null && thisYear <= today ? thisYear : persianDay(year - 1, month, day)
}

function readMonth({ word, year }: DateGroups, today: string | null): DateReading | null | undefined {
  const gregorian = gregorianYear(Number(year))
  const isPersianYear = Number(year) >= 1300 && Number(year) < 1500
  if (!isPersianYear && (gregorian === null || gregorian < 1900)) return undefined
  const name = namedIn(word)
  if (name === undefined || name.isShort || name.isPersian !== isPersianYear) return undefined
  return name.isPersian
    ? readRange(persianMonthRange(Number(year), name.month), 'month')
    : readCalendar({ year: gregorian ?? undefined, month: name.month }, today)
}

/** "In mars" and "a mei" may be anything; the other words stand only before months and places. */
function readMonthAlone({ word, lead }: DateGroups, today: string | null): DateReading | null | undefined {
  const name = namedIn(word)
  if (name === undefined || name.isShort || name.isPersian) return undefined
  return (lead === 'in' || lead === 'a') && WORDS.has(word ?? '') ? undefined : readCalendar({ month: name.month }, today)
}

/** Hebrew writes "in", "to", "from" and "the" onto the month. */
function namedIn(word: string = ''): MonthName | undefined {
  return monthNamed(word) ?? (/^[בלמה]/.test(word) ? monthNamed(word.slice(1)) : undefined)
}
