import type { Table } from '../report/table.ts'
import type { ColdFigures, ProductFigures } from './measure-product.ts'
import type { QmdFigures } from './qmd.ts'
import type { Spread } from './statistics.ts'
import type { Script } from './notes/word-model.ts'

/** Everything measured at one size in one script. */
export interface SpeedPoint {
  readonly script: Script
  /** As asked for: `10k`. */
  readonly size: string
  readonly textBytes: number
  readonly isVirtual: boolean
  readonly product: ProductFigures
  readonly qmd?: QmdFigures
  readonly bareNodeCpuMs: number
  /** CPU of a fixed loop before and after: how steady the machine was. */
  readonly yardstickMs: readonly [before: number, after: number]
}

interface Row {
  readonly title: string
  readonly target?: string
  readonly product: (point: SpeedPoint) => string
  readonly qmd?: (figures: QmdFigures, point: SpeedPoint) => string
}

const NONE = '-'

function number(value: number): string {
  if (!Number.isFinite(value)) return NONE
  const places = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toFixed(places)
}
const megabytes = (bytes: number): string => number(bytes / 1e6)
const spread = ({ p50, p95 }: Spread): string => `${number(p50)} / ${number(p95)}`
const cold = (figures: ColdFigures | undefined): string =>
  figures ? `${number(figures.cpuMs)} / ${number(figures.wallMs)}` : NONE
const perMegabyte = (cpuMs: number, { textBytes }: SpeedPoint): string => number(cpuMs / 1000 / (textBytes / 1e6))

const ROWS: readonly Row[] = [
  { title: 'chunks', product: ({ product }) => String(product.chunks) },
  { title: 'notes', product: ({ product }) => String(product.documents) },
  { title: 'text, MB', product: ({ textBytes }) => megabytes(textBytes) },
  {
    title: 'index, CPU s per MB',
    target: '.30',
    product: (point) => perMegabyte(point.product.index.cpuMs, point),
    qmd: ({ index }, point) => perMegabyte(index.cpuMs, point),
  },
  {
    title: 'index, wall s',
    product: ({ product }) => number(product.index.wallMs / 1000),
    qmd: ({ index }) => number(index.wallMs / 1000),
  },
  {
    title: 'index, peak memory, MB',
    target: '250',
    product: ({ product }) => megabytes(product.index.peakRssBytes),
    qmd: ({ index }) => megabytes(index.peakRssBytes),
  },
  {
    title: 'index file, bytes a chunk',
    product: ({ product }) => number(product.size.fileBytes / product.chunks),
    qmd: ({ fileBytes }, { product }) => number(fileBytes / product.chunks),
  },
  {
    title: 'keywords in it, bytes a chunk',
    target: '800 en, 1,200',
    product: ({ product }) => number(product.size.keywordBytes / product.chunks),
  },
  {
    title: 'warm search, wall ms, p50 / p95',
    target: '.5, 1, 4, 30 (x2 with grams)',
    product: ({ product }) => spread(product.search.wallMs),
  },
  { title: 'warm search, CPU ms, p50 / p95', product: ({ product }) => spread(product.search.cpuMs) },
  { title: 'with the look for changed files, wall ms', product: ({ product }) => spread(product.search.wholeMs) },
  { title: 'searches, peak memory, MB', target: '200', product: ({ product }) => megabytes(product.search.peakRssBytes) },
  {
    title: 'cold search, CPU / wall ms',
    target: '180, walk apart',
    product: ({ product }) => cold(product.coldSearch),
    qmd: ({ coldSearch }) => cold(coldSearch),
  },
  {
    title: 'cold search, peak memory, MB',
    target: '80',
    product: ({ product }) => (product.coldSearch ? megabytes(product.coldSearch.peakRssBytes) : NONE),
    qmd: ({ coldSearch }) => megabytes(coldSearch.peakRssBytes),
  },
  {
    title: 'searches without a hit',
    product: ({ product: { search } }) => `${search.emptyCount} of ${search.questions}`,
    qmd: ({ emptyCount, searches }) => `${emptyCount} of ${searches}`,
  },
  {
    title: 'nothing changed, sync in process, CPU ms',
    target: '80 at 10k files',
    product: ({ product }) => number(product.unchangedSync.cpuMs),
  },
  {
    title: 'nothing changed, sync by command, CPU / wall ms',
    target: '250 at 10k files',
    product: ({ product }) => cold(product.coldSync),
    qmd: ({ unchangedSync }) => cold(unchangedSync),
  },
  {
    title: 'one note edited, CPU ms, p50 / p95',
    target: '10, 100 with a walk',
    product: ({ product: { edit } }) => (edit ? spread(edit.cpuMs) : NONE),
    qmd: ({ editSync }) => number(editSync.cpuMs),
  },
  { title: 'one note edited, CPU ms, worst', product: ({ product: { edit } }) => (edit ? number(edit.cpuMs.max) : NONE) },
  { title: 'journal an edit, KB', product: ({ product: { edit } }) => (edit ? number(edit.walBytesMean / 1000) : NONE) },
  {
    title: 'journal a byte of the note',
    target: '15',
    product: ({ product: { edit } }) => (edit ? number(edit.writeAmplification) : NONE),
  },
  { title: 'bare `node -e 0`, CPU ms', product: ({ bareNodeCpuMs }) => number(bareNodeCpuMs) },
  {
    title: 'yardstick loop before, after, CPU ms',
    product: ({ yardstickMs: [before, after] }) => `${number(before)}, ${number(after)}`,
  },
]

/** One row a figure, one column a size, qmd's beside it where it was measured. All points are of one script. */
export function speedTable(points: readonly SpeedPoint[]): Table {
  const columns = points.flatMap((point) => [
    { title: point.size, cell: (row: Row) => row.product(point) },
    ...(point.qmd ? [{ title: `qmd ${point.size}`, cell: (row: Row) => (point.qmd && row.qmd?.(point.qmd, point)) ?? '' }] : []),
  ])
  return {
    columns: [{ title: 'figure' }, ...columns.map(({ title }) => ({ title, isNumber: true })), { title: 'target' }],
    rows: ROWS.map((row) => [row.title, ...columns.map(({ cell }) => cell(row)), row.target ?? '']),
  }
}
