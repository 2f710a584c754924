import { expect, test } from 'vitest'
import { withoutBlanks } from './left-out.ts'

test('P30: null, blank texts and empty lists, at any depth, count as left out', () => {
  const request = {
    query: 'rent',
    limit: null,
    since: '',
    until: ' \u3000\n',
    filter: { tags: [], paths: ['', 'memory', null], kinds: ['  '], all: [{ tags: [''] }] },
    overrides: { mmr: { enabled: null }, minScore: 0, keywordsOnly: false },
  }
  expect(withoutBlanks(request)).toEqual({
    query: 'rent',
    filter: { paths: ['memory'] },
    overrides: { minScore: 0, keywordsOnly: false },
  })
  expect(withoutBlanks({ tags: [], paths: [''] })).toBeUndefined()
})

test('P30: what has a class of its own passes as it is', () => {
  const { signal } = new AbortController()
  expect(withoutBlanks({ signal })?.signal).toBe(signal)
})
