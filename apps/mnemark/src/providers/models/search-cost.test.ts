import { expect, test } from 'vitest'
import { searchCost, searchCostText } from './search-cost.ts'

test('a search sends as many passages as settings and limits allow, each with the query', () => {
  const traits = { isLocal: false, usdPerMillionInput: 0.05 }
  expect(searchCost({ traits }, {})).toEqual({ passages: 40, tokens: 17_200, usd: 0.00086 })
  expect(searchCost({ traits, limits: { maxPassages: 10, maxPassageTokens: 100 } }, { reranking: { top: 20 } })).toMatchObject({
    passages: 10,
    tokens: 1_300,
  })
  expect(searchCostText(searchCost({ traits }, {}))).toBe('up to 40 passages, about 17,200 tokens and $0.00086 a search')
})

test('a service may count searches; a local model is free, an unknown price is said to be unknown', () => {
  expect(searchCost({ traits: { isLocal: false, usdPerThousandQueries: 2 } }, {}).usd).toBe(0.002)
  expect(searchCostText(searchCost({ traits: { isLocal: true } }, {}))).toContain(', free a search')
  expect(searchCostText(searchCost({}, {}))).toContain(', price unknown a search')
})
