import { readFileSync } from 'node:fs'
import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import type { ChangeSet } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { createFakeEmbedder } from '../../test/fake-embedder.ts'
import { NoteSource } from '../../test/note-source.ts'
import { openMemory } from '../../test/open-notes.ts'

/** Notes, and their documents and chunks by version 5 of chunking, with the hashes of their inputs. */
const FIXTURE: { readonly notes: Readonly<Record<string, string>>; readonly put: ChangeSet['put'] } = JSON.parse(
  readFileSync(new URL('./__fixtures__/chunks-5.json', import.meta.url), 'utf8'),
)

function inputsOf(put: ChangeSet['put'], path: string): readonly string[] {
  return put.filter(({ document }) => document.path === path).flatMap(({ chunks }) => chunks.flatMap(({ inputs }) => inputs))
}

/** An index of version 5 with a vector for every input. */
async function indexedBefore(disk: InMemoryDisk, provider: ReturnType<typeof createFakeEmbedder>): Promise<void> {
  const store = createInMemoryStore({ disk })
  const write = await store.acquireLease('write')
  const vectors = await store.acquireLease('vectors')
  if (write === null || vectors === null) throw new Error('a fresh store has no other process')
  await store.apply(write, { put: FIXTURE.put, touch: [], remove: [], segments: () => [] })
  const hashes = [...new Set(FIXTURE.put.flatMap(({ chunks }) => chunks.flatMap(({ inputs }) => inputs)))]
  await store.putVectors(
    vectors,
    provider.space,
    hashes.map((hash, index) => ({ hash, vector: Float32Array.from([1, index, 0, 0], (value) => value / Math.hypot(1, index)) })),
  )
  await write.release()
  await vectors.release()
}

test('P40, P42, P43: after the upgrade only changed inputs are embedded, and counted and priced before', async () => {
  const disk = new InMemoryDisk()
  const provider = createFakeEmbedder({ countTokens: () => 1 })
  Object.assign(provider.traits, { usdPerMillionTokens: 1_000_000 })
  await indexedBefore(disk, provider)
  const memory = await openMemory([new NoteSource(FIXTURE.notes)], {
    store: createInMemoryStore({ disk }),
    embeddings: [provider],
  })

  // One token for each text that would be sent.
  const planned = await memory.sync({ isDryRun: true })
  expect(provider.calls).toEqual([])
  await memory.sync()
  const sent = provider.calls.flat()
  expect([planned.tokens, planned.usd]).toEqual([sent.length, sent.length])

  const chunks = [...disk.state.chunks.values()]
  const isNew = Object.keys(FIXTURE.notes).map((path) => {
    const before = inputsOf(FIXTURE.put, path)
    const after = chunks.filter(({ document }) => document.path === path).flatMap(({ inputs }) => inputs)
    return [path, after.filter((hash) => !before.includes(hash)).length, after.length]
  })
  expect(isNew).toEqual([
    ['plain.md', 0, 2],
    ['memory/03-04-2026.md', 0, 1],
    ['قائمة.md', 0, 1],
    ['short-table.md', 0, 1],
    ['links.md', 0, 1],
    // A heading after a fence that ends with its item.
    ['fence.md', 1, 2],
    // Six inputs of image data in version 5.
    ['image.md', 1, 1],
    ['comment.md', 1, 1],
    // The names of the columns are new; the chunk that holds them is unchanged.
    ['table.md', 2, 3],
  ])
  expect(sent).toHaveLength(5)
  expect((await memory.sync({ isDryRun: true })).tokens).toBe(0)
})
