import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { isolate } from './isolate.ts'
import { wrapLines } from './wrap-lines.ts'

const ENGLISH =
  'The router of the guest network stands in the hall beside the meter and is restarted on the first Monday of each month.'
const ARABIC = 'قرر المدير تأجيل الإطلاق إلى يوم الخميس بعد مراجعة الميزانية مع الفريق، وسيُعلَن الموعد الجديد في الاجتماع القادم.'
const CHINESE = '会议改到星期五下午三点，地点是二楼的大会议室，请大家提前准备好第三季度的预算报告和新产品的发布计划。'
const THAI = 'การประชุมเลื่อนไปเป็นวันศุกร์บ่ายสามโมงที่ห้องประชุมใหญ่ชั้นสองกรุณาเตรียมรายงานงบประมาณ'
const ADDRESS = `https://example.org/${'a-very-long-path/'.repeat(9)}end`

const written = (text: string): string => text.replace(/[\u2066-\u2069]/g, '').replace(/\s+/g, '')

test.each([40, 60, 120])('P60: lines of %d cells lose nothing and break no word', (columns) => {
  for (const text of [ENGLISH, ARABIC, isolate(`12: ${ARABIC}`), CHINESE, THAI, `see ${ADDRESS} for all of it, and this too`]) {
    const wrapped = wrapLines(text, columns)
    expect(written(wrapped)).toBe(written(text))
    const wide = wrapped.split('\n').filter((line) => stringWidth(line) > columns)
    expect(wide.filter((line) => line !== ADDRESS)).toEqual([])
  }
  const words = (text: string): readonly string[] => text.split(/\s+/)
  for (const text of [ENGLISH, ARABIC]) expect(words(wrapLines(text, columns))).toEqual(words(text))
  expect(wrapLines(`see ${ADDRESS} for it`, columns)).toContain(ADDRESS)
})

test('P60: Chinese and Thai break between words, and no line begins with a closing mark', () => {
  const breaks = [CHINESE, THAI].flatMap((text) => wrapLines(text, 40).split('\n'))
  expect(breaks.filter((line) => /^[，。、）]/.test(line))).toEqual([])
  expect(wrapLines(CHINESE, 40)).not.toMatch(/会\n议|报\n告|星\n期/)
  expect(wrapLines('看（会议）吧'.repeat(9), 14)).not.toMatch(/（\n|\n）/)
})

test('what follows stands under the text it continues: an item, a snippet, a column', () => {
  expect(wrapLines('1. one two three four', 12)).toBe('1. one two\n   three\n   four')
  expect(wrapLines('   12: one two three', 14)).toBe('   12: one two\n       three')
  expect(wrapLines('  -k N  one two three', 16)).toBe('  -k N  one two\n        three')
  expect(wrapLines('  one two three', 9)).toBe('  one two\n  three')
})

test('a first column wider than half of the line is no column', () => {
  expect(wrapLines('abcdefghij  one two', 14)).toBe('abcdefghij\none two')
})

test('each line of isolated text is isolated, and colour takes no room', () => {
  expect(wrapLines(isolate('واحد اثنان'), 5)).toBe('\u2068واحد\u2069\n\u2068اثنان\u2069')
  const bold = '\u001B[1mone two\u001B[22m'
  expect(wrapLines(bold, 7)).toBe(bold)
  expect(wrapLines(`${bold} three`, 7)).toBe(`${bold}\nthree`)
})

test('a no-break space is no place to break, and a word with a colour inside is one word', () => {
  expect(wrapLines('one two\u00A0three', 9)).toBe('one\ntwo\u00A0three')
  expect(wrapLines('one tw\u001B[1mo\u001B[22mthree', 8)).toBe('one\ntw\u001B[1mo\u001B[22mthree')
})
