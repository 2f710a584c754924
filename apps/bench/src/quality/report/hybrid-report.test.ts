import { expect, test } from 'vitest'
import { hybridVariantsTable, judgeFusion, latencyChart, latencyTable, legsTable, typesTable } from './hybrid-report.ts'
import type { RankedSet, RankingResults } from '../run-rankings.ts'

function metrics(ndcgAt10: number) {
  return { recallAt1: 0, recallAt5: 0, recallAt10: ndcgAt10 + 0.1, mrrAt10: 0, ndcgAt10 }
}

function set(name: string, ndcgAt10: number): RankedSet {
  const byType = { when: { questions: 1, metrics: metrics(ndcgAt10) }, who: { questions: 3, metrics: metrics(ndcgAt10) } }
  const own = { name, language: 'en', split: 'tune', units: 10, questions: 4, seconds: 1, searchMs: 2 } as const
  return { ...own, metrics: metrics(ndcgAt10), byType: name === 'b' ? { all: byType.who } : byType }
}

function ranking(name: string, first: number, second: number): RankingResults {
  return { name, results: [set('a', first), set('b', second)] }
}

const legs = [ranking('keywords', 0.6, 0.5), ranking('vectors', 0.3, 0.7)]
const rankings = [...legs, ranking('hybrid', 0.596, 0.8), ranking('RRF', 0.5, 0.7), ranking('decay', 0.1, 0.1)]

test('the gain is over the better leg of each set, and of the means', () => {
  expect(legsTable(rankings).rows).toEqual([
    ['a', '4', '10', '.600', '.300', '.596', '-.004', '.700', '.400', '.696'],
    ['b', '4', '10', '.500', '.700', '.800', '+.100', '.600', '.800', '.900'],
    ['mean of sets', '', '', '.550', '.500', '.698', '+.148', '.650', '.600', '.798'],
  ])
})

test('fusing pays while no set loses more than a point and the mean gains', () => {
  expect(judgeFusion(rankings)).toMatch(/^Held: .* worst set is a with -\.004; in the mean it has \+\.148/)
  expect(judgeFusion([...legs, ranking('hybrid', 0.58, 0.8)])).toMatch(/^Not held: .* a with -\.020/)
  expect(judgeFusion([...legs, ranking('hybrid', 0.6, 0.7)])).toMatch(/^Held/)
  expect(judgeFusion([ranking('keywords', 0.6, 0.6), ranking('vectors', 0.3, 0.6), ranking('hybrid', 0.6, 0.595)])).toMatch(
    /^Not held: .* b with -\.005/,
  )
})

test('types stand apart where a set has more than one', () => {
  expect(typesTable(rankings).rows).toEqual([
    ['a', 'when', '1', '.600', '.300', '.596', '-.004'],
    ['a', 'who', '3', '.600', '.300', '.596', '-.004'],
  ])
})

test('variants are changes against hybrid, without the legs', () => {
  const { columns, rows } = hybridVariantsTable(rankings)
  expect(columns.map(({ title }) => title).slice(4)).toEqual(['hybrid', 'RRF', 'decay'])
  expect(rows[0]?.slice(4)).toEqual(['.596', '-.096', '-.496'])
})

test('every ranking has its time, and the chart leaves out what is far below the best', () => {
  expect(latencyTable(rankings).rows[2]).toEqual(['hybrid', '.698', '.798', '2.00'])
  expect(latencyChart(rankings, 'tune').points.map(({ label }) => label)).toEqual([
    'keywords: .550, 2.0 ms',
    'vectors: .500, 2.0 ms',
    'hybrid: .698, 2.0 ms',
    'RRF: .600, 2.0 ms',
  ])
})
