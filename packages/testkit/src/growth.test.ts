import { expect, test } from 'vitest'
import { assertGrowsLinearly } from './growth.ts'

function spin(steps: number): number {
  let sum = 0
  for (let step = 0; step < steps; step += 1) sum = (Math.imul(sum, 31) + step) | 0
  return sum
}

test('work that grows with its size passes, work that grows with its square does not', () => {
  expect(() => assertGrowsLinearly((size) => spin(size * 1_000), 100_000)).not.toThrow()
  expect(() => assertGrowsLinearly((size) => spin(size * size), 20_000)).toThrow(/4 times as much took 1\d\.\d times as long/)
  expect(() => assertGrowsLinearly(() => {}, 1_000_000)).not.toThrow()
})
