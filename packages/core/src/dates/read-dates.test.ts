import fc from 'fast-check'
import { assertGrowsLinearly } from '@mnemark/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { isCalendarDay } from './calendar/calendar-day.ts'
import { type DateMention, readDates } from './read-dates.ts'

// A Monday.
const now = { nowMs: Date.parse('2026-03-16T12:00Z'), timeZone: 'Europe/Paris' }

function short({ from, to, precision }: DateMention): string {
  return `${from === to ? from : `${from}..${to}`} ${precision}`
}

/** Each reading after the words it was read from. */
function read(query: string): string[] {
  return readDates(query, now).map((mention) => `${query.slice(mention.start, mention.end)} = ${short(mention)}`)
}

describe('English', () => {
  test.each([
    ['what was on May 2nd', 'May 2nd = 2025-05-02 month-day'],
    ['the trip of 2 May 2023', '2 May 2023 = 2023-05-02 day'],
    ['Friday, May 5, 2023 notes', 'May 5, 2023 = 2023-05-05 day'],
    ['lunch on the 5th of May?', '5th of May = 2025-05-05 month-day'],
    ['the twenty-first of June 2025', 'twenty-first of June 2025 = 2025-06-21 day'],
    ['invoice 03-Mar-2024', '03-Mar-2024 = 2024-03-03 day'],
    ['Sept. 5', 'Sept. 5 = 2025-09-05 month-day'],
    ['expenses in July', 'July = 2025-07-01..2025-07-31 month'],
    ['in March', 'March = 2026-03-01..2026-03-31 month'],
    ['May 2023', 'May 2023 = 2023-05-01..2023-05-31 month'],
    ['last May', 'last May = 2025-05-01..2025-05-31 month'],
    ['in May last year', 'May last year = 2025-05-01..2025-05-31 month'],
    ['last week', 'last week = 2026-03-09..2026-03-15 week'],
    ['this week', 'this week = 2026-03-16..2026-03-22 week'],
    ['next month', 'next month = 2026-04-01..2026-04-30 month'],
    ['last year', 'last year = 2025-01-01..2025-12-31 year'],
    ['since 2023', '2023 = 2023-01-01..2023-12-31 year'],
    ["yesterday's call", 'yesterday = 2026-03-15 day'],
    ['the day before yesterday', 'day before yesterday = 2026-03-14 day'],
    ['three days ago', 'three days ago = 2026-03-13 day'],
    ['2 weeks ago', '2 weeks ago = 2026-03-02..2026-03-08 week'],
    ['a couple of months ago', 'a couple of months ago = 2026-01-01..2026-01-31 month'],
    ['last 10 days', 'last 10 days = 2026-03-06..2026-03-16 day'],
    ['last Friday', 'last Friday = 2026-03-13 day'],
    ['last Monday', 'last Monday = 2026-03-09 day'],
    ['next Monday', 'next Monday = 2026-03-23 day'],
    ['last weekend', 'last weekend = 2026-03-14..2026-03-15 day'],
    ['May 5-7, 2023', 'May 5-7, 2023 = 2023-05-05..2023-05-07 day'],
    ['the 5th to 7th of May', '5th to 7th of May = 2025-05-05..2025-05-07 day'],
    ["14 Mar '24", "14 Mar '24 = 2024-03-14 day"],
    ['Friday last week', 'Friday last week = 2026-03-13 day'],
    ['week 7 of 2026', 'week 7 of 2026 = 2026-02-09..2026-02-15 week'],
    ['by the end of May', 'May = 2025-05-01..2025-05-31 month'],
    ['the 5th of last month', '5th of last month = 2026-02-05 day'],
  ])('%s', (query, expected) => expect(read(query)).toEqual([expected]))

  test('a range names both months', () => {
    expect(read('from March to May')).toEqual(['March = 2026-03-01..2026-03-31 month', 'May = 2025-05-01..2025-05-31 month'])
  })

  test.each([
    ['Jan 5 - Feb 3', ['Jan 5 = 2026-01-05 month-day', 'Feb 3 = 2026-02-03 month-day']],
    ['28 Feb - 3 March', ['28 Feb = 2026-02-28 month-day', '3 March = 2026-03-03 month-day']],
  ])('the dash of %s is no part of a date', (query, expected) => expect(read(query)).toEqual(expected))

  test.each([
    'may I go',
    'what may this be',
    'why 2 may fail',
    'this may fail',
    'they march north',
    'ask April or June',
    'a mayor in decline',
    'moved to Friday',
    'port 2023',
    '100,000 years ago',
  ])('%s names no date', (query) => expect(read(query)).toEqual([]))

  test('May after a preposition or with a day is the month', () => {
    expect(read('may we meet in May')).toEqual(['May = 2025-05-01..2025-05-31 month'])
    expect(read('march 5')).toEqual(['march 5 = 2026-03-05 month-day'])
  })
})

describe('Arabic', () => {
  test.each([
    ['اجتماع في 3 مارس', '3 مارس = 2026-03-03 month-day'],
    ['في ٣ آذار ٢٠٢٥', '٣ آذار ٢٠٢٥ = 2025-03-03 day'],
    ['الثالث والعشرين من آذار/مارس 2025', 'الثالث والعشرين من آذار/مارس 2025 = 2025-03-23 day'],
    ['١٥ كانون الثاني ٢٠٢٦م', '١٥ كانون الثاني ٢٠٢٦م = 2026-01-15 day'],
    ['في العشرين من مارس 2025', 'العشرين من مارس 2025 = 2025-03-20 day'],
    ['الحادي عشر من أيلول ٢٠٢٤', 'الحادي عشر من أيلول ٢٠٢٤ = 2024-09-11 day'],
    ['خلال الأسبوعين الماضيين', 'الأسبوعين الماضيين = 2026-03-02..2026-03-16 week'],
    ['في تشرين الثاني', 'تشرين الثاني = 2025-11-01..2025-11-30 month'],
    ['ماذا قررنا أمس؟', 'أمس = 2026-03-15 day'],
    ['أَمْسِ', 'أَمْسِ = 2026-03-15 day'],
    ['أول أمس', 'أول أمس = 2026-03-14 day'],
    ['اجتماع الأسبوع الماضي', 'الأسبوع الماضي = 2026-03-09..2026-03-15 week'],
    ['الشهر اللي فات', 'الشهر اللي فات = 2026-02-01..2026-02-28 month'],
    ['السنة الماضية', 'السنة الماضية = 2025-01-01..2025-12-31 year'],
    ['قبل يومين', 'قبل يومين = 2026-03-14 day'],
    ['منذ ثلاثة أيام', 'منذ ثلاثة أيام = 2026-03-13 day'],
    ['يوم الجمعة الماضي', 'يوم الجمعة الماضي = 2026-03-13 day'],
    ['مارس الماضي', 'مارس الماضي = 2025-03-01..2025-03-31 month'],
    ['في عام ٢٠٢٤', '٢٠٢٤ = 2024-01-01..2024-12-31 year'],
    ['٢٠٢٦-٠٣-١٤', '٢٠٢٦-٠٣-١٤ = 2026-03-14 day'],
  ])('%s', (query, expected) => expect(read(query)).toEqual([expected]))

  test.each(['مارس الرياضة', 'قاد نيسان سيارته', 'اليوم الأول', 'أب وأم'])('%s names no date', (query) =>
    expect(read(query)).toEqual([]),
  )
})

describe('Chinese', () => {
  test.each([
    ['5月2号的会议', '5月2号 = 2025-05-02 month-day'],
    ['五月二號', '五月二號 = 2025-05-02 month-day'],
    ['2026年3月14日', '2026年3月14日 = 2026-03-14 day'],
    ['二〇二五年十二月二十一日', '二〇二五年十二月二十一日 = 2025-12-21 day'],
    ['５月２日', '５月２日 = 2025-05-02 month-day'],
    ['去年五月', '去年五月 = 2025-05-01..2025-05-31 month'],
    ['十二月的花费', '十二月 = 2025-12-01..2025-12-31 month'],
    ['昨天说了什么', '昨天 = 2026-03-15 day'],
    ['上周', '上周 = 2026-03-09..2026-03-15 week'],
    ['上週五', '上週五 = 2026-03-13 day'],
    ['上周一直下雨', '上周 = 2026-03-09..2026-03-15 week'],
    ['上个月', '上个月 = 2026-02-01..2026-02-28 month'],
    ['上个月5号', '上个月5号 = 2026-02-05 day'],
    ['三天前', '三天前 = 2026-03-13 day'],
    ['两周前', '两周前 = 2026-03-02..2026-03-08 week'],
    ['三个月前', '三个月前 = 2025-12-01..2025-12-31 month'],
    ['2026年第7周', '2026年第7周 = 2026-02-09..2026-02-15 week'],
    ['2024年', '2024年 = 2024-01-01..2024-12-31 year'],
  ])('%s', (query, expected) => expect(read(query)).toEqual([expected]))

  test.each(['三个月', '上月亮', '以前天天', '十五月二号', '二月三十号', '2024年前'])('%s names no date', (query) =>
    expect(read(query)).toEqual([]),
  )
})

describe('numbers', () => {
  test.each([
    ['2026-03-14', '2026-03-14 = 2026-03-14 day'],
    ['2026/03/14', '2026/03/14 = 2026-03-14 day'],
    ['2026.03.14', '2026.03.14 = 2026-03-14 day'],
    ['20260314', '20260314 = 2026-03-14 day'],
    ['2026-03', '2026-03 = 2026-03-01..2026-03-31 month'],
    ['2026-W07', '2026-W07 = 2026-02-09..2026-02-15 week'],
    ['memory/2026-03-14-1830-standup.md', '2026-03-14 = 2026-03-14 day'],
    ['2026-03-14T10:00Z', '2026-03-14 = 2026-03-14 day'],
    ['31/12/2025', '31/12/2025 = 2025-12-31 day'],
    ['14.03.2025', '14.03.2025 = 2025-03-14 day'],
  ])('%s', (query, expected) => expect(read(query)).toEqual([expected]))

  test.each(['3/4', '3/4/2026', '2026-02-30', '2026-13', '2026-W60', '120260314', 'v1.2026.03.14', 'OC-41252', '8080', '10:30'])(
    '%s names no date',
    (query) => expect(read(query)).toEqual([]),
  )
})

test('a day without its year carries its month and day, and 29 February its last leap year', () => {
  expect(readDates('May 2nd', now)).toEqual([
    { from: '2025-05-02', to: '2025-05-02', precision: 'month-day', monthDay: '05-02', start: 0, end: 7 },
  ])
  expect(readDates('on 29 February', now)[0]).toMatchObject({ from: '2024-02-29', monthDay: '02-29' })
  expect(readDates('March 16', now)[0]).toMatchObject({ from: '2026-03-16' })
  expect(readDates('in July', now)[0]).toMatchObject({ month: '07' })
  expect(read('February 30')).toEqual([])
})

describe('the system zone', () => {
  const systemZone = process.env.TZ
  afterEach(() => {
    if (systemZone === undefined) delete process.env.TZ
    else process.env.TZ = systemZone
  })

  test('B16: does not move a window, whatever it is', () => {
    const query = 'yesterday, last week, in July, 5月2号, أمس, last 3 days, last Friday'
    const windows = ['UTC', 'Pacific/Midway', 'Pacific/Kiritimati'].map((zone) => {
      process.env.TZ = zone
      return readDates(query, { nowMs: Date.parse('2026-03-16T05:00Z'), timeZone: 'America/Los_Angeles' })
    })
    expect(windows[1]).toEqual(windows[0])
    expect(windows[2]).toEqual(windows[0])
    expect(windows[0]?.[0]).toMatchObject({ from: '2026-03-14', to: '2026-03-14' })
  })
})

test('any text gives valid, ordered ranges inside it and never fails', () => {
  const words = fc.constantFrom(
    'May',
    '2nd',
    'last',
    'week',
    '5',
    '31',
    '2026',
    '-',
    '月',
    '号',
    'في',
    'مارس',
    'الماضي',
    'ago',
    'of',
    '上',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
    fc.array(words, { maxLength: 8 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, fc.integer({ min: -2e12, max: 4e12 }), (query, nowMs) => {
      let previousEnd = 0
      for (const mention of readDates(query, { nowMs, timeZone: 'Asia/Kathmandu' })) {
        expect(mention.start).toBeGreaterThanOrEqual(previousEnd)
        expect(mention.end).toBeGreaterThan(mention.start)
        expect(isCalendarDay(mention.from) && isCalendarDay(mention.to) && mention.from <= mention.to).toBe(true)
        previousEnd = mention.end
      }
      expect(previousEnd).toBeLessThanOrEqual(query.length)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ' ',
  '-',
  '5 ',
  'in ',
  '1',
  'may ',
  '上',
  'م',
  '\u0301',
  '五',
  'of 2',
  '5 may 2020, ',
  '2026-',
  '5 ab ',
  '5 de ',
  'le ',
  '5. ',
  '2026. 3. ',
  '05.03.',
  'ก.',
  '5월',
  'thang 5 ',
  'gestern ',
  'hier ',
  'la semana ',
  'ב',
  'คำ',
])('a long run of %j is read in linear time', (piece) => {
  assertGrowsLinearly((size) => readDates(`${piece.repeat(size)}x`, now), 10_000)
})
