import { createInMemoryStore } from '@mnemark/store-memory'
import { expect, onTestFinished, test } from 'vitest'
import { createMemory } from '../backend/create-memory.ts'
import { documents } from '../documents/documents.ts'
import { createSearcher } from './searcher.ts'

async function filledStore() {
  const store = createInMemoryStore()
  const workspace = documents({ 'a.md': 'The lamp is in the cellar.', 'b/router.md': 'The router was replaced.' })
  const memory = await createMemory({ store, workspace, caller: { agentId: 'main' } })
  onTestFinished(() => memory.close())
  await memory.sync()
  return { store, memory }
}

test.each(['lamp', 'router replaced', '-lamp router', 'zebra'])(
  'a snapshot answers %j as the memory over it does',
  async (text) => {
    const { store, memory } = await filledStore()
    const { hits } = await createSearcher()(await store.snapshot(), { text })
    expect(hits).toEqual((await memory.search({ text })).hits)
  },
)

test('filters are read as a memory reads them, and what cannot be is refused', async () => {
  const { store } = await filledStore()
  const search = createSearcher({ settings: { timeZone: 'UTC' } })
  const snapshot = await store.snapshot()
  expect((await search(snapshot, { text: 'the', filter: { paths: ['b'] } })).hits.map(({ path }) => path)).toEqual([
    'b/router.md',
  ])
  await expect(search(snapshot, { text: 'lamp', limit: 0 })).rejects.toMatchObject({ code: 'invalid-value' })
  const signal = AbortSignal.abort('enough')
  await expect(search(snapshot, { text: 'lamp', signal })).rejects.toBe('enough')
})
