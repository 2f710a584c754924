import { expect, test } from 'vitest'
import { checkQuery } from './check-query.ts'

const RULES = { sources: ['memory'], timeZone: 'UTC' } as const

test.each([
  {},
  { since: '2024-02-29', until: '2026-03-14' },
  { since: '2026-03-14', until: '2026-03-14', asOf: '2026-03-14' },
  { sources: ['memory'] },
  { sources: ['', 'memory'], since: '', until: 'yesterday', asOf: '7d' },
  { paths: ['memory/2026-03-*.md', '**/*.md', '{bank,memory}/**/*-[a-z]?.md', 'memory/notes (old).md', 'memory/c++.md'] },
])('a filter that means something passes: %j', (filter) => {
  expect(() => checkQuery({ text: 'x', filter }, RULES)).not.toThrow()
})

test.each([
  [{ since: '2026-02-31' }, /since.*2026-02-31/],
  [{ until: '2025-02-29' }, /until.*2025-02-29/],
  [{ asOf: '2026-13-01' }, /asOf.*2026-13-01/],
  [{ since: '2026-03-15', until: '2026-03-14' }, /since.*later/],
  [{ sources: ['memory', 'mail'] }, /"mail".*memory/],
  [{ paths: ['**/*a*a*a*a*a*a*b'] }, /glob/],
  [{ paths: ['*/*/*/*/*/*/*/*/*'] }, /glob/],
  [{ paths: ['memory/(a+)+b'] }, /glob/],
  [{ paths: ['memory/+(a|b)*'] }, /glob/],
  [{ excludePaths: ['[a-z]+[a-z]+[a-z]+[a-z]+x'] }, /glob/],
])('one that finds nothing without a word, or takes for ever, is refused by name: %j', (filter, message) => {
  expect(() => checkQuery({ text: 'x', filter }, RULES)).toThrow(message)
})

test('P34: what a query says of itself is checked like a filter', () => {
  expect(() => checkQuery({ text: 'rent path:**/*a*a*a*a*b' }, RULES)).toThrow(/glob/)
  expect(() => checkQuery({ text: 'rent since:2027 until:2026' }, RULES)).toThrow(/later/)
  expect(() => checkQuery({ text: 'see https://a.example/b:c at 10:30' }, RULES)).not.toThrow()
})
