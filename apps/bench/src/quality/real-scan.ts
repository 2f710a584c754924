import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Table } from '../report/table.ts'
import { median } from '../speed/statistics.ts'
import { measureVectors, type VectorPoint } from '../vectors/measure-vectors.ts'
import type { RememberedVectors } from './remembered-vectors.ts'

/** All notes of a run in one store and all its questions: what the product's scan finds, and how often it is what comparing all finds. */
export async function measureScan(remembered: RememberedVectors, dimensions: number): Promise<VectorPoint> {
  const [documents, queries] = [remembered.bytesOf('document'), remembered.bytesOf('query')]
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-real-vectors-'))
  try {
    const file = join(folder, 'vectors.f32')
    writeFileSync(file, Buffer.concat([...documents, ...queries]))
    const set = { count: documents.length, queries: queries.length, dimensions, file }
    const tell = (step: string): void => void process.stderr.write(`[${set.count} real vectors] ${step}\n`)
    return await measureVectors(set, ['mnemark', 'mnemark, 1-bit codes alone'], tell)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function scanTable({ set, engines }: VectorPoint): Table {
  const titles = ['vectors', 'questions', 'recall@10', 'ms']
  return {
    columns: [{ title: 'scan' }, ...titles.map((title) => ({ title, isNumber: true }))],
    rows: engines.map(({ engine, search }) => [
      engine,
      String(set.count),
      String(set.queries),
      search.recall.toFixed(4),
      median(search.wallMs).toFixed(2),
    ]),
  }
}
