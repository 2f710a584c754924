/** Languages whose month and weekday names are known; the names come from the engine's own tables. */
const LOCALES = 'en ar bn cs da de el es fa fi fr he hi hu id it ja ko nb nl pl pt ro ru sv th tr uk ur vi zh'.split(' ')
const MONTH_DAYS = Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month, 15))
// 2024-01-01 was a Monday.
const WEEK_DAYS = Array.from({ length: 7 }, (_, day) => Date.UTC(2024, 0, 1 + day))
const FORMS: readonly Intl.DateTimeFormatOptions[] = [
  { month: 'long' },
  // Many languages inflect the name beside a day: `март`, `14 марта`.
  { month: 'long', day: 'numeric' },
  { month: 'short' },
]

let names: ReadonlySet<string> | undefined

function readNames(): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (locale: string, form: Intl.DateTimeFormatOptions, days: readonly number[], type: 'month' | 'weekday') => {
    const format = new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, { ...form, timeZone: 'UTC' })
    for (const day of days) {
      const part = format.formatToParts(day).find((each) => each.type === type)
      for (const word of part?.value.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []) found.add(word)
    }
  }
  for (const locale of LOCALES) {
    for (const form of FORMS) add(locale, form, MONTH_DAYS, 'month')
    add(locale, { weekday: 'long' }, WEEK_DAYS, 'weekday')
  }
  return found
}

/**
 * Whether a lower-case word is the name of a month or a weekday in some language. The first call reads the names, which
 * takes some milliseconds.
 */
export function isCalendarWord(word: string): boolean {
  names ??= readNames()
  return names.has(word)
}
