import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateTokens, TOKEN_UNITS, tokenUnits } from './estimate-tokens.ts'

describe('estimateTokens', () => {
  test.each([
    ['full-width punctuation', '：', 600],
    ['box drawing', '─', 600],
    ['emoji joined by ZWJ', '👩‍💻', 200],
    ['ideographs', '会', 600],
    ['kana', 'し', 50],
    ['Hangul', '데', 50],
    ['supplementary ideographs', '𠮷', 50],
  ])('B22: %s count at least one token a code point', (_name, unit, times) => {
    const text = unit.repeat(times)
    expect(estimateTokens(text)).toBeGreaterThanOrEqual([...text].length)
  })

  // Counts of o200k and cl100k for the same text; the estimate is between them, or within a fifth.
  test.each([
    ['English', 'The quick brown fox jumps over the lazy dog while the team reviews the gateway rollout plan.', 18, 18],
    ['German', 'Die Besprechung wurde auf Donnerstag verschoben, bitte die Rechnungsnummer im Formular prüfen.', 19, 26],
    ['Russian', 'Развёртывание кластера завершено, резервное копирование базы данных перенесено на пятницу.', 24, 39],
    ['Arabic', 'تم تأجيل موعد التسليم إلى الأسبوع القادم بعد اجتماع الفريق', 12, 41],
    ['Hindi', 'हमने बैठक शुक्रवार तक टाल दी', 8, 30],
    ['Thai', 'ประชุมถูกเลื่อนไปวันศุกร์', 11, 23],
    ['Chinese', '今天的会议讨论了数据库迁移计划', 9, 16],
    ['code', 'const retryPolicy = { max: 90, key: "abc" };', 16, 16],
  ])('is close to common tokenisers for %s', (_language, text, low, high) => {
    const estimate = estimateTokens(text)
    expect(estimate).toBeGreaterThanOrEqual(Math.floor(low * 0.8))
    expect(estimate).toBeLessThanOrEqual(Math.ceil(high * 1.2))
  })

  test('is a sum rounded up once: parts add up, and a part is never above the whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
        const whole = estimateTokens(left + right)
        expect(tokenUnits(left) + tokenUnits(right)).toBe(tokenUnits(left + right))
        expect(whole).toBeLessThanOrEqual(estimateTokens(left) + estimateTokens(right))
        expect(whole).toBeGreaterThanOrEqual(Math.max(estimateTokens(left), estimateTokens(right)))
      }),
    )
  })

  test('no code point weighs more than a token, so a budget of one holds something', () => {
    let heaviest = 0
    for (let code = 0; code < 0x1100; code++) heaviest = Math.max(heaviest, tokenUnits(String.fromCodePoint(code)))
    for (let code = 0x1100; code <= 0x10ffff; code += 7) heaviest = Math.max(heaviest, tokenUnits(String.fromCodePoint(code)))
    expect(heaviest).toBe(TOKEN_UNITS)
  })

  test('nothing is no token', () => {
    expect(estimateTokens('')).toBe(0)
  })
})
