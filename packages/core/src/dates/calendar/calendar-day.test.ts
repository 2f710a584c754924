import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, calendarDay, dayNumber, daysBetween, isCalendarDay, isoWeekday } from './calendar-day.ts'

const days = fc
  .date({ min: new Date('1800-01-01T00:00Z'), max: new Date('2300-01-01T00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

test.each(['2026-02-30', '2026-13-01', '2026-00-10', '2025-02-29', '0000-01-01', '2026-3-14', '20260314', ' 2026-03-14', ''])(
  'refuses %j as a day',
  (text) => expect(isCalendarDay(text)).toBe(false),
)

test.each(['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('takes %s as a day', (text) =>
  expect(isCalendarDay(text)).toBe(true),
)

test('adding days and counting them are inverse', () => {
  fc.assert(
    fc.property(days, fc.integer({ min: -40_000, max: 40_000 }), (day, count) => {
      const other = addDays(day, count)
      expect(other !== null && daysBetween(day, other)).toBe(count)
    }),
  )
})

test('weekdays follow each other', () => {
  expect(isoWeekday('2026-03-16')).toBe(1)
  fc.assert(
    fc.property(days, (day) => {
      const next = addDays(day, 1)
      expect(next !== null && isoWeekday(next)).toBe((isoWeekday(day) % 7) + 1)
    }),
  )
})

test('the calendar ends at the years 1 and 9999', () => {
  expect(addDays('9999-12-31', 1)).toBeNull()
  expect(addDays('0001-01-01', -1)).toBeNull()
  expect(addDays('2026-01-01', 1e12)).toBeNull()
  expect(calendarDay(10_000, 1, 1)).toBeNull()
  expect(() => dayNumber('2026-02-30')).toThrow(RangeError)
})
