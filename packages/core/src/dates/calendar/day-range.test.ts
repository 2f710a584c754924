import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysBetween, isoWeekday } from './calendar-day.ts'
import { isoWeekRange, monthRange, weekRangeOf, yearRange } from './day-range.ts'

test('weeks run from Monday to Sunday and belong to the year of their Thursday', () => {
  expect(isoWeekRange(2026, 1)).toEqual({ from: '2025-12-29', to: '2026-01-04' })
  expect(isoWeekRange(2026, 53)).toEqual({ from: '2026-12-28', to: '2027-01-03' })
  expect(isoWeekRange(2025, 53)).toBeNull()
  expect(isoWeekRange(2026, 0)).toBeNull()
  expect(weekRangeOf('2026-03-16')).toEqual({ from: '2026-03-16', to: '2026-03-22' })
})

test('months have their own length', () => {
  expect(monthRange(2024, 2)).toEqual({ from: '2024-02-01', to: '2024-02-29' })
  expect(monthRange(2026, 4)).toEqual({ from: '2026-04-01', to: '2026-04-30' })
  expect(monthRange(2026, 13)).toBeNull()
  expect(monthRange(2026, 0)).toBeNull()
  expect(yearRange(2026)).toEqual({ from: '2026-01-01', to: '2026-12-31' })
})

test('every week of a year is seven days from a Monday', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1900, max: 2100 }), fc.integer({ min: 1, max: 52 }), (year, week) => {
      const range = isoWeekRange(year, week)
      expect(range).not.toBeNull()
      if (range === null) return
      expect(isoWeekday(range.from)).toBe(1)
      expect(daysBetween(range.from, range.to)).toBe(6)
    }),
  )
})
