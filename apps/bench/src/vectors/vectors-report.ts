import type { Table } from '../report/table.ts'
import { spreadOf } from '../speed/statistics.ts'
import type { EngineFigures, VectorPoint } from './measure-vectors.ts'

/** The goal for `nearest` at each size, in milliseconds. */
const TARGETS: Readonly<Record<number, string>> = { 1_000: '.3', 10_000: '.5', 100_000: '2', 1_000_000: '16' }
const MADE_DIMENSIONS = 384

function number(value: number): string {
  const places = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toFixed(places)
}

function spread(values: readonly number[]): string {
  const { p50, p95 } = spreadOf(values)
  return `${number(p50)} / ${number(p95)}`
}

const COLUMNS = [
  'vectors',
  'engine',
  'nearest, wall ms, p50 / p95',
  'CPU ms, p50 / p95',
  'target',
  'recall@10',
  'first answer, CPU / wall ms',
  'bytes a vector',
  'peak memory, MB',
  'filled, CPU s',
]

function row({ set }: VectorPoint, { engine, fill, search, peakRssBytes }: EngineFigures): readonly string[] {
  const isOurs = engine === 'mnemark' && set.dimensions === MADE_DIMENSIONS
  return [
    `${set.count} x ${set.dimensions}`,
    engine,
    spread(search.wallMs),
    spread(search.cpuMs),
    isOurs ? (TARGETS[set.count] ?? '') : '',
    search.recall.toFixed(3),
    `${number(search.first.cpuMs)} / ${number(search.first.wallMs)}`,
    String(Math.round(fill.bytes / set.count)),
    number(peakRssBytes / 1e6),
    number(fill.cpuMs / 1000),
  ]
}

export function vectorsTable(points: readonly VectorPoint[]): Table {
  const columns = COLUMNS.map((title, index) => ({ title, isNumber: index > 1 }))
  return { columns, rows: points.flatMap((point) => point.engines.map((figures) => row(point, figures))) }
}

/** How steady the machine was. */
export function yardstickNote(points: readonly VectorPoint[]): string {
  const loops = points.flatMap(({ yardstickMs }) => yardstickMs)
  return `The yardstick loop took ${number(Math.min(...loops))} to ${number(Math.max(...loops))} ms of CPU.`
}
