import { expect, test } from 'vitest'
import { plainDigits } from './plain-digits.ts'

test('P75: the digits of every script count from 0 to 9', () => {
  const digits = Array.from({ length: 0x1_e9_60 }, (_, code) => code)
    .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
    .map((code) => String.fromCodePoint(code))
    .filter((sign) => /^\p{Nd}$/u.test(sign))
  const runs = Array.from({ length: digits.length / 10 }, (_, index) => digits.slice(index * 10, index * 10 + 10).join(''))
  expect(runs.length).toBeGreaterThan(60)
  expect(runs.filter((run) => plainDigits(run) !== '0123456789')).toEqual([])
})

test('P75: nothing else becomes a digit', () => {
  expect(plainDigits('三 Ⅲ x')).toBe('三 III x')
})
