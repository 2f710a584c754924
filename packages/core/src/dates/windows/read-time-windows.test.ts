import fc from 'fast-check'
import { assertGrowsLinearly } from '@mnemark/testkit'
import { describe, expect, test } from 'vitest'
import {
  FIRST_EXPRESSIONS,
  LATER_EXPRESSIONS,
  OTHER_EXPRESSIONS,
  REFERENCE_DAY,
  type TimeExpression,
} from '../__fixtures__/time-expressions.ts'
import { isCalendarDay } from '../calendar/calendar-day.ts'
import { readTimeWindows, type TimeWindow } from './read-time-windows.ts'

const asked = { today: REFERENCE_DAY }

function days({ from = '', to = '' }: TimeWindow): string {
  return from === to ? from : `${from}..${to}`
}

/** Each window after the words it was read from. */
function read(text: string, options: Parameters<typeof readTimeWindows>[1] = asked): string[] {
  return readTimeWindows(text, options).map(
    (window) => `${text.slice(window.start, window.end)} = ${days(window)} ${window.precision} ${window.relation}`,
  )
}

function missed(expressions: readonly TimeExpression[]): string[] {
  return expressions
    .filter(([, text, expected]) => readTimeWindows(text, asked).map(days).join(' ') !== expected)
    .map(([, text]) => text)
}

describe('expressions of time in seven languages', () => {
  test('the thirty of everyday', () => expect(missed(FIRST_EXPRESSIONS)).toEqual([]))
  test('ninety ranges, open ends and parts of a year', () => {
    expect(OTHER_EXPRESSIONS).toHaveLength(90)
    expect(missed(OTHER_EXPRESSIONS)).toEqual([])
  })
  test('of those written later, one: feasts have no days here', () =>
    expect(missed(LATER_EXPRESSIONS)).toEqual(['what happened between Christmas 2025 and 6 January 2026']))
})

describe('what binds a period', () => {
  test.each([
    ['since March', 'since March = 2026-03-01.. month since'],
    ['since November she rents', 'since November = 2025-11-01.. month since'],
    ['before May 2025', 'before May 2025 = ..2025-04-30 month before'],
    ['after the 5th of March 2026', 'after the 5th of March 2026 = 2026-03-06.. day after'],
    ['around 2020', 'around 2020 = 2019-07-02..2021-07-02 year around'],
    ['until Q2 2025', 'until Q2 2025 = ..2025-06-30 quarter until'],
    ['from Monday until today', 'from Monday until today = 2026-03-09..2026-03-14 day in'],
    ['Jan 5 - Feb 3', 'Jan 5 - Feb 3 = 2026-01-05..2026-02-03 day in'],
    ['28 Feb - 3 March', '28 Feb - 3 March = 2026-02-28..2026-03-03 day in'],
    ['2024年前', '2024年前 = ..2023-12-31 year before'],
    ['自2024年起', '自2024年起 = 2024-01-01.. year since'],
    ['从3月3日到3月7日', '从3月3日到3月7日 = 2026-03-03..2026-03-07 day in'],
    ['بين 10 و15 كانون الثاني 2026', 'بين 10 و15 كانون الثاني 2026 = 2026-01-10..2026-01-15 day in'],
    ['بين آذار وأيار 2025', 'بين آذار وأيار 2025 = 2025-03-01..2025-05-31 month in'],
    ['از ۱۴۰۰ تا ۱۴۰۳', 'از ۱۴۰۰ تا ۱۴۰۳ = 2021-03-21..2025-03-20 year in'],
    ['en 2023', '2023 = 2023-01-01..2023-12-31 year in'],
    ['im Jahr 2023', '2023 = 2023-01-01..2023-12-31 year in'],
    ['the first half of March 2026', 'first half of March 2026 = 2026-03-01..2026-03-15 month in'],
    ['winter 2025', 'winter 2025 = 2025-12-01..2026-02-28 season in'],
    ['next spring', 'next spring = 2027-03-01..2027-05-31 season in'],
  ])('%s', (text, expected) => expect(read(text)).toEqual([expected]))

  test.each([
    ['the Sunday before October 25, 2022', 'Sunday before October 25, 2022 = 2022-10-23 day in'],
    ['the weekend before April 10, 2023', 'weekend before April 10, 2023 = 2023-04-08..2023-04-09 day in'],
    ['the weekend after 5 March 2026', 'weekend after 5 March 2026 = 2026-03-07..2026-03-08 day in'],
    ['last week before 23 January 2023', 'last week before 23 January 2023 = 2023-01-16..2023-01-22 week in'],
    ['three days before 5 March 2026', 'three days before 5 March 2026 = 2026-03-02 day in'],
    ['two weeks after 5 March 2025', 'two weeks after 5 March 2025 = 2025-03-17..2025-03-23 week in'],
  ])('counted from another day: %s', (text, expected) => expect(read(text)).toEqual([expected]))

  test('a name ends before its date', () =>
    expect(read('to Rio de Janeiro on 30 August 2023')).toEqual(['30 August 2023 = 2023-08-30 day in']))

  test('several in one text', () => {
    expect(read('in Bergen since 2019, in Oslo from March to May 2018; new job in Q1 2026')).toEqual([
      'since 2019 = 2019-01-01.. year since',
      'from March to May 2018 = 2018-03-01..2018-05-31 month in',
      'Q1 2026 = 2026-01-01..2026-03-31 quarter in',
    ])
  })

  test('relative words count from the given day: of a note its own', () => {
    expect(read('met her last week, leaves tomorrow', { today: '2024-12-31' })).toEqual([
      'last week = 2024-12-23..2024-12-29 week in',
      'tomorrow = 2025-01-01 day in',
    ])
  })

  test('a day without its year is the last one, or the nearest where the log may look ahead', () => {
    const log = 'dentist on 20 March; paid on 20 February; open until Wednesday'
    expect(readTimeWindows(log, asked).map(days)).toEqual(['2025-03-20', '2026-02-20', '..2026-03-11'])
    expect(readTimeWindows(log, { ...asked, yearless: 'nearest' }).map(days)).toEqual([
      '2026-03-20',
      '2026-02-20',
      '..2026-03-11',
    ])
  })

  test('the order of 3/4/2026 is given or the date is left alone', () => {
    expect(read('since 3/4/2026')).toEqual([])
    expect(read('since 3/4/2026', { ...asked, dateOrder: 'dmy' })).toEqual(['since 3/4/2026 = 2026-04-03.. day since'])
  })
})

test.each([
  'config of port 9077',
  'release notes 2023 build',
  'ticket 1984',
  '房间 2099',
  'room 2019-2023',
  'around 2000 people',
  'bis 2000 Euro',
  'ربيع 1445',
  'spring boot config',
  'the spring is broken',
  'since we moved',
  'Q3',
  'H1 of the page',
  'we may march on',
  'since may we go',
  'after mars bars',
  'Monday to Friday',
  'from now on',
  'drei Tage vor dem 5. März 2026',
  'first half of the match',
  'en otoño',
  'بعد الاجتماع',
  '之前的会议',
  'the fall of Rome, and since the fall of it',
  'after the 1973 crisis',
  'in diesem Fall',
  'October 1803',
  'im Oktober 1803',
  '1803年10月',
  'until the second quarter of the century',
  'بعد أب',
  '约2030名',
])('B95: %s names no time', (text) => expect(read(text)).toEqual([]))

test.each([
  '十万年前',
  '3000 years ago',
  'قبل مليون سنة',
  'in year 0',
  '9999-12-31',
  'until 9999-12-31',
  '400 weeks before 0001-01-05',
  'vor 9999 Jahren',
  '100,000 years ago',
  '100,000年前',
  '۱۰۰٬۰۰۰ سال پیش',
  'هزار سال پیش',
])('B110: %s is left unread', (text) => {
  for (const today of ['0001-01-01', REFERENCE_DAY]) expect(read(text, { today })).toEqual([])
})

test('B110: any text gives ordered windows of valid days and never fails, on any day', () => {
  const words = fc.constantFrom(
    ...'since until before after around between from to and early mid week of first half quarter Q1 last next spring winter'.split(
      ' ',
    ),
    ...'2025 1404 March May 5 31 Monday bis vor de a du au entre y منذ بين و تا از بهار نیمه اول الربع آذار'.split(' '),
    ...'上半年 第一季度 月 年 3 前后 以来 至 日 weeks ago - –'.split(' '),
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
    fc.array(words, { maxLength: 8 }).map((parts) => parts.join('')),
  )
  const today = fc.constantFrom('0001-01-01', '0009-02-03', '1996-02-29', REFERENCE_DAY, '9999-12-31')
  fc.assert(
    fc.property(texts, today, fc.constantFrom('last' as const, 'nearest' as const), (text, day, yearless) => {
      let previousEnd = 0
      for (const { from, to, start, end } of readTimeWindows(text, { today: day, yearless })) {
        expect(start).toBeGreaterThanOrEqual(previousEnd)
        expect(end).toBeGreaterThan(start)
        expect([from, to].every((each) => each === undefined || isCalendarDay(each))).toBe(true)
        expect(from !== undefined || to !== undefined).toBe(true)
        expect((from ?? '') <= (to ?? '9999-12-31')).toBe(true)
        previousEnd = end
      }
      expect(previousEnd).toBeLessThanOrEqual(text.length)
    }),
    { numRuns: 500 },
  )
})

test('a day that is none is refused', () => expect(() => read('since Monday', { today: '2026-02-30' })).toThrow(RangeError))

test.each([
  ' ',
  'since ',
  'since 2025 ',
  'from 2 to 3 ',
  'between ',
  'early ',
  'first half ',
  'first quarter of ',
  'Q1 ',
  'spring ',
  'march to ',
  'monday ',
  '2025-',
  '上',
  '年前',
  '3月3日至',
  'الربع ',
  'و',
  'بهار ',
  'seit letztem ',
  "l'",
])('a long run of %j is read in linear time', (piece) => {
  assertGrowsLinearly((size) => readTimeWindows(`${piece.repeat(size)}x`, asked), 5_000)
})
