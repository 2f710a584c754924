import type { ScatterChart, ScatterPoint } from '../../report/scatter-chart.ts'
import type { Table } from '../../report/table.ts'
import { ablationTable, meanOf, shown, signed } from './quality-report.ts'
import { LEGS } from '../rankings.ts'
import type { RankedSet, RankingResults } from '../run-rankings.ts'

/** One set, as each leg and both answered it. */
interface Row {
  readonly keywords: RankedSet
  readonly vectors: RankedSet
  readonly hybrid: RankedSet
}

function resultsOf(rankings: readonly RankingResults[], name: string): readonly RankedSet[] {
  const found = rankings.find((ranking) => ranking.name === name)
  if (!found) throw new Error(`${name} was not measured.`)
  return found.results
}

function legRows(rankings: readonly RankingResults[]): readonly Row[] {
  const vectors = resultsOf(rankings, LEGS.vectors.name)
  const hybrid = resultsOf(rankings, LEGS.hybrid.name)
  return resultsOf(rankings, LEGS.keywords.name).flatMap((keywords, at) => {
    const [near, both] = [vectors[at], hybrid[at]]
    return near && both ? [{ keywords, vectors: near, hybrid: both }] : []
  })
}

type Figure = 'ndcgAt10' | 'recallAt10'

function figures({ keywords, vectors, hybrid }: Row, figure: Figure): readonly [number, number, number] {
  return [keywords.metrics[figure], vectors.metrics[figure], hybrid.metrics[figure]]
}

function gain([keywords, vectors, hybrid]: readonly [number, number, number]): number {
  return hybrid - Math.max(keywords, vectors)
}

function means(rows: readonly Row[], figure: Figure): readonly [number, number, number] {
  const mean = (at: 0 | 1 | 2): number => meanOf(rows.map((row) => figures(row, figure)[at])) ?? 0
  return [mean(0), mean(1), mean(2)]
}

/** Hybrid beside each leg; the gain is over the better one. */
export function legsTable(rankings: readonly RankingResults[]): Table {
  const rows = legRows(rankings)
  const cells = (ndcg: readonly [number, number, number], recall: readonly number[]): readonly string[] => [
    ...ndcg.map(shown),
    signed(gain(ndcg)),
    ...recall.map(shown),
  ]
  const titles = ['keywords', 'vectors', 'hybrid', 'gain', 'R@10 keywords', 'R@10 vectors', 'R@10 hybrid']
  return {
    columns: [
      { title: 'set' },
      { title: 'questions', isNumber: true },
      { title: 'units', isNumber: true },
      ...titles.map((title) => ({ title, isNumber: true })),
    ],
    rows: [
      ...rows.map((row) => {
        const { name, questions, units } = row.keywords
        return [name, String(questions), String(units), ...cells(figures(row, 'ndcgAt10'), figures(row, 'recallAt10'))]
      }),
      ['mean of sets', '', '', ...cells(means(rows, 'ndcgAt10'), means(rows, 'recallAt10'))],
    ],
  }
}

/** A set may cost hybrid so much against its better leg. */
const MOST_LOSS = 0.01

/** Whether fusing pays: never a point below the better leg, above both in the mean. */
export function judgeFusion(rankings: readonly RankingResults[]): string {
  const rows = legRows(rankings)
  const gains = rows.map((row) => ({ set: row.keywords.name, gain: gain(figures(row, 'ndcgAt10')) }))
  const [worst] = gains.toSorted((left, right) => left.gain - right.gain)
  const mean = gain(means(rows, 'ndcgAt10'))
  if (!worst) return 'No set was measured.'
  const isHeld = worst.gain >= -MOST_LOSS && mean > 0
  return (
    `${isHeld ? 'Held' : 'Not held'}: hybrid never more than a point of nDCG@10 below the better of its legs, and above both in the mean. ` +
    `Its worst set is ${worst.set} with ${signed(worst.gain)}; in the mean it has ${signed(mean)} over the better leg.`
  )
}

/** nDCG@10 of each leg by type of question, for sets whose questions have more than one. */
export function typesTable(rankings: readonly RankingResults[]): Table {
  const rows = legRows(rankings).flatMap(({ keywords, vectors, hybrid }) => {
    const types = Object.entries(keywords.byType)
    if (types.length < 2) return []
    return types.map(([type, own]) => {
      const ndcg = [own, vectors.byType[type], hybrid.byType[type]].map((each) => each?.metrics.ndcgAt10 ?? 0)
      const [words = 0, near = 0, both = 0] = ndcg
      return [keywords.name, type, String(own.questions), ...ndcg.map(shown), signed(gain([words, near, both]))]
    })
  })
  const titles = ['questions', 'keywords', 'vectors', 'hybrid', 'gain']
  return { columns: [{ title: 'set' }, { title: 'type' }, ...titles.map((title) => ({ title, isNumber: true }))], rows }
}

interface Summary {
  readonly name: string
  readonly ndcgAt10: number
  readonly recallAt10: number
  readonly searchMs: number
}

function summaries(rankings: readonly RankingResults[]): readonly Summary[] {
  return rankings.map(({ name, results }) => ({
    name,
    ndcgAt10: meanOf(results.map(({ metrics }) => metrics.ndcgAt10)) ?? 0,
    recallAt10: meanOf(results.map(({ metrics }) => metrics.recallAt10)) ?? 0,
    searchMs: meanOf(results.map(({ searchMs }) => searchMs)) ?? 0,
  }))
}

/** The quality of each ranking, and the cost of one search with the query's vector given: means over the sets. */
export function latencyTable(rankings: readonly RankingResults[]): Table {
  const titles = ['nDCG@10', 'R@10', 'CPU ms a search']
  return {
    columns: [{ title: 'ranking' }, ...titles.map((title) => ({ title, isNumber: true }))],
    rows: summaries(rankings).map(({ name, ndcgAt10, recallAt10, searchMs }) => [
      name,
      shown(ndcgAt10),
      shown(recallAt10),
      searchMs.toFixed(2),
    ]),
  }
}

/** nDCG@10 of hybrid on each set, and how far each variant is from it. */
export function hybridVariantsTable(rankings: readonly RankingResults[]): Table {
  const legs: ReadonlySet<string> = new Set(Object.values(LEGS).map(({ name }) => name))
  const variants = rankings.filter(({ name }) => !legs.has(name))
  return ablationTable({ name: LEGS.hybrid.name, results: resultsOf(rankings, LEGS.hybrid.name) }, variants)
}

const COLORS: Readonly<Record<string, string>> = { keywords: '#6c8ebf', vectors: '#d08770', hybrid: '#2f9e6e' }

/** Rankings far below the others would press those together. */
const MOST_BELOW_BEST = 0.3

/** Quality against time, a point for each ranking. */
export function latencyChart(rankings: readonly RankingResults[], split: string): ScatterChart {
  const all = summaries(rankings)
  const best = Math.max(...all.map(({ ndcgAt10 }) => ndcgAt10))
  const points = all
    .filter(({ ndcgAt10 }) => ndcgAt10 >= best - MOST_BELOW_BEST)
    .map(
      ({ name, ndcgAt10, searchMs }): ScatterPoint => ({
        label: `${name}: ${shown(ndcgAt10)}, ${searchMs.toFixed(1)} ms`,
        x: searchMs,
        y: ndcgAt10,
        color: COLORS[name] ?? '#9aa3b2',
      }),
    )
  return {
    title: `Mean nDCG@10 against CPU ms a search, English, ${split} split`,
    xLabel: 'CPU ms a search',
    yLabel: 'nDCG@10',
    points,
  }
}
