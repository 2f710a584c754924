import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8Length } from './measure-input.ts'

test('the length of JSON in UTF-8 is that of its bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = JSON.stringify(text)
      expect(utf8Length(json)).toBe(Buffer.byteLength(json))
    }),
  )
})
