import { expect, test } from 'vitest'
import { parseDuration } from './duration.ts'

test.each([
  ['5m', 300_000],
  ['90s', 90_000],
  ['250ms', 250],
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['2 d', null],
  [' 1D ', 86_400_000],
  ['0', 0],
  ['0s', 0],
  ['5', null],
  ['', null],
  ['-5m', null],
  ['five minutes', null],
])('%j', (text, ms) => expect(parseDuration(text)).toBe(ms))
