import fc from 'fast-check'
import { expect, test } from 'vitest'
import { areNearlyEqual, shinglesOf } from './shingles.ts'

/** Jaccard by definition, with sets of strings. */
function jaccardOfShingles(left: string, right: string): number {
  const sets = [left, right].map((text) => {
    const size = Math.min(12, text.length)
    return new Set(Array.from({ length: text.length - size + 1 }, (_, at) => text.slice(at, at + size)))
  })
  const [one = new Set(), other = new Set()] = sets
  const shared = [...one].filter((shingle) => other.has(shingle)).length
  return shared / (one.size + other.size - shared)
}

test('agrees with the definition on texts with a few edits', () => {
  const base = fc.array(fc.constantFrom(...'abcdefghij会议مرحبا'), { minLength: 150, maxLength: 900 })
  const edits = fc.array(fc.tuple(fc.nat(899), fc.constantFrom(...'xyz新')), { maxLength: 4 })
  fc.assert(
    fc.property(base, edits, (characters, changes) => {
      const changed = [...characters]
      for (const [at, character] of changes) if (at < changed.length) changed[at] = character
      const [left, right] = [characters.join(''), changed.join('')]
      expect(areNearlyEqual(shinglesOf(left), shinglesOf(right))).toBe(jaccardOfShingles(left, right) >= 0.9)
    }),
  )
})

test('exactly nine of ten are enough', () => {
  const shared = Uint32Array.from({ length: 90 }, (_, at) => at)
  const [left, right] = [5, 5].map((more, side) => ({
    hashes: Uint32Array.of(...shared, ...Array.from({ length: more }, (_, at) => 100 + 10 * side + at)),
    length: 500,
  }))
  expect(left !== undefined && right !== undefined && areNearlyEqual(left, right)).toBe(true)
})

test('a short text with one other word is another text', () => {
  expect(areNearlyEqual(shinglesOf('deployedtostagingonly'), shinglesOf('deployedtoproductiononly'))).toBe(false)
})

test('the length counts beyond the compared beginning', () => {
  const text = Array.from({ length: 3000 }, (_, at) => `${at * 7919}`).join('')
  expect(areNearlyEqual(shinglesOf(text.slice(0, 5000)), shinglesOf(text.slice(0, 10_000)))).toBe(false)
  expect(areNearlyEqual(shinglesOf(text.slice(0, 9900)), shinglesOf(text.slice(0, 10_000)))).toBe(true)
})
