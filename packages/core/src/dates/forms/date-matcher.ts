import type { DateReading } from './date-reading.ts'

/** Order of day and month in `03/04/2026`. */
export type DateOrder = 'dmy' | 'mdy'

/** The named groups of a match. */
export type DateGroups = Readonly<Record<string, string | undefined>>

/**
 * One form of a calendar date, matched on folded text. `today` is null where nothing may be read relative to the
 * present day: a note that says "5 March" names no year. Returns null for an impossible date (30 February), which then
 * is not read in another way, and undefined for words that only look like a date: "5 apples".
 */
export interface CalendarMatcher {
  /** Global, with named groups. */
  readonly pattern: RegExp
  readonly read: (groups: DateGroups, today: string | null, order?: DateOrder) => DateReading | null | undefined
}
/** One form that names days by their distance from today. */
export interface RelativeMatcher {
  readonly pattern: RegExp
  readonly read: (groups: DateGroups, today: string) => DateReading | null | undefined
}
/** The forms of one language; `applies` is a cheap test whether any can match. */
export interface DateLanguage {
  readonly applies: RegExp
  readonly calendar: readonly CalendarMatcher[]
  readonly relative: readonly RelativeMatcher[]
}

/** Letters of scripts that put spaces between words, after folding; a digit or letter beside a date makes it part of an id. */
export const LETTER =
  'a-z\\u00df-\\u024f\\u0370-\\u0373\\u0376-\\u037d\\u0386-\\u0481\\u048a-\\u052f\\u0561-\\u0587\\u05d0-\\u05f2\\u0620-\\u064a\\u066e-\\u06d3\\u0900-\\u0963\\u0971-\\u0d7f\\u10d0-\\u10fa\\u10fc-\\u10ff'
/** A plausible year; other numbers of four digits are quantities. */
export const YEAR = '(?:19|20|21)\\d{2}'

export function calendar(source: string, read: CalendarMatcher['read']): CalendarMatcher {
  return { pattern: new RegExp(source, 'g'), read }
}

export function relative(source: string, read: RelativeMatcher['read']): RelativeMatcher {
  return { pattern: new RegExp(source, 'g'), read }
}

export function optionalNumber(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits)
}
