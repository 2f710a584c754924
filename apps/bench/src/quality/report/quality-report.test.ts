import { expect, test } from 'vitest'
import { ablationTable, qualityTable } from './quality-report.ts'
import type { SetResult } from '../set-result.ts'

function result(name: string, ndcgAt10: number): SetResult {
  const metrics = { recallAt1: 0.5, recallAt5: 0.75, recallAt10: 1, mrrAt10: 0.6, ndcgAt10 }
  return { name, language: 'en', split: 'tune', units: 10, questions: 4, metrics, byType: {}, seconds: 1 }
}

test('a set stands beside its baselines, an unknown one alone, and the means below', () => {
  const { rows } = qualityTable([result('tydiqa-goldp fi', 0.9), result('unknown', 0.7)])
  expect(rows).toEqual([
    ['tydiqa-goldp fi', 'tune', '4', '10', '.500', '.750', '1.000', '.600', '.900', '.775', '.897', '.897', '+.003'],
    ['unknown', 'tune', '4', '10', '.500', '.750', '1.000', '.600', '.700', '', '', '', ''],
    ['mean of sets', '', '', '', '.500', '.750', '1.000', '.600', '.800', '.775', '.897', '.897', '+.003'],
  ])
})

test('variants are shown as changes against the product', () => {
  const variants = [{ name: 'less', results: [result('a', 0.8), result('b', 0.75)] }]
  const { columns, rows } = ablationTable({ name: 'product', results: [result('a', 0.9), result('b', 0.7)] }, variants)
  expect(columns.map(({ title }) => title).slice(4)).toEqual(['product', 'less'])
  expect(rows.map((row) => row.slice(4))).toEqual([
    ['.900', '-.100'],
    ['.700', '+.050'],
    ['.800', '-.025'],
  ])
})
