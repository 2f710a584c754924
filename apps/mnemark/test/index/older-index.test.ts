import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createMemory } from '@mnemark/core'
import { checkKeywords } from '@mnemark/core/doctor'
import type { MemoryBackend, MemoryStore } from '@mnemark/spec'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { QUERIES } from '../faults/sample-notes.ts'
import { Sandbox } from '../harness/launcher.ts'
import { countingEmbedder, olderNotes, sourceOf } from '../harness/older-notes.ts'

// Made by the last commit whose segments kept neither days nor hashes (version 2): notes indexed with vectors, then edited.

interface Opened {
  readonly store: MemoryStore
  readonly memory: MemoryBackend
  readonly sent: readonly string[]
}

async function openAt(path: string, notes: ReadonlyMap<string, string>): Promise<Opened> {
  const store = await openSqliteStore({ path })
  const embedder = countingEmbedder()
  const memory = await createMemory({
    store,
    sources: [sourceOf(notes)],
    reader: { read: () => Promise.reject(new Error('nothing is read')) },
    embeddings: [embedder],
    settings: { timeZone: 'UTC' },
    now: () => Date.UTC(2026, 10, 30),
  })
  onTestFinished(async () => {
    await memory.close()
    await store.close()
  })
  return { store, memory, sent: embedder.sent }
}

async function answersOf(memory: MemoryBackend): Promise<unknown> {
  const answers: Record<string, unknown> = {}
  for (const text of QUERIES) {
    const { hits } = await memory.search({ text, limit: 20, caller: { agentId: 'main' } })
    answers[text] = hits.map(({ path, startLine, score }) => [path, startLine, Number(score.toFixed(6))])
  }
  return answers
}

test('an index of segments of version 2 opens, is right after the next sync, and nothing is embedded again', async () => {
  const box = new Sandbox()
  const path = join(box.workspace, 'older.sqlite')
  writeFileSync(path, gunzipSync(readFileSync(join(import.meta.dirname, '../__fixtures__', 'segments-2.sqlite.gz'))))
  const { edited } = olderNotes()
  const { store, memory, sent } = await openAt(path, edited)

  const before = await store.snapshot()
  expect(await checkKeywords(before), 'nothing to say of another version').toMatchObject({ searches: 0, problems: [] })
  before.release()

  expect(await memory.sync()).toMatchObject({
    total: edited.size,
    failed: [],
    isComplete: true,
    vectors: [{ missing: 0, failed: 0 }],
  })
  expect(sent).toEqual([])
  const clean = await openAt(join(box.workspace, 'clean.sqlite'), edited)
  await clean.memory.sync()
  expect(clean.sent).toHaveLength(edited.size)
  expect(await answersOf(memory)).toEqual(await answersOf(clean.memory))
  expect(sent.length, 'queries only').toBe(clean.sent.length - edited.size)

  const after = await store.snapshot()
  const check = await checkKeywords(after)
  after.release()
  expect(check).toMatchObject({ problems: [] })
  expect(check.searches).toBeGreaterThan(10)
})
