export { dayOfPath, findDoubtfulDates, noteDays } from './document/doubtful-dates.ts'
export type { DoubtfulDate, NoteDays } from './document/doubtful-dates.ts'
