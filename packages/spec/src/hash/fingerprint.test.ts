import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, fingerprint } from './fingerprint.ts'

test('is 64 hexadecimal digits', () => {
  expect(fingerprint({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
})

test('does not depend on key order or undefined members', () => {
  expect(fingerprint({ b: [1, { d: 2, c: null }], a: 'x' })).toBe(
    fingerprint({ a: 'x', b: [1, { c: null, d: 2 }], e: undefined }),
  )
})

test('moves with every value', () => {
  const values = [null, 0, '0', '', [], {}, [0], { a: 0 }, { a: null }, { a: '0' }, { b: 0 }, true]
  expect(new Set(values.map(fingerprint)).size).toBe(values.length)
})

test('canonical JSON parses back to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const parsed: unknown = JSON.parse(canonicalJson(value))
      expect(canonicalJson(parsed)).toBe(canonicalJson(value))
    }),
  )
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 0, Symbol('x')])('refuses %s', (value) => {
  expect(() => fingerprint({ value })).toThrow(TypeError)
})
