import type { DocumentSource, EmbeddingProvider } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/store-memory'
import { expect, onTestFinished, test } from 'vitest'
import { createWordEmbedder } from '../../test/word-embedder.ts'
import { documents } from '../documents/documents.ts'
import { batchJobs } from './batch-jobs.ts'
import { createMemory } from './create-memory.ts'
import { withFallback } from './with-fallback.ts'
import { withScope } from '../scope/with-scope.ts'

const REASON = { why: 'the user went on' }
const NOTES = { 'a.md': 'The lamp is in the cellar.', 'b.md': 'The router was replaced.' }

/** A memory whose parts tell when they are at work, so that a test can end a call in the middle of it. */
async function openWatched(part: { readonly embed?: () => void; readonly list?: () => void; readonly read?: () => void }) {
  const workspace = documents(NOTES)
  const { source, reader } = workspace
  const watched: DocumentSource = {
    ...source,
    list: (options) => {
      part.list?.()
      return source.list(options)
    },
    read: (stat, options) => {
      part.read?.()
      return source.read(stat, options)
    },
  }
  const provider: EmbeddingProvider = createWordEmbedder({ meanings: [['lamp'], ['router']], before: () => part.embed?.() })
  const memory = await createMemory({
    store: createInMemoryStore(),
    sources: [watched],
    reader,
    embeddings: [provider],
    caller: { agentId: 'main' },
  })
  onTestFinished(() => memory.close())
  return memory
}

const CALLS = ['search', 'read', 'sync', 'status'] as const
type Opened = Awaited<ReturnType<typeof openWatched>>

const call = (memory: Opened, name: (typeof CALLS)[number], signal: AbortSignal): Promise<unknown> =>
  ({
    search: () => memory.search({ text: 'lamp', signal }),
    read: () => memory.read({ path: 'a.md', signal }),
    sync: () => memory.sync({ signal }),
    status: () => memory.status({ signal }),
  })[name]()

test.each(CALLS)('P85: %s rejects with the reason of a signal that has ended', async (name) => {
  await expect(call(await openWatched({}), name, AbortSignal.abort(REASON))).rejects.toBe(REASON)
})

test.each(CALLS)('P85: so does %s behind a fallback and behind rules of scope', async (name) => {
  const memory = await openWatched({})
  const rules = { scope: { default: 'allow', rules: [] } } as const
  const signal = AbortSignal.abort(REASON)
  const caller = { agentId: 'main' }
  for (const front of [withFallback(memory, await openWatched({})), withScope(memory, rules)]) {
    const calls = {
      search: () => front.search({ text: 'lamp', caller, signal }),
      read: () => front.read({ path: 'a.md', caller, signal }),
      sync: () => front.sync({ signal }),
      status: () => front.status({ signal }),
    }
    await expect(calls[name]()).rejects.toBe(REASON)
  }
})

test.each([
  ['search', 'list'],
  ['search', 'read'],
  ['sync', 'list'],
  ['sync', 'read'],
  ['sync', 'embed'],
  ['status', 'list'],
] as const)('P85: %s rejects with the reason of a signal that ends while it is in %s', async (name, part) => {
  const controller = new AbortController()
  const memory = await openWatched({ [part]: () => controller.abort(REASON) })
  await expect(call(memory, name, controller.signal)).rejects.toBe(REASON)
})

test('P85: a search rejects with the reason of a signal that ends while its query is embedded', async () => {
  const controller = new AbortController()
  let isAsking = false
  const memory = await openWatched({ embed: () => isAsking && controller.abort(REASON) })
  await memory.sync()
  isAsking = true
  await expect(call(memory, 'search', controller.signal)).rejects.toBe(REASON)
})

test('P85: batch jobs reject with the reason too', async () => {
  const store = createInMemoryStore()
  onTestFinished(() => store.close())
  const jobs = batchJobs({ store, providers: [] })
  await expect(jobs.resume({ signal: AbortSignal.abort(REASON) })).rejects.toBe(REASON)
})
