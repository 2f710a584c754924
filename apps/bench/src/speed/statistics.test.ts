import { expect, test } from 'vitest'
import { median, quantile, spreadOf } from './statistics.ts'

test('quantiles lie between the nearest ranks', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(quantile([0, 10], 0.95)).toBeCloseTo(9.5, 12)
  expect(spreadOf([5])).toEqual({ p50: 5, p95: 5, max: 5 })
})
