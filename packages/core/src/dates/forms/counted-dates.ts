import { type DateGroups, type DateLanguage, LETTER, type RelativeMatcher, relative } from './date-matcher.ts'
import { type DateUnit, readLast, readShifted, readWeekday } from './date-reading.ts'

/** Words of one language for counted times and weekdays, as `foldQuery` leaves them; the forms of one meaning are divided by `/`, `_` is a space. */
interface CountingWords {
  /** From one upwards. */
  readonly counts: string
  /** Day, week, month, year. */
  readonly units: string
  /** Monday to Sunday. */
  readonly weekdays: string
  /** Patterns with the places COUNT, UNIT and WEEKDAY. */
  readonly ago: readonly string[]
  readonly last: readonly string[]
  readonly weekdayBefore: readonly string[]
  readonly weekdayAfter: readonly string[]
}

const GERMAN: CountingWords = {
  counts: 'ein/einem/einer/einen zwei drei vier funf/fuenf sechs sieben acht neun zehn elf zwolf/zwoelf',
  units: 'tagen/tage/tag wochen/woche monaten/monate/monat jahren/jahre/jahr',
  weekdays: 'montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag',
  ago: ['vor COUNT UNIT'],
  last: ['(?:letzten|vergangenen) COUNT UNIT'],
  weekdayBefore: ['(?:letzten|letztem|vorigen|vergangenen) WEEKDAY'],
  weekdayAfter: ['(?:nachsten|kommenden) WEEKDAY'],
}
const SPANISH: CountingWords = {
  counts: 'un/una dos tres cuatro cinco seis siete ocho nueve diez once doce',
  units: 'dias/dia semanas/semana meses/mes anos/ano',
  weekdays: 'lunes martes miercoles jueves viernes sabado domingo',
  ago: ['hace COUNT UNIT'],
  last: ['(?:ultimos|ultimas) COUNT UNIT'],
  weekdayBefore: ['WEEKDAY pasado', 'pasado WEEKDAY'],
  weekdayAfter: ['proximo WEEKDAY'],
}
const FRENCH: CountingWords = {
  counts: 'un/une deux trois quatre cinq six sept huit neuf dix onze douze',
  units: 'jours/jour semaines/semaine mois annees/annee/ans/an',
  weekdays: 'lundi mardi mercredi jeudi vendredi samedi dimanche',
  ago: ['il y a COUNT UNIT'],
  last: ['COUNT (?:derniers|dernieres) UNIT'],
  weekdayBefore: ['WEEKDAY dernier'],
  weekdayAfter: ['WEEKDAY prochain'],
}
const PERSIAN: CountingWords = {
  counts: 'يك دو سه چهار پنج شش هفت هشت نه ده',
  units: 'روز هفته ماه سال',
  weekdays: 'دوشنبه سهشنبه/سه_شنبه چهارشنبه/چهار_شنبه پنجشنبه/پنج_شنبه جمعه شنبه يكشنبه/يك_شنبه',
  ago: ['COUNT UNIT (?:پيش|قبل)(?! از)'],
  last: ['COUNT UNIT (?:گذشته|اخير)'],
  weekdayBefore: ['WEEKDAY (?:گذشته|پيش|قبل)'],
  weekdayAfter: ['WEEKDAY اينده'],
}
const UNITS: readonly DateUnit[] = ['day', 'week', 'month', 'year']

/** Neither inside a word nor behind the mark of thousands: "100,000 years ago". */
const START = `(?<![0-9_${LETTER}]|\\d[.,\u066b\u066c])`
const END = `(?![0-9_${LETTER}])`

/** Counted times and weekdays of German, Spanish, French and Persian: "vor drei Tagen", "el viernes pasado". */
export const countedDates: DateLanguage = {
  applies:
    /(?:^|[^a-z])(?:vor|hace|il y a|letzte[nm]|vergangene|vorige|nachste|kommende|ultim|derni|prochain|pasado|proximo)|[پگ]|قبل|اخير|اينده/,
  calendar: [],
  relative: [GERMAN, SPANISH, FRENCH, PERSIAN].flatMap(matchersOf),
}

function matchersOf(words: CountingWords): RelativeMatcher[] {
  const counts = listed(words.counts)
  const units = listed(words.units)
  const weekdays = listed(words.weekdays)
  const places: Readonly<Record<string, string>> = {
    COUNT: `(?<count>\\d{1,4}|${oneOf(counts)})`,
    UNIT: `(?<unit>${oneOf(units)})`,
    WEEKDAY: `(?<weekday>${oneOf(weekdays)})`,
  }
  const matchers = (forms: readonly string[], read: RelativeMatcher['read']) =>
    forms.map((form) => relative(`${START}${form.replace(/COUNT|UNIT|WEEKDAY/g, (place) => places[place] ?? place)}${END}`, read))
  const count = ({ count: word = '' }: DateGroups) => (/^\d/.test(word) ? Number(word) : placeIn(counts, word) + 1)
  const unit = ({ unit: word = '' }: DateGroups) => UNITS[placeIn(units, word)] ?? 'day'
  const weekday = (groups: DateGroups) => placeIn(weekdays, groups.weekday ?? '') + 1
  return [
    ...matchers(words.ago, (groups, today) => readShifted(unit(groups), -count(groups), today)),
    ...matchers(words.last, (groups, today) => readLast(unit(groups), count(groups), today)),
    ...matchers(words.weekdayBefore, (groups, today) => readWeekday(weekday(groups), 'before', today)),
    ...matchers(words.weekdayAfter, (groups, today) => readWeekday(weekday(groups), 'after', today)),
  ]
}

function listed(words: string): readonly (readonly string[])[] {
  return words.split(' ').map((forms) => forms.replaceAll('_', ' ').split('/'))
}

function placeIn(list: readonly (readonly string[])[], word: string): number {
  return list.findIndex((forms) => forms.includes(word))
}

function oneOf(list: readonly (readonly string[])[]): string {
  return list
    .flat()
    .toSorted((left, right) => right.length - left.length)
    .join('|')
}
