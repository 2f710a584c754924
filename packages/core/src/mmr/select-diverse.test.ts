import { ConfigError } from '@mnemark/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { selectDiverse } from './select-diverse.ts'
import { tokenSimilarity } from './similarity.ts'

function note(relevance: number, text: string): { relevance: number; text: string; tokens: Set<string> } {
  return { relevance, text, tokens: new Set(text.toLowerCase().split(' ')) }
}

const homeNetwork = [
  note(0.92, 'Router configured with VLAN 10 for the IoT devices'),
  note(0.89, 'Configured the router with VLAN 10 for all IoT devices'),
  note(0.85, 'Reference of home subnets gateway addresses and switch ports'),
  note(0.78, 'DNS runs on the small server and blocks trackers'),
]

test('four notes on a home network: with λ 0.7 the top three are .92, .85, .78', () => {
  const picks = selectDiverse(homeNetwork, { lambda: 0.7, limit: 3, similarity: tokenSimilarity })
  expect(picks.map(({ candidate }) => candidate.relevance)).toEqual([0.92, 0.85, 0.78])
})

test('a pick carries the numbers of its choice', () => {
  const [first, second] = selectDiverse(homeNetwork, { lambda: 0.7, limit: 2, similarity: () => 0.5 })
  expect(first).toMatchObject({ similarity: 0 })
  expect(first?.value).toBeCloseTo(0.7 * 0.92, 12)
  expect(second?.value).toBeCloseTo(0.7 * 0.89 - 0.3 * 0.5, 12)
})

const candidates = fc.array(
  fc.record({ relevance: fc.double({ min: 0, max: 1, noNaN: true }), place: fc.integer({ min: 0, max: 9 }) }),
  {
    maxLength: 30,
  },
)
const closeness = (left: { place: number }, right: { place: number }): number => 1 - Math.abs(left.place - right.place) / 10

test('every pick is the best of what was left, by the plain formula', () => {
  fc.assert(
    fc.property(
      candidates,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 40 }),
      (pool, lambda, limit) => {
        const picks = selectDiverse(pool, { lambda, limit, similarity: closeness })
        expect(picks).toHaveLength(Math.min(limit, pool.length))
        const chosen: typeof pool = []
        for (const pick of picks) {
          const left = pool.filter((candidate) => !chosen.includes(candidate))
          const values = left.map(
            (candidate) =>
              lambda * candidate.relevance - (1 - lambda) * Math.max(0, ...chosen.map((other) => closeness(other, candidate))),
          )
          const best = Math.max(...values)
          expect(pick.value).toBeCloseTo(best, 12)
          expect(left[values.indexOf(best)]).toBe(pick.candidate)
          chosen.push(pick.candidate)
        }
      },
    ),
  )
})

test('λ 1 keeps the order of relevance, ties in the order given', () => {
  const pool = [0.5, 0.9, 0.9, 0.1].map((relevance, place) => ({ relevance, place }))
  const picks = selectDiverse(pool, { lambda: 1, limit: 4, similarity: closeness })
  expect(picks.map(({ candidate }) => candidate.place)).toEqual([1, 2, 0, 3])
})

test.each([-0.1, 1.1, Number.NaN])('refuses a λ of %s', (lambda) => {
  expect(() => selectDiverse([], { lambda, limit: 1, similarity: () => 0 })).toThrow(ConfigError)
})
