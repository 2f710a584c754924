import { arabicDates } from './arabic-dates.ts'
import { chineseDates } from './chinese-dates.ts'
import type { DateGroups, DateLanguage, DateMatcher } from './date-matcher.ts'
import type { DateReading } from './date-reading.ts'
import { dayInZone } from './day-in-zone.ts'
import { englishDates } from './english-dates.ts'
import { foldQuery } from './folded-query.ts'
import { isoDates } from './iso-dates.ts'

/** A date in a query. `start` and `end` are the characters [start, end) of the query that name it. */
export interface DateMention extends DateReading {
  readonly start: number
  readonly end: number
}
export interface ReadDatesOptions {
  readonly nowMs: number
  /** IANA name of the user's zone: "yesterday" is the user's, wherever the program runs. */
  readonly timeZone: string
}

interface Place {
  readonly start: number
  readonly end: number
}
interface Found extends Place {
  readonly matcher: DateMatcher
  readonly groups: DateGroups
}

const LANGUAGES: readonly DateLanguage[] = [isoDates, englishDates, arabicDates, chineseDates]

/**
 * Dates named in a query, in the order of the query: ISO forms, English, Arabic, Chinese. Where readings overlap the longest
 * wins; forms that name two days (3/4) and impossible days (30 February) are left alone. Throws ConfigError for an unknown zone, once a date is found.
 */
export function readDates(query: string, options: ReadDatesOptions): DateMention[] {
  const folded = foldQuery(query)
  const found = findAll(folded.text)
  // Most queries name no date, and a zone's calendar costs more to load than everything else here.
  if (found.length === 0) return []
  const today = dayInZone(options.nowMs, options.timeZone)
  const read = found.map(({ start, end, matcher, groups }) => ({ start, end, reading: matcher.read(groups, today) }))
  return withoutOverlaps(read, folded.text.length).flatMap(({ start, end, reading }) => {
    const [originalStart, originalEnd] = folded.originalRange(start, end)
    return reading === null ? [] : [{ ...reading, start: originalStart, end: originalEnd }]
  })
}

function findAll(text: string): Found[] {
  const matchers = LANGUAGES.filter(({ applies }) => applies.test(text)).flatMap((language) => language.matchers)
  return matchers.flatMap((matcher) =>
    Array.from(text.matchAll(matcher.pattern), (match) => ({
      start: match.index,
      end: match.index + match[0].length,
      matcher,
      groups: match.groups ?? {},
    })),
  )
}

/** The longest first, then what does not touch it; in the order of the text. */
function withoutOverlaps<One extends Place>(found: readonly One[], textLength: number): One[] {
  const isTaken = new Uint8Array(textLength)
  const byLength = found.toSorted((left, right) => right.end - right.start - (left.end - left.start) || left.start - right.start)
  const kept = byLength.filter(({ start, end }) => {
    if (isTaken.subarray(start, end).includes(1)) return false
    isTaken.fill(1, start, end)
    return true
  })
  return kept.sort((left, right) => left.start - right.start)
}
