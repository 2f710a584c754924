import type { MemoryStore, StoreLevel } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { createFakeEmbedder } from '../../test/fake-embedder.ts'
import { NoteSource } from '../../test/note-source.ts'
import { openMemory, pathsFor } from '../../test/open-notes.ts'
import { createMemory } from './create-memory.ts'

const only = (...levels: readonly StoreLevel[]): MemoryStore => Object.assign(createInMemoryStore(), { levels })
const sources = [new NoteSource({ 'a.md': 'amber\n' })]
const reader = { read: async () => ({ path: '', status: 'not-found' as const, text: '', startLine: 0, endLine: 0 }) }

test('a store of documents and keywords carries a memory that searches by words', async () => {
  const memory = await openMemory(sources, { store: only('documents', 'keywords') })
  expect(await pathsFor(memory, 'amber')).toEqual(['a.md'])
  expect(await memory.status()).toMatchObject({ documents: 1, spaces: [], isDirty: false })
})

test.each([
  [['documents'], {}, 'keeps no keywords'],
  [['keywords'], {}, 'keeps no documents'],
  [['documents', 'keywords'], { embeddings: [createFakeEmbedder()] }, 'Leave `embeddings` out'],
  [['documents', 'keywords', 'vectors'], { settings: { batch: {} } }, 'Leave `settings.batch` out'],
] as const)('a store of %j is refused with %o by name', async (levels, options, message) => {
  const refused = createMemory({ store: only(...levels), sources, reader, ...options })
  await expect(refused).rejects.toMatchObject({ name: 'ConfigError', code: 'invalid-value' })
  await expect(refused).rejects.toThrow(message)
})
