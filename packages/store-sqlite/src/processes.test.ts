import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { fingerprint } from '@mnemark/spec'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { change, countDocuments, open, read, samplePut, sampleSegment, take } from './__fixtures__/sample.ts'
import { temporaryPath } from './__fixtures__/temporary-path.ts'
import { openSqliteStore } from './index.ts'

interface StoreProcess {
  readonly child: ChildProcess
  /** Resolves with the first line that begins with `start`. */
  line(start: string): Promise<string>
  /** Resolves with its error output when it succeeds; rejects otherwise. */
  finished(): Promise<void>
}

function start(...task: readonly string[]): StoreProcess {
  const program = fileURLToPath(new URL('./__fixtures__/store-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=mnemark-source', '--no-warnings', program, ...task], { stdio: 'pipe' })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const lines: string[] = []
  const errors: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  child.stderr.on('data', (text) => errors.push(String(text)))
  const exit = once(child, 'close')
  return {
    child,
    line: (wanted) =>
      expect
        .poll(() => lines.find((line) => line.startsWith(wanted)), { interval: 5 })
        .toBeDefined()
        .then(() => lines.find((line) => line.startsWith(wanted)) ?? ''),
    finished: async () => {
      const [code] = await exit
      expect(errors.join('')).toBe('')
      expect(code).toBe(0)
    },
  }
}

/** Starts all of them at the same instant. */
async function release(processes: readonly StoreProcess[]): Promise<void> {
  for (const { line } of processes) await line('ready')
  for (const { child } of processes) child.stdin?.write('go\n')
}

test('B41 three processes open one fresh file at once and write 100 rows each while a fourth reads', async () => {
  const path = temporaryPath()
  const writers = ['one', 'two', 'three'].map((name) => start('write', path, name, '100'))
  const reader = start('read', path, 'reader', '300')
  await release([...writers, reader])
  for (const process of [...writers, reader]) await process.finished()
  const answers = Number((await reader.line('answers')).slice('answers '.length))
  expect(answers).toBeGreaterThan(10)
  const store = await open(path)
  expect(await countDocuments(store)).toBe(300)
  expect(await store.check()).toEqual({ isHealthy: true, problems: [], repaired: [] })
})

test('B42 the lease of a writer killed in the middle goes to the next one at once', async () => {
  const path = temporaryPath()
  const holder = start('hold', path)
  await release([holder])
  await holder.line('held')
  const store = await open(path)
  const controller = new AbortController()
  const waiting = store.acquireLease('write', { signal: controller.signal })
  expect(await countDocuments(store)).toBe(0)
  controller.abort()
  expect(await waiting, 'a live holder is not disturbed').toBeNull()
  holder.child.kill('SIGKILL')
  // Its lease would last another minute; the next caller checks whether its process lives.
  await change(store, { put: [samplePut('a.md')] })
  expect(await countDocuments(store)).toBe(1)
})

test('B42 a merge killed half-way: the old segments answer, and upkeep takes the leftovers away', async () => {
  const path = temporaryPath()
  const store = await open(path)
  await change(store, { segments: () => [sampleSegment('old', ['a'])] })
  const merger = start('merge', path, 'old')
  await release([merger])
  await merger.line('held')
  const names = async (): Promise<string[]> => read(store, async (snapshot) => (await snapshot.segments()).map(({ id }) => id))
  expect(await names()).toEqual(['old'])
  merger.child.kill('SIGKILL')
  const lease = await take(store)
  expect(await names()).toEqual(['old'])
  expect(leftoverBlocks(path)).toBeGreaterThan(0)
  await store.maintain(lease, { maxUnreferencedVectors: 0 })
  expect(leftoverBlocks(path)).toBe(0)
  expect(await names()).toEqual(['old'])
})

test('B42 the merge that was killed half-way is done again under the same name', async () => {
  const path = temporaryPath()
  const store = await open(path)
  await change(store, { segments: () => [sampleSegment('old', ['a'])] })
  const merger = start('merge', path, 'old')
  await release([merger])
  await merger.line('held')
  merger.child.kill('SIGKILL')
  const lease = await take(store)
  const { blocks, ...merged } = sampleSegment('merged', ['a'])
  await store.replaceSegments(lease, ['old'], { ...merged, blocks: each(blocks) })
  expect(await read(store, async (snapshot) => (await snapshot.segments()).map(({ id }) => id))).toEqual(['merged'])
  expect(leftoverBlocks(path)).toBe(0)
})

test('B42 vectors and the blocks of their codes are never apart, wherever a writer is killed', async () => {
  const path = temporaryPath()
  const space = { provider: 'p', endpoint: null, model: 'm', requestedDimensions: null, variant: {} }
  for (let kill = 1; kill <= 4; kill++) {
    const embedder = start('embed', path)
    await release([embedder])
    await embedder.line(`round ${3 * kill}`)
    embedder.child.kill('SIGKILL')
    const store = await openSqliteStore({ path })
    expect(await store.check()).toEqual({ isHealthy: true, problems: [], repaired: [] })
    const [{ vectors = 0, fingerprint: id = '' } = {}] = (await store.describeScan()).spaces
    expect(id).toBe(fingerprint(space))
    const query = new Float32Array(32).fill(1)
    const found = await read(store, (snapshot) => snapshot.nearest(id, query, { limit: 1_000 }))
    expect(found.length).toBeGreaterThanOrEqual(vectors)
    expect(found.length).toBeGreaterThan(0)
    await store.close()
  }
})

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

function leftoverBlocks(path: string): number {
  const database = new Database(path, { readonly: true })
  const sql = "SELECT count(*) FROM segment_blocks WHERE segment NOT IN (SELECT id FROM segments WHERE state = 'live')"
  const count = Number(database.prepare(sql).pluck().get())
  database.close()
  return count
}
