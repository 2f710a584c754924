export { dayOfPath, findDoubtfulDates, noteDays } from './document/doubtful-dates.ts'
export type { DoubtfulDate, NoteDays } from './document/doubtful-dates.ts'
export { checkKeywords } from './keywords/check-keywords.ts'
export type { KeywordCheck, KeywordCheckOptions } from './keywords/check-keywords.ts'
