import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const NOW_MS = Date.parse('2026-11-29T12:00:00Z')

test.for([
  [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
  [{ 'retry-after': '3' }, 3000],
  [{ 'retry-after': ' 0.25 ' }, 250],
  [{ 'retry-after': '86400' }, 86_400_000],
  [{ 'retry-after': 'Sun, 29 Nov 2026 12:00:34 GMT' }, 34_000],
  [{ 'retry-after': 'Sunday, 29-Nov-26 12:00:34 GMT' }, 34_000],
  [{ 'retry-after': 'Sun Nov 29 12:00:34 2026' }, 34_000],
  [{ 'retry-after': 'Sun, 29 Nov 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after-ms': 'soon', 'retry-after': '2' }, 2000],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': '5 minutes' }, undefined],
  [{ 'retry-after': '2026-11-29' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{}, undefined],
] as const)('B64: %o is a wait of %s ms', ([headers, expected]) => {
  expect(retryAfterMs(new Headers(Object.entries(headers)), NOW_MS)).toBe(expected)
})
