import { dayInZone } from '@mnemark/spec'
import { daysBetween, isCalendarDay } from '../dates/calendar/calendar-day.ts'

/** The days a note covers, YYYY-MM-DD, inclusive; absent for an undated note. */
export interface NoteDays {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The day a note's age counts from: the last one of its range. Null where it has no valid day. */
export function lastDay(days: NoteDays): string | null {
  return [days.to, days.from].find((day) => day !== undefined && isCalendarDay(day)) ?? null
}

/**
 * Calendar days from a note's last day to today in the user's time zone; 0 for a future day. Null for an undated note,
 * which never decays. Throws ConfigError for an unknown zone.
 */
export function ageInDays(days: NoteDays, nowMs: number, timeZone: string): number | null {
  const day = lastDay(days)
  return day === null ? null : Math.max(0, daysBetween(day, dayInZone(nowMs, timeZone)))
}
