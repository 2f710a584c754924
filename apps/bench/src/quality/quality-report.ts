import type { BarChart } from '../report/bar-chart.ts'
import type { Table } from '../report/table.ts'
import { referenceOf } from './reference-figures.ts'
import type { SetResult } from './run-set.ts'

/** `.785`; three places, since differences under a point are noise. */
function shown(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(3).replace(/^(-?)0\./, '$1.')
}

function signed(value: number | undefined): string {
  return value === undefined ? '' : `${value >= 0 ? '+' : '-'}${shown(Math.abs(value))}`
}

const SET_COLUMNS = [
  { title: 'set' },
  { title: 'split' },
  { title: 'questions', isNumber: true },
  { title: 'units', isNumber: true },
] as const

function setCells({ name, split, questions, units }: SetResult): readonly string[] {
  return [name, split, String(questions), String(units)]
}

/** Every metric of every set beside the baselines; the last column is nDCG@10 minus the best lexical figure. */
export function qualityTable(results: readonly SetResult[]): Table {
  const numbers = ['R@1', 'R@5', 'R@10', 'MRR@10', 'nDCG@10', 'FTS5', 'best', 'target', '- best']
  return {
    columns: [...SET_COLUMNS, ...numbers.map((title) => ({ title, isNumber: true }))],
    rows: results.map((result) => {
      const { recallAt1, recallAt5, recallAt10, mrrAt10, ndcgAt10 } = result.metrics
      const reference = referenceOf(result.name, result.split)
      const best = reference?.best.ndcgAt10
      const own = [recallAt1, recallAt5, recallAt10, mrrAt10, ndcgAt10]
      return [
        ...setCells(result),
        ...[...own, reference?.fts5.ndcgAt10, best, reference?.target.ndcgAt10].map(shown),
        signed(best === undefined ? undefined : ndcgAt10 - best),
      ]
    }),
  }
}

/** nDCG@10 of the product, and how far each variant is from it. */
export function ablationTable(
  product: readonly SetResult[],
  variants: readonly { readonly name: string; readonly results: readonly SetResult[] }[],
): Table {
  return {
    columns: [...SET_COLUMNS, ...['product', ...variants.map(({ name }) => name)].map((title) => ({ title, isNumber: true }))],
    rows: product.map((result, index) => {
      const { ndcgAt10 } = result.metrics
      const changes = variants.map(({ results }) => {
        const other = results[index]
        return signed(other && other.metrics.ndcgAt10 - ndcgAt10)
      })
      return [...setCells(result), shown(ndcgAt10), ...changes]
    }),
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
