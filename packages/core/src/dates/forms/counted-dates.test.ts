import { assertGrowsLinearly } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { readDates } from '../read-dates.ts'

// A Saturday.
const now = { nowMs: Date.parse('2026-03-14T12:00Z'), timeZone: 'UTC' }

function inQuery(query: string): string[] {
  return readDates(query, now).map(({ from, to }) => (from === to ? from : `${from}..${to}`))
}

test.each([
  ['Was war vor drei Tagen?', '2026-03-11'],
  ['vor einem Monat', '2026-02-01..2026-02-28'],
  ['in den letzten 2 Wochen', '2026-02-28..2026-03-14'],
  ['letzten Dienstag', '2026-03-10'],
  ['nächsten Montag', '2026-03-16'],
  ['hace una semana', '2026-03-02..2026-03-08'],
  ['los últimos 10 días', '2026-03-04..2026-03-14'],
  ['el miércoles pasado', '2026-03-11'],
  ['el próximo lunes', '2026-03-16'],
  ['il y a deux ans', '2024-01-01..2024-12-31'],
  ['les trois derniers jours', '2026-03-11..2026-03-14'],
  ['dimanche dernier', '2026-03-08'],
  ['دو هفته پیش', '2026-02-23..2026-03-01'],
  ['۳ روز گذشته', '2026-03-11..2026-03-14'],
  ['سه‌شنبهٔ گذشته', '2026-03-10'],
  ['یک شنبه قبل', '2026-03-08'],
])('%s', (query, expected) => expect(inQuery(query)).toEqual([expected]))

test.each(['vor dem Haus', 'hace frío', 'il y a du pain', 'letzten Endes', 'el pasado', 'سه روز قبل از سفر', 'vor 9999 Jahren'])(
  '%s names no date',
  (query) => expect(inQuery(query)).toEqual([]),
)

test.each(['vor ', 'hace 1', 'il y a ', 'letzten ', 'سه ', 'pasado '])('a long run of %j is read in linear time', (piece) => {
  assertGrowsLinearly((size) => readDates(`${piece.repeat(size)}x`, now), 10_000)
})
