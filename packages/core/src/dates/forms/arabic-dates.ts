import { calendar, type DateGroups, type DateLanguage, optionalNumber, relative, YEAR } from './date-matcher.ts'
import {
  type DateReading,
  type DateUnit,
  readCalendar,
  readLast,
  readMonthBeside,
  readRange,
  readShifted,
  readWeekday,
} from './date-reading.ts'
import { yearRange } from '../calendar/day-range.ts'

// All words are spelled as `foldQuery` leaves them: no hamza carriers, ta marbuta as ha, alef maqsura as ya.
/** Gregorian names of Egypt, the Gulf, the Levant, Tunisia and Algeria, Morocco. */
const MONTHS: readonly (readonly string[])[] = [
  ['يناير', 'كانون الثاني', 'جانفي'],
  ['فبراير', 'شباط', 'فيفري'],
  ['مارس', 'اذار'],
  ['ابريل', 'نيسان', 'افريل'],
  ['مايو', 'ايار', 'ماي'],
  ['يونيو', 'يونيه', 'حزيران', 'جوان'],
  ['يوليو', 'يوليه', 'تموز', 'جويليه', 'يوليوز'],
  ['اغسطس', 'اب', 'اوت', 'غشت'],
  ['سبتمبر', 'ايلول', 'شتنبر'],
  ['اكتوبر', 'تشرين الاول'],
  ['نوفمبر', 'تشرين الثاني', 'نونبر'],
  ['ديسمبر', 'كانون الاول', 'دجنبر'],
]
const WEEKDAYS = ['اثنين', 'ثلاثاء', 'اربعاء', 'خميس', 'جمعه', 'سبت', 'احد']
const COUNTS = [
  ['واحد', 'واحده'],
  ['اثنين', 'اثنان', 'اثنتين'],
  ['ثلاث', 'ثلاثه', 'تلات'],
  ['اربع', 'اربعه'],
  ['خمس', 'خمسه'],
  ['ست', 'سته'],
  ['سبع', 'سبعه'],
  ['ثماني', 'ثمانيه', 'ثمان'],
  ['تسع', 'تسعه'],
  ['عشر', 'عشره'],
]
const ORDINALS = ['اول', 'ثاني', 'ثالث', 'رابع', 'خامس', 'سادس', 'سابع', 'ثامن', 'تاسع', 'عاشر']
const UNITS: readonly (readonly [unit: DateUnit, names: readonly string[], two: string])[] = [
  ['day', ['يوم', 'ايام', 'يوما'], 'يومين'],
  ['week', ['اسبوع', 'اسابيع', 'اسبوعا'], 'اسبوعين'],
  ['month', ['شهر', 'اشهر', 'شهور', 'شهرا'], 'شهرين'],
  ['year', ['سنه', 'سنوات', 'سنين', 'عام', 'اعوام', 'عاما'], 'سنتين|عامين'],
]
const DAY_WORDS: Readonly<Record<string, number>> = {
  'اول امس': -2,
  'اول من امس': -2,
  'امس الاول': -2,
  'قبل امس': -2,
  'اول امبارح': -2,
  امس: -1,
  الامس: -1,
  البارحه: -1,
  امبارح: -1,
  مبارح: -1,
  اليوم: 0,
  النهارده: 0,
  غدا: 1,
  الغد: 1,
  بكره: 1,
  'بعد غد': 2,
  'بعد الغد': 2,
  'بعد بكره': 2,
}

const START = '(?<![\\w\u0620-\u064a\u066e-\u06d3])'
const END = '(?![\\w\u0620-\u064a\u066e-\u06d3])'
/** Prefixes "and", "so", "in", "for", written onto the word. */
const PREFIX = '[وف]?[بل]?'
const MONTH = `(?<month>${longestFirst(MONTHS.flat())})(?:\\s*[/(]\\s*(?:${longestFirst(MONTHS.flat())})\\)?)?`
const WITH_YEAR = `(?:\\s*[,،/-]?\\s*(?:(?:من\\s+)?ل?(?:عام|سنه)\\s+)?(?<year>${YEAR})(?:\\s?م)?)?`
const TENS = 'عشرين|عشرون|ثلاثين|ثلاثون'
const ORDINAL = `ال(?:(?<ordinal>حادي|${ORDINALS.join('|')})(?<teen>\\s+عشر)?(?:\\s+وال(?<tens>${TENS}))?|(?<round>${TENS}))`
const BEFORE = '(?:ماضي|ماضيه|فائت|فائته|فايت|فايته|منصرم|منصرمه|سابق|سابقه)'
const AFTER = '(?:قادم|قادمه|مقبل|مقبله|جاي|جايه|تالي|تاليه)'
const DIRECTION = `(?:ال(?<before>${BEFORE})|ال(?<after>${AFTER})|اللي\\s+فات(?:ت)?)`
const UNIT = `(?<unit>${longestFirst(UNITS.flatMap(([, names]) => names))})`
const COUNT = `(?<count>\\d{1,4}|${longestFirst(COUNTS.flat())})`

/** The name of a month alone, for a pattern; its number is `arabicMonth` of the group `month`. */
export const ARABIC_MONTH: string = `${START}${PREFIX}${MONTH}${END}`

/** Arabic, standard and common spoken forms. */
export const arabicDates: DateLanguage = {
  applies: /\p{Script=Arabic}/u,
  calendar: [
    calendar(
      `${START}${PREFIX}(?<day>\\d{1,2})(?:\\s*[/-]\\s*|\\s+(?:من\\s+)?(?:شهر\\s+)?)${MONTH}${WITH_YEAR}${END}`,
      readNamed,
    ),
    calendar(`${START}${PREFIX}${ORDINAL}\\s+(?:من\\s+)?(?:شهر\\s+)?${MONTH}${WITH_YEAR}${END}`, readNamed),
    calendar(
      `${START}${PREFIX}${MONTH}\\s*[,،/-]?\\s*(?:(?:من\\s+)?ل?(?:عام|سنه)\\s+)?(?<year>${YEAR})(?:\\s?م)?${END}`,
      readNamed,
    ),
    calendar(`(?<=${START}[وف]?(?:في|منذ|خلال|حتي|بدايه|نهايه|منتصف|اواخر|اوائل|ل?شهر)\\s+)${MONTH}${END}`, readNamed),
    calendar(`(?<=${START}[وف]?[بل]?(?:عام|سنه|في|منذ|خلال)\\s+)(?<year>${YEAR})(?:\\s?م)?${END}(?![-./]\\d)`, ({ year }) =>
      readRange(yearRange(Number(year)), 'year'),
    ),
  ],
  relative: [
    relative(`${START}${PREFIX}(?:شهر\\s+)?${MONTH}\\s+${DIRECTION}${END}`, readMonthByDirection),
    relative(
      `${START}${PREFIX}(?<word>${longestFirst(Object.keys(DAY_WORDS))})${END}(?!\\s+(?:${DIRECTION}|ال(?:${ORDINALS.join('|')}))${END})`,
      ({ word }, today) => readShifted('day', DAY_WORDS[word ?? ''] ?? 0, today),
    ),
    relative(`${START}${PREFIX}(?:ال|ل)?${UNIT}\\s+${DIRECTION}${END}`, (groups, today) =>
      readShifted(unitOf(groups.unit), stepOf(groups), today),
    ),
    relative(`${START}${PREFIX}(?:هذا|هذه|هاد)\\s+ال${UNIT}${END}`, ({ unit }, today) => readShifted(unitOf(unit), 0, today)),
    relative(`${START}[وف]?(?:قبل|منذ|من)\\s+${COUNT}\\s+${UNIT}${END}`, ({ count, unit }, today) =>
      readShifted(unitOf(unit), -countNumber(count), today),
    ),
    relative(`${START}[وف]?(?:قبل|منذ)\\s+${UNIT}${END}(?!\\s+ال)`, ({ unit }, today) => readShifted(unitOf(unit), -1, today)),
    relative(`${START}[وف]?(?:قبل|منذ|من)\\s+(?<two>${UNITS.map(([, , two]) => two).join('|')})${END}`, ({ two }, today) =>
      readShifted(unitOfTwo(two), -2, today),
    ),
    relative(
      `${START}(?:ال(?<two>${UNITS.map(([, , two]) => two).join('|')})\\s+ال(?:ماضيين|اخيرين|فائتين))${END}`,
      ({ two }, today) => readLast(unitOfTwo(two), 2, today),
    ),
    relative(`${START}(?:ال)?(?:اخر|خلال)\\s+${COUNT}\\s+${UNIT}${END}`, ({ count, unit }, today) =>
      readLast(unitOf(unit), countNumber(count), today),
    ),
    relative(`${START}${PREFIX}(?:يوم\\s+)?ال(?<weekday>${WEEKDAYS.join('|')})\\s+${DIRECTION}${END}`, (groups, today) =>
      readWeekday(weekdayNumber(groups.weekday), stepOf(groups) < 0 ? 'before' : 'after', today),
    ),
    relative(`${START}${PREFIX}يوم\\s+ال(?<weekday>${WEEKDAYS.join('|')})${END}`, ({ weekday }, today) =>
      readWeekday(weekdayNumber(weekday), 'before', today),
    ),
  ],
}

function readNamed({ year, month, day, ordinal, teen, tens, round }: DateGroups, today: string | null): DateReading | null {
  const ordinalDay = ordinal === undefined ? tensNumber(round) : ordinalNumber(ordinal, teen, tens)
  const dayNumber = ordinalDay === 0 ? optionalNumber(day) : ordinalDay
  return readCalendar({ year: optionalNumber(year), month: arabicMonth(month), day: dayNumber }, today)
}

function readMonthByDirection(groups: DateGroups, today: string): DateReading | null {
  return readMonthBeside(arabicMonth(groups.month), stepOf(groups) < 0 ? 'before' : 'after', today)
}

/** "the third" 3, "the third ten" 13, "the third and the twenty" 23. */
function ordinalNumber(ordinal: string, teen: string | undefined, tens: string | undefined): number {
  const unit = ordinal === 'حادي' ? 1 : ORDINALS.indexOf(ordinal) + 1
  if (teen !== undefined) return unit + 10
  return unit + tensNumber(tens)
}

function tensNumber(word: string | undefined): 0 | 20 | 30 {
  if (word === undefined) return 0
  return word.startsWith('عشر') ? 20 : 30
}

/** 1 to 12; 0 for another word. */
export function arabicMonth(name: string | undefined): number {
  return MONTHS.findIndex((names) => name !== undefined && names.includes(name)) + 1
}

function weekdayNumber(name: string | undefined): number {
  return WEEKDAYS.indexOf(name ?? '') + 1
}

function unitOf(name: string | undefined): DateUnit {
  return UNITS.find(([, names]) => name !== undefined && names.includes(name))?.[0] ?? 'day'
}

function unitOfTwo(name: string | undefined): DateUnit {
  return UNITS.find(([, , two]) => name !== undefined && two.split('|').includes(name))?.[0] ?? 'day'
}

function countNumber(word: string | undefined): number {
  const place = COUNTS.findIndex((names) => word !== undefined && names.includes(word))
  return place >= 0 ? place + 1 : Number(word)
}

function stepOf({ after }: DateGroups): -1 | 1 {
  return after === undefined ? -1 : 1
}

/** Longest first, so that "كانون الثاني" is not read as something shorter. */
function longestFirst(names: readonly string[]): string {
  return names.toSorted((left, right) => right.length - left.length).join('|')
}
