import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordGrams } from './grams.ts'
import { eachLetter, eachPackedGram, packedFloor, packGram } from './packed-grams.ts'

function unpackGram(packed: number): string {
  let gram = ''
  eachLetter(packed, (code) => (gram += String.fromCharCode(code)))
  return gram
}

function unpacked(gramSource: string): string[] {
  const grams: string[] = []
  eachPackedGram({ gramSource, script: 'latin' }, (packed) => grams.push(unpackGram(packed)))
  return grams
}

test('packed grams are the grams of the word', () => {
  expect(unpacked('cafe')).toEqual(['^caf', 'cafe', 'afe$'])
  expect(unpacked('ab')).toEqual(['^ab$'])
  expect(unpacked('a')).toEqual(['^a$'])
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9]{1,40}$/), (word) => {
      expect(unpacked(word)).toEqual(wordGrams(word))
    }),
  )
})

test('words beyond ASCII are not packed', () => {
  expect(eachPackedGram({ gramSource: 'straße', script: 'latin' }, () => expect.unreachable())).toBe(false)
})

test('a packed gram unpacks to itself', () => {
  for (const gram of ['^a$', '^ab$', 'cafe', 'afe$']) expect(unpackGram(packGram(gram) ?? 0)).toBe(gram)
  expect(packGram('会议')).toBeUndefined()
})

test('packed grams order as their letters, and before the grams beyond ASCII that follow them', () => {
  const gram = fc
    .constantFrom('a', 'b', '9', 'z', '$', 'é', '会', '🚀')
    .chain((last) =>
      fc.array(fc.constantFrom('a', 'b', '9', 'é', '🚀'), { maxLength: 2 }).map((letters) => `^${letters.join('')}${last}`),
    )
  fc.assert(
    fc.property(gram, gram, (left, right) => {
      const packed = packGram(left)
      if (packed === undefined || left === right) return
      expect(packed < packedFloor(right)).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0)
    }),
    { numRuns: 1_000 },
  )
})
