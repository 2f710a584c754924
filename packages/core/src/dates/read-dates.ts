import { dayInZone } from '@mnemark/spec'
import { arabicDates } from './forms/arabic-dates.ts'
import { chineseDates } from './forms/chinese-dates.ts'
import { countedDates } from './forms/counted-dates.ts'
import type { DateGroups, DateLanguage, DateOrder } from './forms/date-matcher.ts'
import { type DateReading, readShifted } from './forms/date-reading.ts'
import { englishDates } from './forms/english-dates.ts'
import { type FoldedQuery, foldQuery } from './forms/folded-query.ts'
import { namedDates } from './forms/named-dates.ts'
import { numericDates } from './forms/numeric-dates.ts'
import { nearTimesIn } from './forms/relative-dates.ts'

/** A date in a query. `start` and `end` are the characters [start, end) of the query that name it. */
export interface DateMention extends DateReading {
  readonly start: number
  readonly end: number
}
export interface ReadDatesOptions {
  readonly nowMs: number
  /** IANA name of the user's zone: "yesterday" is the user's, wherever the program runs. */
  readonly timeZone: string
  /** Order of `3/4/2026`; without it, that names two days and is skipped. */
  readonly dateOrder?: DateOrder | undefined
}

interface Place {
  readonly start: number
  readonly end: number
}
/** A form of a date, and where folded text holds it. */
interface Found extends Place {
  readonly read: (today: string) => DateReading | null | undefined
}
/** A date in folded text; null for an impossible one, whose place nothing else may take. */
export interface PlacedReading extends Place {
  readonly reading: DateReading | null
}

const LANGUAGES: readonly DateLanguage[] = [numericDates, englishDates, arabicDates, chineseDates, namedDates, countedDates]

/**
 * Dates named in a query, in the order of the query: numeric forms, month names in some thirty languages, near days and
 * weeks in most of them. Where readings overlap the longest wins; forms that name two days (3/4) and impossible days
 * (30 February) are skipped. Throws ConfigError for an unknown zone, once a date is found.
 */
export function readDates(query: string, options: ReadDatesOptions): DateMention[] {
  const folded = foldQuery(query)
  const found = formsIn(folded, query, options.dateOrder)
  // Most queries name no date, and a zone's calendar costs more to load than everything else here.
  if (found.length === 0) return []
  const today = dayInZone(options.nowMs, options.timeZone)
  return mentionsOf(folded, readEach(folded, found, today))
}

/** Dates with their own year, as notes hold them: nobody knows what "yesterday" or "5 March" in a note means. */
export function readCalendarDates(text: string, dateOrder?: DateOrder): DateMention[] {
  const folded = foldQuery(text)
  const languages = LANGUAGES.filter(({ calendar, applies }) => calendar.length > 0 && applies.test(folded.text))
  const found = languages.flatMap(({ calendar }) =>
    calendar.flatMap(({ pattern, read }) => matchesOf(folded.text, pattern, (groups) => () => read(groups, null, dateOrder))),
  )
  return mentionsOf(folded, readEach(folded, found, ''))
}

/** The dates of `readDates` with their places in the folded text, relative to a given day. */
export function placedDates(folded: FoldedQuery, query: string, today: string, dateOrder?: DateOrder): PlacedReading[] {
  return readEach(folded, formsIn(folded, query, dateOrder), today)
}

function formsIn(folded: FoldedQuery, query: string, dateOrder: DateOrder | undefined): Found[] {
  const languages = LANGUAGES.filter(({ applies }) => applies.test(folded.text))
  const found = languages.flatMap(({ calendar, relative }): Found[] => [
    ...calendar.flatMap(({ pattern, read }) =>
      matchesOf(folded.text, pattern, (groups) =>
        // Whether words only look like a date does not depend on the present day.
        read(groups, null) === undefined ? undefined : (today) => read(groups, today, dateOrder),
      ),
    ),
    ...relative.flatMap(({ pattern, read }) => matchesOf(folded.text, pattern, (groups) => (today) => read(groups, today))),
  ])
  for (const { start, end, unit, steps } of nearTimesIn(folded, query))
    found.push({ start, end, read: (today) => readShifted(unit, steps, today) })
  return found
}

function matchesOf(text: string, pattern: RegExp, readerOf: (groups: DateGroups) => Found['read'] | undefined): Found[] {
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const read = readerOf(match.groups ?? {})
    return read === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, read }]
  })
}

function readEach(folded: FoldedQuery, found: readonly Found[], today: string): PlacedReading[] {
  const read = found.flatMap(({ start, end, read: reader }) => {
    const reading = reader(today)
    return reading === undefined ? [] : [{ start, end, reading }]
  })
  return withoutOverlaps(read, folded.text.length)
}

function mentionsOf(folded: FoldedQuery, read: readonly PlacedReading[]): DateMention[] {
  return read.flatMap(({ start, end, reading }) => {
    const [originalStart, originalEnd] = folded.originalRange(start, end)
    return reading === null ? [] : [{ ...reading, start: originalStart, end: originalEnd }]
  })
}

/** Takes the longest first, then others that do not overlap it; in the order of the text. */
export function withoutOverlaps<One extends Place>(found: readonly One[], textLength: number): One[] {
  const isTaken = new Uint8Array(textLength)
  const byLength = found.toSorted((left, right) => right.end - right.start - (left.end - left.start) || left.start - right.start)
  const kept = byLength.filter(({ start, end }) => {
    if (isTaken.subarray(start, end).includes(1)) return false
    isTaken.fill(1, start, end)
    return true
  })
  return kept.sort((left, right) => left.start - right.start)
}
