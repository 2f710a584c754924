import { YEAR_LANGUAGES, type YearLanguage } from './words/year-words.ts'

/** Days of the year are counted from 0. */
export const DAYS_OF_YEAR = 365
const YEAR = 2025
const DAY_MS = 86_400_000
const START_MS = Date.UTC(YEAR, 0, 1)
/** When the questions are asked: the second day of the next year, at noon. */
export const ASKED_AT_MS: number = START_MS + (DAYS_OF_YEAR + 1.5) * DAY_MS

/** YYYY-MM-DD. */
export function dayText(day: number): string {
  return new Date(START_MS + day * DAY_MS).toISOString().slice(0, 10)
}

/** First and last day of a month, 0 to 11, both inclusive. */
export function daysOfMonth(month: number): readonly [first: number, last: number] {
  const dayOf = (of: number) => (Date.UTC(YEAR, of, 1) - START_MS) / DAY_MS
  return [dayOf(month), dayOf(month + 1) - 1]
}

/** Each day is written in one language. */
export function languageOfDay(day: number): YearLanguage {
  return YEAR_LANGUAGES[day % YEAR_LANGUAGES.length] ?? 'en'
}

/** The same day or the next one that is written in this language; within the year. */
export function dayIn(language: YearLanguage, day: number): number {
  let found = Math.min(Math.max(day, 0), DAYS_OF_YEAR - 1)
  while (languageOfDay(found) !== language) found += found + 1 < DAYS_OF_YEAR ? 1 : -YEAR_LANGUAGES.length + 1
  return found
}
