import type { BarChart } from '../../report/bar-chart.ts'
import type { Table } from '../../report/table.ts'
import { referenceOf } from './reference-figures.ts'
import type { SetResult } from '../set-result.ts'

/** `.785`; three places, since differences under a point are noise. */
export function shown(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(3).replace(/^(-?)0\./, '$1.')
}

/** The same with a sign. */
export function signed(value: number | undefined): string {
  // A value that rounds to zero gets no minus sign.
  return value === undefined ? '' : `${value > -0.0005 ? '+' : '-'}${shown(Math.abs(value))}`
}

const SET_COLUMNS = [
  { title: 'set' },
  { title: 'split' },
  { title: 'questions', isNumber: true },
  { title: 'units', isNumber: true },
] as const

const MEAN_CELLS = ['mean of sets', '', '', '']

function setCells({ name, split, questions, units }: SetResult): readonly string[] {
  return [name, split, String(questions), String(units)]
}

/** Mean over the rows that have a value; undefined where none has. */
export function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** A last row with the mean of each column, every set counting the same. */
function meanRow(rows: readonly (readonly (number | undefined)[])[]): readonly (number | undefined)[] {
  return rows[0]?.map((_, column) => meanOf(rows.map((row) => row[column]))) ?? []
}

function metricsAndReferences({ name, split, metrics }: SetResult): readonly (number | undefined)[] {
  const { recallAt1, recallAt5, recallAt10, mrrAt10, ndcgAt10 } = metrics
  const reference = referenceOf(name, split)
  const best = reference?.best.ndcgAt10
  const above = best === undefined ? undefined : ndcgAt10 - best
  return [recallAt1, recallAt5, recallAt10, mrrAt10, ndcgAt10, reference?.fts5.ndcgAt10, best, reference?.target.ndcgAt10, above]
}

/** Every metric of every set beside the baselines; the last column is nDCG@10 minus the best lexical figure. */
export function qualityTable(results: readonly SetResult[]): Table {
  const numbers = ['R@1', 'R@5', 'R@10', 'MRR@10', 'nDCG@10', 'FTS5', 'best', 'target', '- best']
  const values = results.map(metricsAndReferences)
  const cells = (row: readonly (number | undefined)[]): readonly string[] => [...row.slice(0, -1).map(shown), signed(row.at(-1))]
  return {
    columns: [...SET_COLUMNS, ...numbers.map((title) => ({ title, isNumber: true }))],
    rows: [
      ...results.map((result, row) => [...setCells(result), ...cells(values[row] ?? [])]),
      [...MEAN_CELLS, ...cells(meanRow(values))],
    ],
  }
}

export interface NamedResults {
  readonly name: string
  readonly results: readonly SetResult[]
}

/** nDCG@10 of what is there, and how far each variant is from it. */
export function ablationTable({ name: own, results: base }: NamedResults, variants: readonly NamedResults[]): Table {
  const values = base.map(({ metrics: { ndcgAt10 } }, row) => {
    const changes = variants.map(({ results }) => {
      const other = results[row]
      return other && other.metrics.ndcgAt10 - ndcgAt10
    })
    return [ndcgAt10, ...changes]
  })
  const cells = ([first, ...changes]: readonly (number | undefined)[]): readonly string[] => [
    shown(first),
    ...changes.map(signed),
  ]
  return {
    columns: [...SET_COLUMNS, ...[own, ...variants.map(({ name }) => name)].map((title) => ({ title, isNumber: true }))],
    rows: [
      ...base.map((result, row) => [...setCells(result), ...cells(values[row] ?? [])]),
      [...MEAN_CELLS, ...cells(meanRow(values))],
    ],
  }
}

/** nDCG@10 of each set between stock FTS5 and the best lexical figure. */
export function qualityChart(results: readonly SetResult[], split: string): BarChart {
  return {
    title: `nDCG@10, keywords only, ${split} split`,
    series: [
      { label: 'SQLite FTS5, OR', color: '#b0b7c3' },
      { label: 'best lexical', color: '#6c8ebf' },
      { label: 'Mnemark', color: '#2f9e6e' },
    ],
    groups: results.map(({ name, split: own, metrics }) => {
      const reference = referenceOf(name, own)
      const label = split === 'all' && name.startsWith('locomo') ? `${name}, ${own}` : name
      return { label, values: [reference?.fts5.ndcgAt10, reference?.best.ndcgAt10, metrics.ndcgAt10] }
    }),
  }
}

/** The JSON form: each set with its reference figures. */
export function withReferences(results: readonly SetResult[]): readonly object[] {
  return results.map((result) => ({ ...result, reference: referenceOf(result.name, result.split) ?? null }))
}
