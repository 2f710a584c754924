import { MONTH_NAMES, PERSIAN_MONTHS } from './calendar-names.ts'
import { foldQuery } from './folded-query.ts'

export interface MonthName {
  /** 1 to 12. */
  readonly month: number
  readonly isPersian: boolean
  /** Many short names are words too (Portuguese `out`, Italian `mag`): only a year beside them makes them a month. */
  readonly isShort: boolean
}

/** Forms that the calendar data lacks, by month: "in March" in Russian, a second spelling in Hindi. */
const OTHER_FORMS: readonly (readonly [language: string, months: string])[] = [
  ['ru', 'январе|феврале|марте|апреле|мае|июне|июле|августе|сентябре|октябре|ноябре|декабре'],
  ['hi', '||||||||सितम्बर||नवम्बर|दिसम्बर'],
  ['he', '||מרס|||||||||'],
  ['pt', '||||||||septembro|||'],
  ['es', '||||||||setiembre|||'],
]

const ENGLISH = 'january february march april may june july august september october november december'

let known: ReadonlyMap<string, MonthName> | undefined

/** The month that a word names, as `foldQuery` leaves it; undefined for any other word. */
export function monthNamed(word: string): MonthName | undefined {
  // Folded on first use: a text without numbers asks for none.
  known ??= readNames()
  return known.get(word)
}

function readNames(): ReadonlyMap<string, MonthName> {
  const names = new Map<string, MonthName>()
  const add = (name: string, entry: MonthName) => {
    const folded = foldQuery(name).text
    // A full name takes precedence over a short one of another language.
    if (folded !== '' && (names.get(folded)?.isShort ?? true)) names.set(folded, entry)
  }
  for (const [language, months] of [...Object.entries(MONTH_NAMES), ...OTHER_FORMS]) {
    for (const [index, forms] of months.split('|').entries()) {
      const [long = '', short = ''] = forms.split('/')
      for (const name of short.split(' '))
        if (!names.has(foldQuery(name).text)) add(name, { month: index + 1, isPersian: false, isShort: true })
      for (const name of long.split(' ').flatMap((form) => [form, ...otherSpellings(language, form)]))
        add(name, { month: index + 1, isPersian: false, isShort: false })
    }
  }
  // English has its own rules for months without a year.
  for (const [index, name] of ENGLISH.split(' ').entries()) {
    for (const form of [name, name.slice(0, 3)])
      if (!names.has(form)) add(form, { month: index + 1, isPersian: false, isShort: true })
  }
  for (const [index, name] of PERSIAN_MONTHS.split('|').entries())
    add(name, { month: index + 1, isPersian: true, isShort: false })
  return names
}

/** German without umlauts, and the standalone Greek name, of which the data has only the form beside a day. */
function otherSpellings(language: string, name: string): readonly string[] {
  if (language.startsWith('de') && /[äöü]/.test(name))
    return [name.replace(/[äöü]/g, (letter) => `${letter.normalize('NFD').charAt(0)}e`)]
  return language === 'el' ? [name.replace(/ου$/, 'ος')] : []
}
