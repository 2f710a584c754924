import { expect, test } from 'vitest'
import { readDayArgument } from './day-argument.ts'

// A Monday; in Auckland it is already Tuesday.
const options = { nowMs: Date.UTC(2026, 2, 16, 12), timeZone: 'UTC' }
const read = (text: string): readonly [string | undefined, string | undefined] => [
  readDayArgument(text, 'first', options),
  readDayArgument(text, 'last', options),
]

test.each<[string, string, string]>([
  ['2026-03-14', '2026-03-14', '2026-03-14'],
  ['2026-3-5', '2026-03-05', '2026-03-05'],
  ['٢٠٢٦-٠٣-١٤', '2026-03-14', '2026-03-14'],
  ['2026-02', '2026-02-01', '2026-02-28'],
  ['2028-02', '2028-02-01', '2028-02-29'],
  ['2026', '2026-01-01', '2026-12-31'],
  ['1066', '1066-01-01', '1066-12-31'],
  ['7d', '2026-03-09', '2026-03-09'],
  ['2w', '2026-03-02', '2026-03-02'],
  ['3m', '2025-12-16', '2025-12-16'],
  ['1y', '2025-03-16', '2025-03-16'],
  ['30 days', '2026-02-14', '2026-02-14'],
  ['٧d', '2026-03-09', '2026-03-09'],
  ['today', '2026-03-16', '2026-03-16'],
  [' Yesterday ', '2026-03-15', '2026-03-15'],
  ['امس', '2026-03-15', '2026-03-15'],
  ['أمس', '2026-03-15', '2026-03-15'],
  ['昨天', '2026-03-15', '2026-03-15'],
  ['last week', '2026-03-09', '2026-03-15'],
  ['last month', '2026-02-01', '2026-02-28'],
  ['10d ago', '2026-03-06', '2026-03-06'],
  ['2026-03-14T10:00:00.000Z', '2026-03-14', '2026-03-14'],
  ['2026-03-14T10:00+01:00', '2026-03-14', '2026-03-14'],
  ['Sunday', '2026-03-15', '2026-03-15'],
  ['الأسبوع الماضي', '2026-03-09', '2026-03-15'],
  ['上周', '2026-03-09', '2026-03-15'],
  ['March', '2026-03-01', '2026-03-31'],
  ['march 2025', '2025-03-01', '2025-03-31'],
  ['May 2nd', '2025-05-02', '2025-05-02'],
  ['5.3.2026', '2026-03-05', '2026-03-05'],
  ['2026-W11', '2026-03-09', '2026-03-15'],
])('P34: a day may be %s', (text, first, last) => {
  expect(read(text)).toEqual([first, last])
})

test.each([
  '',
  ' ',
  'someday',
  '2026-02-30',
  '2026-13',
  '26-01-01',
  '0000',
  '7',
  'd',
  '7x',
  '03/04/2026',
  'yesterday or today',
  'note of yesterday',
  '99999d',
])('P34: %j is no day', (text) => {
  expect(read(text)).toEqual([undefined, undefined])
})

test('P34: days are counted in the zone of the user', () => {
  expect(readDayArgument('today', 'first', { ...options, timeZone: 'Pacific/Auckland' })).toBe('2026-03-17')
})
