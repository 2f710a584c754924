import fc from 'fast-check'
import type { ProviderError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { toProviderError } from '../failure/provider-failure.ts'
import type { RawEmbedding } from './raw-embedding.ts'
import { readVectors } from './read-vectors.ts'

const expected = (count: number, dimensions?: number) => ({ count, dimensions, hasNullVectors: false })

function failureOf(entries: readonly RawEmbedding[], dimensions?: number): ProviderError | undefined {
  try {
    readVectors(entries, expected(entries.length, dimensions))
    return undefined
  } catch (error) {
    return toProviderError(error, { provider: 'p', model: 'm', secrets: [], texts: [] })
  }
}

const codeOf = (entries: readonly RawEmbedding[], dimensions?: number): string =>
  failureOf(entries, dimensions)?.code ?? 'accepted'

const base64 = (values: readonly number[]): string => Buffer.from(Float32Array.from(values).buffer).toString('base64')

test('B49: numbers where base64 was asked are those numbers, and base64 where numbers were is what it says', () => {
  const values = [0.1, 0.2, -0.3, 0.4]
  const norm = Math.hypot(...values)
  const vectors = readVectors([{ values }, { values: base64(values) }], expected(2, 4))
  for (const vector of vectors) expect([...(vector ?? [])]).toEqual(values.map((value) => expect.closeTo(value / norm, 6)))
})

test('B49: a vector of a quarter of the length, as older SDKs made of it, is refused', () => {
  expect(codeOf([{ values: Array<number>(192).fill(0.1) }], 768)).toBe('bad-response')
  expect(codeOf([{ values: Array<number>(192).fill(0) }])).toBe('bad-response')
})

test('B57: [3, 4] is kept as [0.6, 0.8]', () => {
  expect([...(readVectors([{ values: [3, 4] }], expected(1))[0] ?? [])]).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6)])
})

test('B51: entries in any order are paired by index', () => {
  const order = fc.integer({ min: 1, max: 40 }).chain((size) => fc.shuffledSubarray([...Array(size).keys()], { minLength: size }))
  fc.assert(
    fc.property(order, (indexes) => {
      const entries = indexes.map((index) => ({ index, values: [1, index] }))
      const vectors = readVectors(entries, expected(indexes.length, 2))
      vectors.forEach((vector, position) => expect((vector?.[1] ?? 0) / (vector?.[0] ?? 1)).toBeCloseTo(position, 3))
    }),
  )
})

test.for([
  ['a position twice', [0, 0, 1]],
  ['a position beyond the end', [0, 1, 3]],
  ['a position before the start', [0, 1, -1]],
  ['some positions missing', [0, undefined, 2]],
  ['positions as text', ['0', '1', '2']],
  ['the first position for all (P50)', [0, 0, 0]],
  ['one position for all (P50)', [1, 1, 1]],
  ['a position between two (P50)', [0, 0.5, 1]],
  ['only the first position missing (P50)', [null, 1, 2]],
] as const)('%s is refused', ([, indexes]) => {
  const entries = indexes.map((index) => ({ index, values: [1, 2] }))
  expect(codeOf(entries)).toBe('bad-response')
  expect(failureOf(entries)?.isUnordered).toBe(true)
})

test('no positions mean the order of the reply', () => {
  for (const index of [undefined, null]) {
    const vectors = readVectors(
      [
        { index, values: [1, 0] },
        { index, values: [0, 1] },
      ],
      expected(2),
    )
    expect(vectors.map((vector) => vector?.[0])).toEqual([1, 0])
  }
})

test.for([
  ['nothing', undefined],
  ['null', null],
  ['an empty list', []],
  ['a gap in the numbers', [1, null]],
  ['not a number', [1, Number.NaN]],
  ['infinity', [1, Number.POSITIVE_INFINITY]],
  ['zeros', [0, -0]],
  ['text numbers', ['1', '2']],
  ['a nested list', [[1, 2]]],
  ['text', 'not base64 at all!'],
  ['base64 of half a number', Buffer.from([1, 2, 3]).toString('base64')],
  ['base64 of an infinite number', base64([Number.POSITIVE_INFINITY])],
  ['an object', { 0: 1 }],
] as const)('%s is no vector', ([, values]) => {
  expect(codeOf([{ values }])).toBe('bad-response')
})

test('null is an answer only where the provider says so', () => {
  const vectors = readVectors([{ values: null }, { values: [0, 2] }], { count: 2, dimensions: undefined, hasNullVectors: true })
  expect(vectors).toEqual([null, new Float32Array([0, 1])])
})

test('any vector with a number in it becomes one of unit length and the same direction', () => {
  const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(
      numbers.filter((values) => values.some((value) => value !== 0)),
      (values) => {
        const [vector] = readVectors([{ values }], expected(1))
        expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5)
        const largest = values.reduce((best, value, index) => (Math.abs(value) > Math.abs(values[best] ?? 0) ? index : best), 0)
        expect(Math.sign(vector?.[largest] ?? 0)).toBe(Math.sign(values[largest] ?? 0))
      },
    ),
  )
})

test('numbers and their base64 give the same vector', () => {
  const numbers = fc
    .float32Array({ minLength: 1, noNaN: true, noDefaultInfinity: true })
    .filter((values) => values.some((value) => value !== 0))
  fc.assert(
    fc.property(numbers, (values) => {
      const [fromText, fromNumbers, fromArray] = readVectors(
        [{ values: base64([...values]) }, { values: [...values] }, { values }],
        expected(3),
      )
      expect(fromText).toEqual(fromNumbers)
      expect(fromArray).toEqual(fromNumbers)
    }),
  )
})
