import type { DateReading } from './date-reading.ts'

/** The named groups of a match. */
export type DateGroups = Readonly<Record<string, string | undefined>>

/** One way to write a date, matched on the folded query. */
export interface DateMatcher {
  /** Global, with named groups. */
  readonly pattern: RegExp
  /** Null where the words have the form of a date and name none (30 February): the place is then read no other way. */
  readonly read: (groups: DateGroups, today: string) => DateReading | null
}
/** The ways of one language; `applies` tells cheaply whether any can match. */
export interface DateLanguage {
  readonly applies: RegExp
  readonly matchers: readonly DateMatcher[]
}

/** Beginning and end of a word of folded Latin letters; plain classes, for a Unicode class makes a pattern slow to compile. */
export const WORD_START = '(?<![a-z0-9_])'
export const WORD_END = '(?![a-z0-9_])'
/** A year people write about; other numbers of four digits are quantities. */
export const YEAR = '(?:19|20|21)\\d{2}'

export function matcher(source: string, read: DateMatcher['read']): DateMatcher {
  return { pattern: new RegExp(source, 'g'), read }
}

export function optionalNumber(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits)
}
