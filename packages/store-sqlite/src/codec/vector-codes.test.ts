import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  byteCodes,
  hasDirection,
  packedCosine,
  packedLength,
  packVector,
  signCode,
  squaresOf,
  unpackLevels,
  unpackVector,
} from './vector-codes.ts'

const number = fc.float({ noNaN: true, noDefaultInfinity: true })
const vector = fc.array(number, { minLength: 1, maxLength: 70 }).map((numbers) => new Float32Array(numbers))

test('a vector comes back with each number to a 4,000th of the largest, at one and a half bytes a number', () => {
  fc.assert(
    fc.property(vector, (original) => {
      const packed = packVector(original)
      const peak = Math.max(...original.map(Math.abs))
      expect(packed).toHaveLength(packedLength(original.length))
      expect(hasDirection(packed)).toBe(peak > 0)
      // Half a step, and the rounding of float32 itself.
      const precision = peak / (2 * 2_016) + peak * 1e-6 + 1e-44
      for (const [index, value] of unpackVector(packed, original.length).entries()) {
        expect(Math.abs(value - (original[index] ?? Number.NaN))).toBeLessThanOrEqual(precision)
      }
    }),
    { seed: 20_260_314, numRuns: 500 },
  )
})

test('zero, the largest number and small whole numbers come back as they are', () => {
  for (const numbers of [[0, 0, 0], [3, -1, 2], [-7, 7, 0, 1], [0.3], [-4, 3]])
    expect(unpackVector(packVector(new Float32Array(numbers)), numbers.length)).toEqual(new Float32Array(numbers))
})

test('numbers near the ends of float32 neither overflow nor vanish', () => {
  for (const peak of [3.4e38, 1e-38, 1e-45]) {
    const back = unpackVector(packVector(new Float32Array([peak, -peak])), 2)
    expect([...back]).toEqual([Math.fround(peak), Math.fround(-peak)])
  }
})

test('the cosine of a packed vector is that of the vector, for odd lengths too', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 65 }), fc.integer(), (length, seed) => {
      const numbers = (salt: number): Float32Array =>
        Float32Array.from({ length }, (_, index) => Math.sin(seed + salt * (index + 1)))
      const [left, query] = [numbers(1.7), numbers(2.3)]
      const dot = left.reduce((sum, value, index) => sum + value * (query[index] ?? 0), 0)
      const cosine = dot / Math.sqrt(squaresOf(left) * squaresOf(query))
      expect(packedCosine(packVector(left), query, squaresOf(query))).toBeCloseTo(cosine, 3)
    }),
    { seed: 20_260_314, numRuns: 300 },
  )
})

test('int8 codes are the levels to the nearest sixteenth, 1-bit codes their signs', () => {
  fc.assert(
    fc.property(vector, (original) => {
      const packed = packVector(original)
      fc.pre(hasDirection(packed))
      const levels = unpackLevels(packed, original.length)
      const codes = byteCodes(packed, original.length)
      const signs = signCode(levels)
      for (const [index, level] of levels.entries()) {
        expect(Math.abs(16 * (codes[index] ?? 0) - level)).toBeLessThanOrEqual(8)
        expect(((signs[index >> 3] ?? 0) >> (index & 7)) & 1).toBe(Number(level > 0))
      }
    }),
    { seed: 20_260_314, numRuns: 300 },
  )
})
