import type { DateReading } from './date-reading.ts'

/** How `03/04/2026` is meant: day or month first. */
export type DateOrder = 'dmy' | 'mdy'

/** The named groups of a match. */
export type DateGroups = Readonly<Record<string, string | undefined>>

/**
 * One way to name a date of the calendar, matched on folded text. `today` is null where nothing may be read against the present
 * day: a note that says "5 March" names no year. Null where the words have the form of a date and name none (30 February):
 * the place is then read no other way. Undefined where they only look like one: "5 apples".
 */
export interface CalendarMatcher {
  /** Global, with named groups. */
  readonly pattern: RegExp
  readonly read: (groups: DateGroups, today: string | null, order?: DateOrder) => DateReading | null | undefined
}
/** One way to name days by their distance from the present one. */
export interface RelativeMatcher {
  readonly pattern: RegExp
  readonly read: (groups: DateGroups, today: string) => DateReading | null | undefined
}
/** The ways of one language; `applies` tells cheaply whether any can match. */
export interface DateLanguage {
  readonly applies: RegExp
  readonly calendar: readonly CalendarMatcher[]
  readonly relative: readonly RelativeMatcher[]
}

/** Beginning and end of a word of folded Latin letters; plain classes, for a Unicode class makes a pattern slow to compile. */
export const WORD_START = '(?<![a-z0-9_])'
export const WORD_END = '(?![a-z0-9_])'
/** Letters of scripts that put spaces between words, as folding leaves them; a digit or letter beside a date makes it part of an id. */
export const LETTER =
  'a-z\\u00df-\\u024f\\u0370-\\u0373\\u0376-\\u037d\\u0386-\\u0481\\u048a-\\u052f\\u0561-\\u0587\\u05d0-\\u05f2\\u0620-\\u064a\\u066e-\\u06d3\\u0900-\\u0963\\u0971-\\u0d7f\\u10d0-\\u10fa\\u10fc-\\u10ff'
/** A year people write about; other numbers of four digits are quantities. */
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
