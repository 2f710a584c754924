import { CHINESE_DIGIT, chineseNumber } from './chinese-numerals.ts'
import { calendar, type DateGroups, type DateLanguage, relative } from './date-matcher.ts'
import {
  type DateReading,
  type DateUnit,
  readCalendar,
  readDayOfMonth,
  readLast,
  readRange,
  readShifted,
  readWeekdayOfWeek,
  readWeekend,
  yearFrom,
} from './date-reading.ts'
import { isoWeekRange, yearRange } from '../calendar/day-range.ts'

const NUMBER = `${CHINESE_DIGIT}{1,4}`
const NO_DIGIT_BEFORE = `(?<!${CHINESE_DIGIT})`
const YEAR_DIGITS = '(?<year>(?:19|20|21)[0-9]{2}|[一二][〇零一二三四五六七八九]{3})'
const MOON = '(?![亮光饼餅球薪经經台臺])'
/** Years before the first of an era: of Japan's emperors, and of the Republic calendar that Taiwan uses. */
const ERAS: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988, 昭和: 1925, 民國: 1911, 民国: 1911 }
const WEEK = '(?:周|週|星期|礼拜|禮拜)'

const YEAR_WORDS: Readonly<Record<string, number>> = { 前年: -2, 去年: -1, 昨年: -1, 今年: 0, 明年: 1, 来年: 1, 來年: 1 }
const DAY_WORDS: Readonly<Record<string, number>> = {
  大前天: -3,
  一昨日: -2,
  おととい: -2,
  きのう: -1,
  前天: -2,
  昨天: -1,
  昨日: -1,
  昨晚: -1,
  昨夜: -1,
  今天: 0,
  今日: 0,
  今早: 0,
  今晚: 0,
  明天: 1,
  明日: 1,
  明晚: 1,
  后天: 2,
  後天: 2,
}
const STEPS: Readonly<Record<string, number>> = { 上上: -2, 上: -1, 这: 0, 這: 0, 本: 0, 下: 1, 下下: 2 }
const STEP = '(?<step>上上|下下|上|这|這|本|下)(?:一)?(?:个|個)?'
const JAPANESE: Readonly<Record<string, readonly [unit: DateUnit, steps: number]>> = {
  先週: ['week', -1],
  今週: ['week', 0],
  来週: ['week', 1],
  先月: ['month', -1],
  今月: ['month', 0],
  来月: ['month', 1],
}
const UNITS: readonly (readonly [unit: DateUnit, names: string])[] = [
  ['day', '天日'],
  ['week', '周週星礼禮'],
  ['month', '月'],
  ['year', '年'],
]
const UNIT = `(?:个|個)?(?<unit>天|日|${WEEK.slice(3, -1)}|月|年)`

/** Chinese in both scripts, the forms Japanese shares with it, and Japanese words for weeks and months. */
export const chineseDates: DateLanguage = {
  applies: /\p{Script=Han}/u,
  calendar: [
    calendar(
      `${NO_DIGIT_BEFORE}(?:(?:${YEAR_DIGITS}\\s*年|(?<era>${oneOf(ERAS)})\\s*(?<eraYear>元|${NUMBER})\\s*年|(?<yearWord>${oneOf(YEAR_WORDS)})的?)\\s*)?(?<!${CHINESE_DIGIT})(?<month>${CHINESE_DIGIT}{1,3})\\s*月${MOON}份?(?:\\s*(?<day>${CHINESE_DIGIT}{1,3})\\s*[日号號])?`,
      readNamed,
    ),
    calendar(`${NO_DIGIT_BEFORE}${YEAR_DIGITS}\\s*年的?第?(?<week>${CHINESE_DIGIT}{1,3})${WEEK}`, ({ year, week }) =>
      readRange(isoWeekRange(yearNumber(year), chineseNumber(week ?? '')), 'week'),
    ),
    calendar(`${NO_DIGIT_BEFORE}${YEAR_DIGITS}\\s*年(?![间間前后後内內])`, (groups) =>
      readRange(yearRange(yearNumber(groups.year)), 'year'),
    ),
  ],
  relative: [
    relative(`(?<!几|幾|以)(?<yearWord>${oneOf(YEAR_WORDS)})`, ({ yearWord }, today) =>
      readShifted('year', YEAR_WORDS[yearWord ?? ''] ?? 0, today),
    ),
    relative(`(?<![以之目从從最随隨然先天年月周])(?<word>${oneOf(DAY_WORDS)})(?![天性])`, ({ word }, today) =>
      readShifted('day', DAY_WORDS[word ?? ''] ?? 0, today),
    ),
    relative(`(?<word>${oneOf(JAPANESE)})`, ({ word }, today) => {
      const [unit, steps] = JAPANESE[word ?? ''] ?? ['day', 0]
      return readShifted(unit, steps, today)
    }),
    relative(`${STEP}${WEEK}${weekdayPattern()}?`, readWeek),
    relative(`${STEP}月${MOON}份?(?:\\s*(?<day>${CHINESE_DIGIT}{1,3})\\s*[日号號])?`, ({ step, day }, today) =>
      day === undefined
        ? readShifted('month', STEPS[step ?? ''] ?? 0, today)
        : readDayOfMonth(chineseNumber(day), STEPS[step ?? ''] ?? 0, today),
    ),
    relative(`(?<!\\d[.,])${NO_DIGIT_BEFORE}(?<count>${NUMBER})\\s*${UNIT}(?:间|間)?[以之]?前`, ({ count = '', unit }, today) =>
      // 2024年前 is "before 2024".
      unit === '年' && count.length === 4 ? undefined : readShifted(unitOf(unit), -chineseNumber(count), today),
    ),
    relative(`(?:最近|过去|過去|近)(?:的|这|這)?\\s*(?<count>${NUMBER})\\s*${UNIT}`, ({ count, unit }, today) =>
      readLast(unitOf(unit), chineseNumber(count ?? ''), today),
    ),
  ],
}

/** Excludes 上周一直, 上周日志, 上周天气, which name the week and go on with another word. */
function weekdayPattern(): string {
  return '(?:(?<weekday>[二三四五六]|一(?![直样樣起些次般定共同])|日(?![志誌记記报報程常期])|天(?![气氣]))(?![个個])|(?<weekend>末))'
}

function readNamed({ year, yearWord, era, eraYear, month, day }: DateGroups, today: string | null): DateReading | null {
  const relativeYear = yearWord === undefined ? undefined : yearFrom(today, YEAR_WORDS[yearWord] ?? 0)
  const yearOfEra = era === undefined ? undefined : (ERAS[era] ?? 0) + (eraYear === '元' ? 1 : yearNumber(eraYear))
  return readCalendar(
    {
      year: year === undefined ? (yearOfEra ?? relativeYear) : yearNumber(year),
      month: chineseNumber(month ?? ''),
      day: day === undefined ? undefined : chineseNumber(day),
    },
    today,
  )
}

function readWeek({ step, weekday, weekend }: DateGroups, today: string): DateReading | null {
  const weeks = STEPS[step ?? ''] ?? 0
  if (weekend !== undefined) return readWeekend(weeks, today)
  if (weekday === undefined) return readShifted('week', weeks, today)
  return readWeekdayOfWeek('一二三四五六日'.indexOf(weekday === '天' ? '日' : weekday) + 1, weeks, today)
}

function yearNumber(digits: string | undefined): number {
  return chineseNumber(digits ?? '')
}

function unitOf(name: string | undefined): DateUnit {
  return UNITS.find(([, names]) => name !== undefined && names.includes(name.slice(0, 1)))?.[0] ?? 'day'
}

function oneOf(table: Readonly<Record<string, unknown>>): string {
  return Object.keys(table)
    .toSorted((left, right) => right.length - left.length)
    .join('|')
}
