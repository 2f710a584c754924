import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { exactNearest, recall } from './vectors/exact-nearest.ts'
import { measureVectors } from './vectors/measure-vectors.ts'
import { countFileVectors, documentVectors, queryVectors } from './vectors/vector-set.ts'
import { vectorsTable } from './vectors/vectors-report.ts'

test('unknown sizes and engines, and a file that holds too little, are bad use', () => {
  for (const args of [
    ['--sizes', '3k'],
    ['--engines', 'abacus'],
    ['--queries', 'many'],
    ['--docs', '--embeddings', import.meta.filename],
    ['--embeddings', import.meta.filename, '--dimensions', '100000'],
  ]) {
    const script = join(import.meta.dirname, 'vectors.ts')
    const result = spawnSync(process.execPath, ['--conditions=mnemark-source', script, ...args], { encoding: 'utf8' })
    expect(result.status).toBe(2)
    expect(result.stderr).toContain(args[0])
  }
})

test('made-up vectors are the same each time, of unit length, and have near neighbours', () => {
  const set = { count: 2_000, dimensions: 48, queries: 10 }
  const [first, again] = [[...documentVectors(set)], [...documentVectors(set)]]
  expect(first).toEqual(again)
  expect(Math.hypot(...(first[7] ?? []))).toBeCloseTo(1, 5)
  const nearest = exactNearest(set, 1).map(([number = 0], index) => {
    const query = queryVectors(set)[index] ?? new Float32Array(0)
    return query.reduce((sum, value, at) => sum + value * (first[number]?.[at] ?? 0), 0)
  })
  // For random directions the nearest of 2,000 would be at about .45.
  expect(nearest.reduce((sum, value) => sum + value, 0) / nearest.length).toBeGreaterThan(0.6)
})

test('recall is the share of the true ones found', () => {
  expect(recall([3, 1, 9], [1, 2, 3, 4])).toBe(0.5)
  expect(recall([], [])).toBe(1)
})

test('vectors of a file are measured by the product and by sqlite-vec, each in processes of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-bench-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const made = { count: 320, dimensions: 32, queries: 0 }
  const file = join(folder, 'vectors.f32')
  writeFileSync(file, Buffer.concat([...documentVectors(made)].map((vector) => Buffer.from(vector.buffer))))
  expect(countFileVectors(file, 32)).toBe(320)
  const set = { count: 300, dimensions: 32, queries: 20, file }
  const point = await measureVectors(set, ['mnemark', 'mnemark, 1-bit codes alone', 'sqlite-vec'], () => {})
  for (const { search, fill } of point.engines) {
    expect(search.recall).toBeGreaterThanOrEqual(0.99)
    expect(search.wallMs).toHaveLength(20)
    expect(fill.bytes).toBeGreaterThan(300 * 32)
  }
  expect(vectorsTable([point]).rows.map(([, engine]) => engine)).toEqual(['mnemark', 'mnemark, 1-bit codes alone', 'sqlite-vec'])
})
