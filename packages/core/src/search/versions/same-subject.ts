import { isCalendarWord } from '../../dates/forms/calendar-words.ts'
import type { FoundEntry } from './found-entries.ts'

const NUMBER = /\p{Nd}+(?:st|nd|rd|th|[年月日号號년월일])?/giu

/** Words without numbers and names of months and weekdays: those of two months' logs are equal, those of two people are not. */
function undated(heading: string): string {
  const words =
    heading
      .replace(NUMBER, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? []
  return words.filter((word) => !isCalendarWord(word)).join(' ')
}

function areAlike(left: string, right: string): boolean {
  return left === right || undated(left) === undated(right)
}

/** A note named or filed by its day is a log: its title describes the day. */
function isLog({ document }: FoundEntry): boolean {
  return document.dateReason === 'name' || document.dateReason === 'folder'
}

/**
 * Whether two entries of one wording are about one subject, by the headings above them and their notes: `salary is 900`
 * under Dana and under Dane are two facts. Titles of logs do not count, nor do those of notes whose names differ only
 * in numbers.
 */
export function haveSameSubject(left: FoundEntry, right: FoundEntry): boolean {
  if (!areAlike(left.section, right.section)) return false
  if ((isLog(left) && isLog(right)) || areAlike(left.document.title ?? '', right.document.title ?? '')) return true
  return left.document.path.replace(NUMBER, '') === right.document.path.replace(NUMBER, '')
}
