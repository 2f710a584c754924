import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareUtf8 } from './byte-order.ts'

test('orders any two well-formed strings like their UTF-8 bytes', () => {
  const text = fc.string({ unit: 'binary', maxLength: 6 })
  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(Math.sign(compareUtf8(left, right))).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)))
    }),
    { seed: 20_260_314, numRuns: 2_000 },
  )
})
