import { assertGrowsLinearly } from '@mnemark/testkit'
import { test } from 'vitest'
import { joinedNeighbours } from './neighbours.ts'

test.each(['1 234 ', ' 234', '12345678 ', '1234 ', '0 12-34 ', "1'234", 'AB12 C3D4 ', '+1 22 33 '])(
  'the time for a long text grows with its length: many times "%s"',
  (part) => {
    assertGrowsLinearly((length) => joinedNeighbours(part.repeat(length / part.length), false), 400_000)
  },
)
