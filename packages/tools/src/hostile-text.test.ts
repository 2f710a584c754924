import { assertGrowsLinearly } from '@mnemark/testkit'
import { test } from 'vitest'
import { neutralise } from './reply/data-envelope.ts'

// Otherwise anyone whose text gets into a note could block a server for minutes: 400,000 characters took more than a minute each.

const LENGTH = 400_000

test.each([
  ['a bracket before blanks', '<', ' '],
  ['a comment before blanks', '<!--', ' '],
  ['words joined by dashes', '', 'a-'],
  ['words joined by dots', '', 'a.'],
])('the time for a long text grows with its length: %s', (_name, start, part) => {
  assertGrowsLinearly((length) => {
    neutralise(start + part.repeat(length / part.length))
  }, LENGTH)
})
