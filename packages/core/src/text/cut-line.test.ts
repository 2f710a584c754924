import { assertGrowsLinearly } from '@mnemark/testkit'
import { describe, expect, test } from 'vitest'
import { tokenUnits } from './estimate-tokens.ts'
import { cutLine } from './cut-line.ts'

const cut = (text: string, tokens: number) =>
  cutLine(text, { start: 0, end: text.length }, tokens * 100).map(({ start, end }) => text.slice(start, end))

describe('cutLine', () => {
  test.each([
    ['First one here. Second "one here." Third one here!', ['First one here. ', 'Second "one here." ', 'Third one here!']],
    ['会议改到星期五。东京见。', ['会议改到星期五。', '东京见。']],
  ])('cuts %s at sentences', (text, pieces) => {
    expect(cut(text, 8)).toEqual(pieces)
  })

  test('cuts long sentences between words, also where no spaces are written', () => {
    expect(cut('alpha beta gamma delta', 3)).toEqual(['alpha beta ', 'gamma delta'])
    for (const piece of cut('ประชุมถูกเลื่อนไปวันศุกร์', 6))
      expect(['ประชุม', 'ถูก', 'เลื่อน', 'ไป', 'วัน', 'ศุกร์'].some((word) => piece.startsWith(word))).toBe(true)
  })

  test('cuts a word that is too long between graphemes', () => {
    const text = `${'e\u0301'.repeat(40)}`
    for (const piece of cut(text, 5)) expect(piece).toMatch(/^(?:e\u0301)+$/)
    for (const piece of cut('👩‍💻'.repeat(20), 7)) expect(piece).toMatch(/^(?:👩‍💻){1,2}$/u)
    for (const piece of cut('🇩🇪'.repeat(20), 5)) expect(piece).toMatch(/^(?:🇩🇪){1,2}$/u)
  })

  test('a grapheme over the budget is cut between code points', () => {
    const pieces = cut('👨‍👩‍👧‍👦'.repeat(3), 2)
    expect(pieces.join('')).toBe('👨‍👩‍👧‍👦'.repeat(3))
    for (const piece of pieces) expect([piece.isWellFormed(), tokenUnits(piece) <= 200]).toEqual([true, true])
  })

  test.each(['a', 'ab ', '会', '🌸', '👩‍💻', 'e\u0301', 'ภาษา', 'हिन्दी', '🇩🇪', '. '])(
    'takes linear time over a line of %j',
    (part) => {
      assertGrowsLinearly((size) => cut(part.repeat(size / part.length), 400), 300_000)
      const text = part.repeat(300_000 / part.length)
      expect(cut(text, 400).join('')).toBe(text)
    },
  )
})
