import { describe, expect, test } from 'vitest'
import { MONTH_NAMES, PERSIAN_MONTHS, RELATIVE_NAMES } from './forms/calendar-names.ts'
import { dayNumber } from './calendar/calendar-day.ts'
import { monthNamed } from './forms/month-names.ts'
import { persianDay, persianYearOf } from './calendar/persian-calendar.ts'
import { readCalendarDates, readDates } from './read-dates.ts'
import { foldQuery } from './forms/folded-query.ts'

// A Monday.
const now = { nowMs: Date.parse('2026-03-16T12:00Z'), timeZone: 'Europe/Paris' }
const LOCALES = [
  ...Object.keys(MONTH_NAMES),
  'en',
  'en-GB',
  'en-IN',
  'ar',
  'ar-LB',
  'ar-DZ',
  'ar-MA',
  'vi',
  'zh',
  'zh-TW',
  'ja',
  'ko',
  'pt-PT',
  'es-MX',
  'fr-CA',
]

function inQuery(query: string): string[] {
  return readDates(query, now).map(({ from, to }) => (from === to ? from : `${from}..${to}`))
}
function inNote(text: string, order?: 'dmy' | 'mdy'): string[] {
  const dates = readCalendarDates(text, order).filter(({ precision }) => precision !== 'year')
  return dates.map(({ from, to }) => (from === to ? from : `${from}..${to}`))
}

describe('P41: the long form of a date as each language writes it, whatever its digits', () => {
  test.each(LOCALES)('%s', (locale) => {
    const formats = [locale, `${locale}-u-ca-gregory`].map(
      (name) => new Intl.DateTimeFormat(name, { dateStyle: 'long', timeZone: 'UTC' }),
    )
    for (const format of formats) {
      for (let month = 0; month < 12; month += 1) {
        const day = new Date(Date.UTC(2026, month, 25))
        const text = format.format(day)
        expect([text, inNote(text)[0]]).toEqual([text, day.toISOString().slice(0, 10)])
        expect([text, inQuery(text)[0]]).toEqual([text, day.toISOString().slice(0, 10)])
      }
    }
  })

  test('no name of the tables is another month in another language', () => {
    for (const [language, months] of Object.entries(MONTH_NAMES)) {
      expect(months.split('|')).toHaveLength(12)
      for (const [index, forms] of months.split('|').entries())
        for (const name of (forms.split('/')[0] ?? '').split(' '))
          expect([language, name, monthNamed(foldQuery(name).text)?.month]).toEqual([language, name, index + 1])
    }
    expect(PERSIAN_MONTHS.split('|').map((name) => monthNamed(foldQuery(name).text)?.month)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ])
  })
})

describe('P41: dates of notes', () => {
  test.each([
    ['5 مارس 2026', '2026-03-05'],
    ['٥ آذار ٢٠٢٦', '2026-03-05'],
    ['5. März 2026', '2026-03-05'],
    ['5. Maerz 2026', '2026-03-05'],
    ['5.März 2026', '2026-03-05'],
    ['1. Jänner 2026', '2026-01-01'],
    ['2026-3-5', '2026-03-05'],
    ['2026/3/5', '2026-03-05'],
    ['2026. 3. 5.', '2026-03-05'],
    ['２０２６－０３－０５', '2026-03-05'],
    ['२०२६-०३-०५', '2026-03-05'],
    ['05.03.2026', '2026-03-05'],
    ['5.3.2026', '2026-03-05'],
    ['5. 3. 2026', '2026-03-05'],
    ['25-12-2026', '2026-12-25'],
    ['12/25/2026', '2026-12-25'],
    ['05/05/2026', '2026-05-05'],
    ['03-2026', '2026-03-01..2026-03-31'],
    ['March 2026', '2026-03-01..2026-03-31'],
    ['март 2026', '2026-03-01..2026-03-31'],
    ['março de 2026', '2026-03-01..2026-03-31'],
    ['1er mars 2026', '2026-03-01'],
    ['5 de marzo del 2026', '2026-03-05'],
    ['5 mar. 2026', '2026-03-05'],
    ['5 de mar. de 2026', '2026-03-05'],
    ['5 Mart 2026', '2026-03-05'],
    ['5 AĞUSTOS 2026', '2026-08-05'],
    ['ngày 5 tháng 3 năm 2026', '2026-03-05'],
    ['tháng 3 năm 2026', '2026-03-01..2026-03-31'],
    ['ב-5 במרץ 2026', '2026-03-05'],
    ['5 במרץ 2026', '2026-03-05'],
    ['5 במרס 2026', '2026-03-05'],
    ['5 मार्च 2026', '2026-03-05'],
    ['5 सितम्बर 2026', '2026-09-05'],
    ['5 มีนาคม 2569', '2026-03-05'],
    ['5 มี.ค. 2569', '2026-03-05'],
    ['2569-03-05', '2026-03-05'],
    ['2026년 3월 5일', '2026-03-05'],
    ['2026년 3월 5일'.normalize('NFD'), '2026-03-05'],
    ['2026年3月5日', '2026-03-05'],
    ['二〇二六年三月五日', '2026-03-05'],
    ['令和8年3月5日', '2026-03-05'],
    ['民國115年3月5日', '2026-03-05'],
    ['2026. március 5.', '2026-03-05'],
    ['۵ شهریور ۱۴۰۵', '2026-08-27'],
    ['1405-09-01', '2026-11-22'],
    ['1405/09/01', '2026-11-22'],
    ['2026-March-05', '2026-03-05'],
    ['5 Μάρτιος 2026', '2026-03-05'],
    ['2-4 May 2026', '2026-05-02..2026-05-04'],
  ])('%s', (text, expected) => expect(inNote(text)).toEqual([expected]))

  test.each([
    '03/04/2026',
    '03-04-2026',
    '3-4-2026',
    '2026-02-30',
    '31.02.2026',
    '12.25.2026',
    '31/04/2026',
    '1447-09-01',
    '1405-13-01',
    '1404-12-30',
    '5 March',
    'yesterday',
    'gestern',
    'in March',
    '5 mars',
    '1.2026.03.14',
    'v2026.3.5',
    '10.0.2026.1',
    '192.168.1.2026',
    '0171-05-03-2026',
    'x05.03.2026',
    '05.03.20261',
    '10 out of 2026 apples',
    '2 set 12',
    'room 5 of 2026',
    '12 of 2000 mars bars',
  ])('%s names no day with its year', (text) => expect(inNote(text)).toEqual([]))

  test('slashes and hyphens follow the order that is given', () => {
    expect([inNote('03/04/2026', 'dmy'), inNote('03-04-2026', 'mdy'), inNote('3_4_2026', 'dmy')]).toEqual([
      ['2026-04-03'],
      ['2026-03-04'],
      ['2026-04-03'],
    ])
    // Dates with only one reading and dates with dots need no order.
    expect([inNote('25/12/2026', 'mdy'), inNote('12/25/2026', 'dmy'), inNote('03.04.2026', 'mdy')]).toEqual([
      ['2026-12-25'],
      ['2026-12-25'],
      ['2026-04-03'],
    ])
    expect(readDates('rent 3/4/2026', { ...now, dateOrder: 'mdy' })).toMatchObject([{ from: '2026-03-04' }])
    expect(readDates('rent 3/4/2026', now)).toEqual([])
  })
})

describe('P41: questions in the languages of the reader', () => {
  const [yesterday, today, lastWeek, lastMonth] = ['2026-03-15', '2026-03-16', '2026-03-09..2026-03-15', '2026-02-01..2026-02-28']
  test.each([
    ['was habe ich gestern gemacht', yesterday],
    ["qu'est-ce que j'ai fait hier", yesterday],
    ['réunion hier', yesterday],
    ['avant-hier', '2026-03-14'],
    ['aujourd’hui', today],
    ['la semaine dernière', lastWeek],
    ['réunions du mois dernier', lastMonth],
    ['¿qué hice ayer?', yesterday],
    ['el mes pasado', lastMonth],
    ['o que fiz ontem', yesterday],
    ['na semana passada', lastWeek],
    ['cosa ho fatto ieri', yesterday],
    ['la settimana scorsa', lastWeek],
    ['wat deed ik gisteren', yesterday],
    ['vorige maand', lastMonth],
    ['dün ne yaptım', yesterday],
    ['geçen hafta', lastWeek],
    ['rapat kemarin', yesterday],
    ['minggu lalu', lastWeek],
    ['hôm qua làm gì', yesterday],
    ['tháng trước', lastMonth],
    ['что было вчера', yesterday],
    ['встречи на прошлой неделе', lastWeek],
    ['прошлый месяц', lastMonth],
    ['מה עשיתי אתמול', yesterday],
    ['בשבוע שעבר', lastWeek],
    ['بالأمس', yesterday],
    ['أمس', yesterday],
    ['امس', yesterday],
    ['دیروز چه شد', yesterday],
    ['هفتهٔ گذشته', lastWeek],
    ['هفته گذشته', lastWeek],
    ['कल क्या हुआ', yesterday],
    ['पिछले हफ्ते', lastWeek],
    ['昨天', yesterday],
    ['昨日の会議', yesterday],
    ['先週', lastWeek],
    ['어제 회의', yesterday],
    ['지난주에', lastWeek],
    ['지난달', lastMonth],
    ['เมื่อวานทำอะไร', yesterday],
    ['wczoraj', yesterday],
    ['vad gjorde jag igår', yesterday],
    ['i går', yesterday],
    ['vorletzte Woche, letzte Woche', lastWeek],
    ['am 5. März', '2026-03-05'],
    ['was war im Februar', lastMonth],
    ['was war im März', '2026-03-01..2026-03-31'],
    ['en mars', '2026-03-01..2026-03-31'],
    ['em março', '2026-03-01..2026-03-31'],
    ['rapat bulan Februari', lastMonth],
    ['встречи в феврале', lastMonth],
    ['in febbraio', lastMonth],
    ['le 5 mars', '2026-03-05'],
    ['5 марта', '2026-03-05'],
    ['3월 5일', '2026-03-05'],
    ['۲۵ اسفند', '2026-03-16'],
  ])('%s', (query, expected) => expect(inQuery(query)).toEqual([expected]))

  test.each([
    'wo liegt das hier',
    'was ist hier',
    'waar is het hier',
    'guten Morgen',
    'heiße Morgenluft',
    'por la mañana',
    'mars bars',
    'life in mars',
    'a may',
    'in out',
    '5 mars bars',
    'mission to Mars 5',
    'March',
    'may',
    'mai',
    'dun laoghaire',
    'el hoyo',
    'कला',
    '10 out of 12',
    'set 5',
    'version 5.3',
    'chapter 3/4',
  ])('%s names no date', (query) => expect(inQuery(query)).toEqual([]))

  test('every name of the calendar data is read as its step', () => {
    // Hindi has one word for yesterday and tomorrow.
    const languages = Object.entries(RELATIVE_NAMES).filter(([language]) => language !== 'hi')
    const read = languages.flatMap(([language, { day }]) =>
      day.split('|').map((phrase) => {
        const steps = readDates(phrase, now).map(({ from }) => dayNumber(from) - dayNumber('2026-03-16'))
        return [language, phrase, ...steps]
      }),
    )
    const expected = languages.flatMap(([language, { day }]) =>
      day.split('|').map((phrase, place) => [language, phrase, place - 2]),
    )
    expect(read).toEqual(expected)
  })
})

test('Persian days are those of Intl, 1991 to 2040', () => {
  const parts = new Intl.DateTimeFormat('en-u-ca-persian-nu-latn', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  for (let at = Date.UTC(1991, 0, 1); at < Date.UTC(2040, 0, 1); at += 86_400_000) {
    const { year, month, day } = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const iso = new Date(at).toISOString().slice(0, 10)
    expect([persianDay(year ?? 0, month ?? 0, day ?? 0), persianYearOf(iso)]).toEqual([iso, year])
  }
})
