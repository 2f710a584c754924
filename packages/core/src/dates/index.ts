// Days named in queries and texts, in some thirty languages. Pure: the clock and the zone are arguments.
export type { DateOrder } from './forms/date-matcher.ts'
export type { DateReading } from './forms/date-reading.ts'
export { readDayArgument } from './day-argument.ts'
export { dayInZone } from '@mnemark/spec'
export type { DayRange } from './calendar/day-range.ts'
export { readCalendarDates, readDates } from './read-dates.ts'
export type { DateMention, ReadDatesOptions } from './read-dates.ts'
