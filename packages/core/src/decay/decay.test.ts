import { ConfigError } from '@mnemark/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ageInDays } from './age-in-days.ts'
import { decayByAge } from './decay-by-age.ts'
import { decayFactor } from './decay-factor.ts'

test.each([
  [7, 84],
  [30, 50],
  [90, 12.5],
  [180, 1.6],
])('decay table: after %i days with a half-life of 30 days, %f %% of the score is left', (ageDays, percent) => {
  // The table rounds: the formula gives 85.07 % after 7 days, 1.5625 % after 180.
  expect(Math.abs(decayFactor(ageDays, 30) * 100 - percent)).toBeLessThan(1.1)
  expect(decayFactor(ageDays, 30)).toBeCloseTo(2 ** (-ageDays / 30), 12)
})

test('half is left after one half-life, and ages add up', () => {
  const ages = fc.double({ min: 0, max: 500, noNaN: true })
  fc.assert(
    fc.property(ages, ages, fc.double({ min: 1, max: 1000, noNaN: true }), (first, second, halfLife) => {
      expect(decayFactor(halfLife, halfLife)).toBeCloseTo(0.5, 12)
      expect(decayFactor(first + second, halfLife)).toBeCloseTo(decayFactor(first, halfLife) * decayFactor(second, halfLife), 12)
      expect(decayFactor(first, halfLife)).toBeLessThanOrEqual(1)
    }),
  )
})

test.each([0, -30, Number.NaN, Number.POSITIVE_INFINITY])('refuses a half-life of %s', (halfLifeDays) => {
  expect(() => decayFactor(1, halfLifeDays)).toThrow(ConfigError)
})

const settings = { nowMs: Date.parse('2026-03-16T00:00Z'), timeZone: 'UTC', halfLifeDays: 30 }

test('B14: dated notes decay wherever their name stands, undated ones never', () => {
  const days = ['2026-02-14', '2026-02-14', '2026-02-14', '2026-02-14', undefined, undefined]
  const factors = days.map((from) => decayByAge({ from }, settings)?.factor ?? 1)
  expect(factors.map((factor) => Math.round(factor * 1e9) / 1e9)).toEqual([0.5, 0.5, 0.5, 0.5, 1, 1])
})

test('a range counts from its last day', () => {
  expect(ageInDays({ from: '2026-02-01', to: '2026-02-28' }, settings.nowMs, 'UTC')).toBe(16)
  expect(decayByAge({ from: '2026-02-01', to: '2026-02-28' }, settings)).toMatchObject({ day: '2026-02-28', ageDays: 16 })
})

test('a day to come has age 0, an impossible one none', () => {
  expect(ageInDays({ from: '2027-01-01' }, settings.nowMs, 'UTC')).toBe(0)
  expect(ageInDays({ from: '2026-02-30' }, settings.nowMs, 'UTC')).toBeNull()
})

test('B16: age is counted in days of the given zone', () => {
  const nowMs = Date.parse('2026-03-15T01:17Z')
  expect(ageInDays({ from: '2026-03-14' }, nowMs, 'America/Los_Angeles')).toBe(0)
  expect(ageInDays({ from: '2026-03-14' }, nowMs, 'UTC')).toBe(1)
})
