import { ConfigError } from '../errors.ts'
import { expect, test } from 'vitest'
import { dayInZone } from './day-in-zone.ts'

test.each([
  ['2026-03-15T01:17Z', 'America/Los_Angeles', '2026-03-14'],
  ['2026-04-08T20:00Z', 'Asia/Jakarta', '2026-04-09'],
  ['2026-03-15T01:17Z', 'UTC', '2026-03-15'],
  ['2026-01-01T09:59Z', 'Pacific/Kiritimati', '2026-01-01'],
  ['2026-01-01T10:00Z', 'Pacific/Kiritimati', '2026-01-02'],
])('B16: %s is in %s the day %s', (instant, timeZone, day) => expect(dayInZone(Date.parse(instant), timeZone)).toBe(day))

test('an unknown zone is named as a configuration error', () => {
  expect(() => dayInZone(0, 'Mars/Olympus')).toThrow(/timeZone: expected an IANA name.*Mars\/Olympus/u)
  expect(() => dayInZone(0, 'Mars/Olympus')).toThrow(ConfigError)
})

test('what is no instant has no day', () => {
  expect(() => dayInZone(Number.NaN, 'UTC')).toThrow(RangeError)
})
