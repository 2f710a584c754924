import { describe, expect, test } from 'vitest'
import { datedBy } from './dated-by.ts'

const day = (date: string, reason: string, time?: string) => ({
  from: date,
  to: date,
  reason,
  ...(time !== undefined && { time }),
})

const dated = (path: string, dates: readonly string[], headings: readonly string[], order?: 'dmy' | 'mdy') =>
  datedBy(path, { dates, headings, order })

describe('datedBy', () => {
  test.each([
    ['memory/2026-02-14.md', day('2026-02-14', 'name')],
    ['memory/archive/2026-02-14.md', day('2026-02-14', 'name')],
    ['memory/2026-02-14-1830-standup.md', day('2026-02-14', 'name', '18:30')],
    ['memory\\archive\\2026-02-14.md', day('2026-02-14', 'name')],
    ['memory/projects.md', undefined],
    ['MEMORY.md', undefined],
  ])('B14: %s', (path, expected) => {
    expect(dated(path, [], [])).toEqual(expected)
  })

  test.each([
    ['2026_02_14.md', day('2026-02-14', 'name')],
    ['2026.02.14.md', day('2026-02-14', 'name')],
    ['20260214.md', day('2026-02-14', 'name')],
    ['standup-2026-02-14.md', day('2026-02-14', 'name')],
    ['a-2026-02-14-b.md', day('2026-02-14', 'name')],
    ['2026-02-14_183005_slug.md', day('2026-02-14', 'name', '18:30:05')],
    ['20260214T1830.md', day('2026-02-14', 'name', '18:30')],
    ['2026-02-14 08_03_47.md', day('2026-02-14', 'name', '08:03:47')],
    ['2026-02-14-18-30.md', day('2026-02-14', 'name', '18:30')],
    ['2026-02-14-2560.md', day('2026-02-14', 'name')],
    ['2026-02-14-2026-02-15.md', day('2026-02-14', 'name')],
    ['2026-02-14会议.md', day('2026-02-14', 'name')],
    ['2026年2月14日.md', day('2026-02-14', 'name')],
    ['٢٠٢٦-٠٢-١٤.md', day('2026-02-14', 'name')],
    ['bad-2026-02-30-then-2026-03-01.md', day('2026-03-01', 'name')],
    ['2024-02-29.md', day('2024-02-29', 'name')],
    ['2026-W07.md', { from: '2026-02-09', to: '2026-02-15', reason: 'name' }],
    ['2020-W53.md', { from: '2020-12-28', to: '2021-01-03', reason: 'name' }],
    ['2026-02.md', { from: '2026-02-01', to: '2026-02-28', reason: 'name' }],
  ])('reads the name %s', (path, expected) => {
    expect(dated(path, [], [])).toEqual(expected)
  })

  test.each([
    '2026-02-30.md',
    '2026-00.md',
    '2026-13-01.md',
    '2026-00-12.md',
    '2025-02-29.md',
    '2025-W53.md',
    '120260214.md',
    '202602141830.md',
    'x20260214.md',
    '20260214abc.md',
    'order-12345678.md',
    '2026.md',
    'v2026-02-14.md',
  ])('sees no date in %s', (path) => {
    expect(dated(path, [], [])).toBeUndefined()
  })

  test.each([
    ['trips/2026-02-14/notes.md', day('2026-02-14', 'folder')],
    ['2025-01-01/2026-02-14-trip/notes.md', day('2026-02-14', 'folder')],
    ['archive/2026-02/notes.md', { from: '2026-02-01', to: '2026-02-28', reason: 'folder' }],
    ['journal/2026/02/14.md', day('2026-02-14', 'folder')],
    ['deadline-2026-02-14/notes.md', undefined],
  ])('reads the folders of %s', (path, expected) => {
    expect(dated(path, [], [])).toEqual(expected)
  })

  test('front matter comes first, in the order given, then name, folder, nearest heading', () => {
    const path = '2026-01-03/2026-01-02.md'
    const headings = ['2026-01-04', '5 January 2026, 2:30 PM']
    expect(dated(path, ['soon', '2026-01-01T09:15:00Z'], headings)).toEqual(day('2026-01-01', 'front-matter', '09:15:00'))
    expect(dated(path, ['soon'], headings)).toEqual(day('2026-01-02', 'name'))
    expect(dated('2026-01-03/a.md', [], headings)).toEqual(day('2026-01-03', 'folder'))
    expect(dated('a.md', [], headings)).toEqual(day('2026-01-05', 'heading', '14:30'))
  })

  test.each([
    ['2026-02-14 9:05', '09:05'],
    ['Session: 2026-02-14 18:30:12 UTC', '18:30:12'],
    ['2026-02-14, 9am', '09:00'],
    ['Feb 14th, 2026 at 12:15 a.m.', '00:15'],
    ['2026-02-14: 3 apples, 5 people', undefined],
    ['2026-02-14 25:61', undefined],
    ['2026-02-14 ratio 16:9', undefined],
  ])('the time in the heading %s', (heading, time) => {
    expect(dated('a.md', [], [heading])).toEqual(day('2026-02-14', 'heading', time))
  })

  test('Unix times in front matter are read, in seconds and milliseconds', () => {
    expect(dated('a.md', ['1771093800'], [])).toEqual(day('2026-02-14', 'front-matter', '18:30:00'))
    expect(dated('a.md', ['1771093800000'], [])).toEqual(day('2026-02-14', 'front-matter', '18:30:00'))
  })
})
