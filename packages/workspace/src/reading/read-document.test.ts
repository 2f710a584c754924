import { expect, test } from 'vitest'
import { readTwiceAtMost } from './read-document.ts'

type Read = ReturnType<typeof readTwiceAtMost>

function reading(...reads: readonly Read[]): { readonly result: Read; readonly count: number } {
  let count = 0
  const result = readTwiceAtMost(() => reads[count++] ?? null)
  return { result, count }
}

const still = { bytes: Buffer.from('whole'), hasChanged: false }
const moving = { bytes: Buffer.from('half'), hasChanged: true }

test('B32: a note that changes while it is read is read once more, and not a third time', () => {
  expect(reading(still)).toEqual({ result: still, count: 1 })
  expect(reading(moving, still)).toEqual({ result: still, count: 2 })
  expect(reading(moving, moving, still)).toEqual({ result: moving, count: 2 })
})

test('B39: a note that another file took the place of is read from the other', () => {
  expect(reading(null, still)).toEqual({ result: still, count: 2 })
  expect(reading(null, null, still)).toEqual({ result: null, count: 2 })
})
