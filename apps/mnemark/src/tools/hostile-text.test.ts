import { assertGrowsLinearly } from '@mnemark/testkit'
import { test } from 'vitest'
import { neutralise } from './data-envelope.ts'
import { maskText } from './mask-text.ts'

// Anybody whose words get into a note could otherwise hold up a server for minutes: 400,000 characters took more than a minute each.

const LENGTH = 400_000

test.each([
  ['a bracket before blanks', '<', ' '],
  ['a comment before blanks', '<!--', ' '],
  ['words joined by dashes', '', 'a-'],
  ['words joined by dots', '', 'a.'],
  ['a key of many parts', 'sk-', 'a-'],
  ['many beginnings of keys', '', 'sk-'],
  ['beginnings of web tokens', '', `ey${'J'}aaaaaaaa.`],
  ['bare digits in one line', '', `${'0f'.repeat(32)} `],
  ['a password without end', 'password', ' '],
  ['bars', '', '|'],
])('the time for a long text grows with its length: %s', (_name, start, part) => {
  assertGrowsLinearly((length) => {
    const text = start + part.repeat(length / part.length)
    neutralise(text)
    maskText(text)
  }, LENGTH)
})
