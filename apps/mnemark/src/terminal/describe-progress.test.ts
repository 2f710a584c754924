import { expect, test } from 'vitest'
import { describeProgress } from './describe-progress.ts'
import { dollars } from './tokens-text.ts'

const since = { sinceMs: 4_000, sinceDone: 100 }

test('says what is counted, tokens and cost, the rate and the time left', () => {
  expect(describeProgress({ phase: 'vectors', done: 300, total: 1_300, tokens: 61_250, usd: 0.001225 }, since)).toBe(
    'texts, 61,250 tokens, $0.0012, 50/s, 20 s left',
  )
  expect(describeProgress({ phase: 'text', done: 104, total: 100_000 }, since)).toBe('documents, 1/s, 27 h 45 min left')
})

test('says nothing it cannot know: no rate before something is done, no time left at the end or of an unknown whole', () => {
  expect(describeProgress({ phase: 'text', done: 100, total: 200 }, since)).toBe('documents')
  expect(describeProgress({ phase: 'text', done: 0, total: 200 }, { sinceMs: 0, sinceDone: 0 })).toBe('documents')
  expect(describeProgress({ phase: 'vectors', done: 140, total: 140, tokens: 0 }, since)).toBe('texts, 10/s')
  expect(describeProgress({ phase: 'list', done: 140, total: null }, since)).toBe('documents, 10/s')
})

test('a cost keeps two figures that say something', () => {
  expect([0, 0.00000234, 0.0456, 0.5, 12.345].map(dollars)).toEqual(['$0.00', '$0.0000023', '$0.046', '$0.50', '$12.35'])
})
