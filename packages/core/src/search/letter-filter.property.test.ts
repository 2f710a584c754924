import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileQuery } from '../keywords/query/keyword-query.ts'
import { wordsOf } from '../text/analyse.ts'
import { createHighlighter } from './highlight-matches.ts'
import { LetterFilter } from './letter-filter.ts'

const ROOTS = [
  'configure',
  'router',
  'happy',
  'ski',
  'garden',
  'naïve',
  'C++',
  'run',
  'sky',
  'memorySearch',
  'wifi',
  'éclair',
  'be',
  'a',
]
const ENDINGS = ['', 's', 'ing', 'ed', 'er', 'y', 'ies', 'iness', 'ly', 'X', '7']
const word = fc
  .tuple(fc.constantFrom('', 're', 'un', 'pre'), fc.constantFrom(...ROOTS), fc.constantFrom(...ENDINGS))
  .map((parts) => parts.join(''))
const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '))
const NOW = { nowMs: 0, timeZone: 'UTC' }

test('no word that shines for a query is rejected', () => {
  fc.assert(
    fc.property(text, text, fc.boolean(), (question, note, isPrefix) => {
      const query = compileQuery(isPrefix ? `${question}*` : question, NOW)
      const filter = new LetterFilter(query)
      expect(createHighlighter(query, filter)(note)).toEqual(createHighlighter(query, { rejects: () => false })(note))
      const asked = new Set(query.words.map(({ term }) => term))
      for (const { start, end } of wordsOf(note).filter(({ term }) => asked.has(term)))
        expect(filter.rejects(note, start, end)).toBe(false)
    }),
    { numRuns: 2_000, seed: 3 },
  )
})

test('words that share no three letters and no beginning are rejected', () => {
  const filter = new LetterFilter(compileQuery('configuring the routers', NOW))
  for (const other of ['lamp', 'Velvet', 'banana']) expect(filter.rejects(other, 0, other.length)).toBe(true)
  for (const near of ['reconfigure', 'Router', 'rough', 'café', 'ab', 'x7y'])
    expect(filter.rejects(near, 0, near.length)).toBe(false)
})
