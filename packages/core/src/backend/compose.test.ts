import type { EmbeddingProvider } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import { expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { createWordEmbedder } from '../../test/word-embedder.ts'
import { documents } from '../documents/documents.ts'
import { createMemory } from './create-memory.ts'

const CALLER = { agentId: 'main' }
const NOTES = { 'lamp.md': 'The lamp is in the cellar.', 'router.md': 'The router was replaced.' }

async function openDocuments() {
  const workspace = documents(NOTES)
  const memory = await createMemory({ store: createInMemoryStore(), workspace, caller: CALLER })
  onTestFinished(() => memory.close())
  return { memory, workspace }
}

test('P83: with a workspace and a caller, a text is a whole query and a path a whole request', async () => {
  const { memory } = await openDocuments()
  expect((await memory.search({ text: 'lamp' })).hits).toMatchObject([{ path: 'lamp.md', source: 'memory' }])
  expect(await memory.read({ path: 'lamp.md' })).toMatchObject({ status: 'ok', text: NOTES['lamp.md'] })
})

test('P83: what is put is found by the next search, what is removed is not', async () => {
  const { memory, workspace } = await openDocuments()
  workspace.put('ladder.md', 'The ladder hangs in the shed.')
  expect((await memory.search({ text: 'ladder' })).hits).toMatchObject([{ path: 'ladder.md' }])
  workspace.put('ladder.md', 'The ladder was lent to Noor.')
  expect((await memory.search({ text: 'ladder Noor' })).hits[0]?.snippet).toBe('The ladder was lent to Noor.')
  expect([workspace.remove('ladder.md'), workspace.remove('ladder.md')]).toEqual([true, false])
  expect((await memory.search({ text: 'ladder' })).hits).toEqual([])
})

test('P83: sources beside the workspace are searched too', async () => {
  const letters = documents([['a.txt', 'A letter about the ladder.']], { id: 'letters' })
  const memory = await createMemory({
    store: createInMemoryStore(),
    workspace: documents(NOTES),
    sources: [letters.source],
    caller: CALLER,
  })
  onTestFinished(() => memory.close())
  expect((await memory.search({ text: 'ladder' })).hits).toMatchObject([{ source: 'letters', path: 'a.txt' }])
  expect((await memory.search({ text: 'lamp' })).hits).toMatchObject([{ source: 'memory', path: 'lamp.md' }])
})

test('P83: a caller that is missing is asked for by a sentence, in types too', async () => {
  const memory = await createMemory({ store: createInMemoryStore(), workspace: documents(NOTES) })
  onTestFinished(() => memory.close())
  // @ts-expect-error: nobody is named.
  await expect(memory.search({ text: 'lamp' })).rejects.toThrow(/^search: nobody is named as `caller`\. Say who asks/)
  // @ts-expect-error: nobody is named.
  await expect(memory.read({ path: 'lamp.md' })).rejects.toMatchObject({ code: 'invalid-value' })
  // @ts-expect-error: a name is not a caller.
  await expect(memory.search({ text: 'lamp', caller: 'main' })).rejects.toThrow(/needs an `agentId`/)
  expect(await memory.search({ text: 'lamp', caller: CALLER })).toMatchObject({ hits: [{ path: 'lamp.md' }] })
})

test.each<[object, string | RegExp]>([
  [{ embedding: [] }, 'createMemory: there is no option "embedding". Did you mean embeddings?'],
  [{ embedings: [] }, 'createMemory: there is no option "embedings". Did you mean embeddings?'],
  [{ topK: 5 }, 'createMemory: there is no option "topK". Did you mean settings.maxResults?'],
  [{ minScore: 0.1 }, 'createMemory: there is no option "minScore". Did you mean settings.minScore?'],
  [{ settings: { topK: 5 } }, 'createMemory settings: there is no option "topK". Did you mean maxResults?'],
  [{ settings: { keepwarm: true } }, 'createMemory settings: there is no option "keepwarm". Did you mean keepWarm?'],
  [{ zzz: 1 }, /^createMemory: there is no option "zzz"\. Known: store, workspace, /],
])('P83: %j is refused by name', async (extra, message) => {
  const options = { store: createInMemoryStore(), workspace: documents(NOTES), ...extra }
  const made = createMemory(options)
  await expect(made).rejects.toThrow(message)
  await expect(made).rejects.toMatchObject({ code: 'unknown-key' })
})

test.each<[object, string]>([
  [{ topK: 5 }, 'search: there is no option "topK". Did you mean limit?'],
  [{ limmit: 5 }, 'search: there is no option "limmit". Did you mean limit?'],
  [{ tags: ['home'] }, 'search: there is no option "tags". Did you mean filter.tags?'],
  [{ minScore: 0 }, 'search: there is no option "minScore". Did you mean overrides.minScore?'],
  [{ filter: { tag: 'home' } }, 'search filter: there is no option "tag". Did you mean tags?'],
  [{ overrides: { mmmr: { enabled: true } } }, 'search overrides: there is no option "mmmr". Did you mean mmr?'],
])('P83: a query with %j is refused by name', async (extra, message) => {
  const { memory } = await openDocuments()
  const query = { text: 'lamp', ...extra }
  await expect(memory.search(query)).rejects.toThrow(message)
})

test('a name that says nothing is no mistake: null and undefined count as left out', async () => {
  const { memory } = await openDocuments()
  const query = { text: 'lamp', topK: undefined, k: null }
  expect((await memory.search(query)).hits).toHaveLength(1)
})

test('P83: without notes the sentence says what is expected', async () => {
  await expect(createMemory({ store: createInMemoryStore() })).rejects.toThrow(/`workspace` is missing/)
  // @ts-expect-error: no store.
  await expect(createMemory({ workspace: documents(NOTES) })).rejects.toThrow(/`store` is missing/)
  // @ts-expect-error: a folder is not a workspace.
  await expect(createMemory({ store: createInMemoryStore(), workspace: './notes' })).rejects.toThrow(/`workspace` is missing or/)
})

test('P83: leaving the block closes the memory and its store, and of the providers those of `closes`', async () => {
  const closed: string[] = []
  const named = (name: string): EmbeddingProvider => ({
    ...createWordEmbedder({ name, meanings: [['lamp']] }),
    close: async () => void closed.push(name),
  })
  const [own, shared] = [named('own'), named('shared')]
  const store = createInMemoryStore()
  {
    await using memory = await createMemory({
      store,
      workspace: documents(NOTES),
      embeddings: [own, shared],
      closes: [own],
      caller: CALLER,
    })
    await memory.search({ text: 'lamp' })
  }
  expect(closed).toEqual(['own'])
  await expect(store.snapshot()).rejects.toMatchObject({ code: 'closed' })
})

test('only with a caller of its own does a memory take queries without one', () => {
  const options = { store: createInMemoryStore(), workspace: documents() }
  expectTypeOf(createMemory({ ...options, caller: CALLER }))
    .resolves.toHaveProperty('search')
    .toBeCallableWith({ text: 'lamp' })
})
