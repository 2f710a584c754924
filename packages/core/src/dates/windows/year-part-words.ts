import { partsOfDay } from '../calendar/calendar-day.ts'
import { type YearPart, yearPartRange } from '../calendar/year-parts.ts'
import { latestOf, type Period, yearly } from './period.ts'
import { byLength, folded, WORD_END, WORD_START } from './time-words.ts'

/** By place, the words for first to fourth. */
const ORDINALS: readonly string[] = [
  'first|1st|erste|erster|erstes|ersten|erstem|1.|primer|primera|premier|première|1er|1re|اول|أولى|نخست|一|1',
  'second|2nd|zweite|zweiter|zweites|zweiten|zweitem|2.|segundo|segunda|deuxième|seconde|2e|ثاني|دوم|二|2',
  'third|3rd|dritte|drittes|dritten|drittem|3.|tercer|tercero|troisième|3e|ثالث|سوم|三|3',
  'fourth|4th|final|vierte|viertes|vierten|viertem|4.|cuarto|último|quatrième|4e|رابع|أخير|چهارم|四|4',
].map(folded)
/** Winter is the fourth season: it has the year of its December. */
const SEASONS: readonly string[] = [
  'spring|frühling|frühjahr|fruehling|fruehjahr|primavera|printemps|ربيع|春天|春季|春|بهار',
  'summer|sommer|verano|été|صيف|夏天|夏季|夏|تابستان',
  'autumn|fall|herbst|otoño|automne|خريف|秋天|秋季|秋|پاییز',
  'winter|invierno|hiver|شتاء|冬天|冬季|冬|زمستان',
].map(folded)
const QUARTER = 'quarter|quartal|quartals|quartale|trimestre|ربع|سه‌ماهه|سه ماهه|سه‌ماهه‌ی|سه ماهه ی'
const HALF = 'half|halbjahr|halbjahrs|halbjahres|jahreshälfte|hälfte|semestre|mitad|moitié|نصف|نیمه|نیمه‌ی'
const BACK =
  'last|previous|past|letzte|letzten|letztem|letzter|letztes|vorige|voriges|vorigen|vorigem|voriger|vergangene|vergangenes|vergangenen|vergangenem|vergangener|pasado|pasada|último|última|anterior|dernier|dernière|passé|passée|précédent|ماضي|فائت|سابق|منصرم|上|گذشته|قبل|پیش'
const NOW = 'this|current|diese|diesen|diesem|dieser|dieses|este|esta|actual|ce|cet|cette|حالي|این|جاری|这|這|本'
const ON =
  'next|coming|nächste|nächsten|nächstem|nächster|nächstes|kommende|kommenden|kommendem|kommender|kommendes|próximo|próxima|prochain|prochaine|قادم|مقبل|下|آینده'

const words = (list: string) => list.split('|')
const [back, now, on] = [BACK, NOW, ON].map((list) => words(folded(list)))
const quarter = words(folded(QUARTER))
const latin = (list: string) =>
  byLength(
    words(list)
      .filter((word) => /[a-z0-9]/.test(word))
      .join('|'),
  ).replaceAll('.', '\\.')
const arabic = (list: string) =>
  byLength(
    words(list)
      .filter((word) => /[\u0620-\u06d3]/.test(word))
      .join('|'),
  )

const ordinals = ORDINALS.join('|')
const seasons = SEASONS.join('|')
const units = folded(`${QUARTER}|${HALF}`)
const stepped = folded(QUARTER)
const steps = folded(`${BACK}|${NOW}|${ON}`)

/** Parts of a year by number or name: "first quarter", "Q1", 上半年, "spring". */
const PARTS: readonly RegExp[] = [
  `${WORD_START}(?:(?<ordinal>${latin(ordinals)}) (?<unit>${latin(units)})|(?<code>[qht])(?<number>[1-4])|(?<season>${latin(seasons)}))${WORD_END}`,
  `${WORD_START}[وف]?[بل]?(?:ال)?(?:(?<unit>${arabic(units)}) (?:ال)?(?<ordinal>${arabic(ordinals)})|(?<season>${arabic(seasons)}))${WORD_END}`,
  `第?(?<ordinal>[一二三四1-4])(?<unit>季度|季(?![节節]))|(?<half>[上下])半年|(?<season>[春夏秋冬][天季]|(?<=年的?)[春夏秋冬])`,
].map((source) => new RegExp(source, 'gu'))

/** Parts of a year by their distance from the present: "last quarter", "el verano pasado", 上季度. */
const STEPPED: readonly RegExp[] = [
  `${WORD_START}(?:(?<step>${latin(steps)}) (?:(?<unit>${latin(stepped)})|(?<season>${latin(seasons)})))${WORD_END}`,
  `${WORD_START}(?:(?:(?<unit>${latin(stepped)})|(?<season>${latin(seasons)})) (?<step>${latin(steps)}))${WORD_END}`,
  `${WORD_START}[وف]?[بل]?(?:ال)?(?:(?<unit>${arabic(stepped)})|(?<season>${arabic(seasons)})) (?:ال)?(?<step>${arabic(steps)})${WORD_END}`,
  `(?<step>[上这這本下])[一]?[个個]?(?<unit>季度)`,
].map((source) => new RegExp(source, 'gu'))

const ENGLISH_STEP = /^(?:last|previous|past|this|current|next|coming)$/u
const PERSIAN_WORD = new RegExp(`${folded('سه ?ماهه|نیمه|بهار|تابستان|پاییز|زمستان')}`, 'u')

type Groups = Readonly<Record<string, string | undefined>>

/** Quarters, halves and seasons that a folded text names; those without a year are weak. */
export function yearPartsIn(text: string, today: string): Period[] {
  const named = PARTS.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => partIn(match, today)))
  const near = STEPPED.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => stepIn(match, today)))
  return [...near, ...named].filter((period) => period !== undefined)
}

function partIn({ 0: all, index, groups = {} }: RegExpMatchArray, today: string): Period | undefined {
  const part = yearPart(groups)
  if (part === undefined || index === undefined) return undefined
  const isPersian = PERSIAN_WORD.test(all)
  const around = yearly((year) => yearPartRange(part, { year: isPersian ? year - 621 : year, isPersian }))
  const range = latestOf(around(today), today)
  if (range === undefined) return undefined
  const place = { start: index, end: index + all.length, precision: part.kind, range, part, isWeak: true, isPersian }
  // "T1" and "H1" are names of many things; only a year makes them a part of it.
  return groups.code === undefined || groups.code === 'q' ? { ...place, around } : place
}

function yearPart({ ordinal, unit, code, number, half, season }: Groups): YearPart | undefined {
  if (half !== undefined) return { kind: 'half', place: half === '上' ? 1 : 2 }
  if (season !== undefined) return { kind: 'season', place: placeIn(SEASONS, season.replace(/^([春夏秋冬]).?$/u, '$1')) }
  const place = code === undefined ? placeIn(ORDINALS, ordinal ?? '') : Number(number)
  const kind = code === 'h' || (unit !== undefined && !isQuarter(unit)) ? 'half' : 'quarter'
  return place === 0 || (kind === 'half' && place > 2) ? undefined : { kind, place }
}

function stepIn({ 0: all, index, groups = {} }: RegExpMatchArray, today: string): Period | undefined {
  const { step = '', season } = groups
  if (index === undefined) return undefined
  const direction = back?.includes(step) ? -1 : on?.includes(step) ? 1 : now?.includes(step) ? 0 : undefined
  // German "in diesem Fall" is no autumn.
  if (direction === undefined || (season === 'fall' && !ENGLISH_STEP.test(step))) return undefined
  const kind = season === undefined ? 'quarter' : 'season'
  const range = season === undefined ? quarterBeside(direction, today) : seasonBeside(placeIn(SEASONS, season), direction, today)
  return range && { start: index, end: index + all.length, precision: kind, range }
}

function quarterBeside(direction: -1 | 0 | 1, today: string): Period['range'] | undefined {
  const { year, month } = partsOfDay(today)
  const place = Math.floor((month - 1) / 3) + direction
  const shifted = { year: year + Math.floor(place / 4), isPersian: false }
  return yearPartRange({ kind: 'quarter', place: (((place % 4) + 4) % 4) + 1 }, shifted) ?? undefined
}

/** The last season that is over, the first to come, or the one of this year; the present one where it has begun. */
function seasonBeside(place: number, direction: -1 | 0 | 1, today: string): Period['range'] | undefined {
  const ranges = yearly((year) => yearPartRange({ kind: 'season', place }, { year, isPersian: false }))(today)
  if (direction < 0) return ranges.findLast(({ to }) => to < today)
  if (direction > 0) return ranges.find(({ from }) => from > today)
  return (
    ranges.find(({ from, to }) => from <= today && today <= to) ??
    ranges.find(({ from }) => from.slice(0, 4) === today.slice(0, 4))
  )
}

function isQuarter(unit: string): boolean {
  return unit.startsWith('季') || quarter.includes(unit)
}

/** From 1; 0 for a word that none of the lists holds. */
function placeIn(lists: readonly string[], word: string): number {
  return lists.findIndex((list) => words(list).includes(word)) + 1
}
