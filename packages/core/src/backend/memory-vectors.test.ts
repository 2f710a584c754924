import type { EmbeddingProvider } from '@mnemark/spec'
import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { refusal, silence } from '../../test/fake-embedder.ts'
import '../../test/loaded-engine.ts'
import { NoteSource } from '../../test/note-source.ts'
import { openMemory, pathsFor, search } from '../../test/open-notes.ts'
import { VirtualClock } from '../../test/virtual-clock.ts'
import { createWordEmbedder } from '../../test/word-embedder.ts'

const MEANINGS = [
  ['router', 'wifi'],
  ['tomato', 'plants'],
]

test('B10: a perfect keyword hit below the threshold takes a free place, and never that of a hit which passed', async () => {
  const notes = { 'near.md': 'router upstairs', 'nearer.md': 'router router', 'exact.md': 'invoice OC-41252 tomato' }
  const memory = await openMemory([new NoteSource(notes)], { embeddings: [createWordEmbedder({ meanings: MEANINGS })] })
  await memory.sync()
  const query = 'wifi OC-41252'
  const { hits } = await search(memory, query, { explain: true })
  expect(hits.map(({ path }) => path).sort()).toEqual(['exact.md', 'near.md', 'nearer.md'])
  expect(hits[2]).toMatchObject({ path: 'exact.md', explain: { keywords: { rank: 1 } } })
  expect(hits[2]?.score).toBeLessThan(0.35)
  expect(hits[0]?.score).toBeLessThan(1)
  expect(await pathsFor(memory, query, { limit: 2 })).not.toContain('exact.md')
})

test('B66: a service that fails for good after two of ten notes: words find all, eight stay due, the next sync sends just those', async () => {
  const clock = new VirtualClock()
  let isDown = true
  const provider = createWordEmbedder({
    meanings: MEANINGS,
    limits: { maxInputs: 1 },
    before: (_, call) => {
      if (isDown && call > 2) throw refusal('unavailable', { status: 500 })
    },
  })
  const notes = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`${at}.md`, `router number${at}`]))
  const memory = await openMemory([new NoteSource(notes)], { embeddings: [provider], now: clock.now, sleep: clock.sleep })
  const failed = await clock.run(memory.sync())
  expect(failed).toMatchObject({ indexed: 10, vectors: [{ filled: 2, missing: 8, failed: 0, isComplete: false }] })
  expect(failed.degraded).toMatchObject([{ code: 'provider-unavailable' }])
  expect(await clock.run(memory.status())).toMatchObject({ spaces: [{ filled: 2, missing: 8 }] })
  expect(await clock.run(pathsFor(memory, 'number7'))).toEqual(['7.md'])
  isDown = false
  clock.pass(10 * 60_000)
  const sent = new Set(provider.calls.slice(0, 2).flat())
  const before = provider.calls.length
  const next = await clock.run(memory.sync())
  expect(next).toMatchObject({ indexed: 0, vectors: [{ filled: 10, missing: 0 }], degraded: [] })
  const again = provider.calls.slice(before).flat()
  expect([again.length, again.filter((text) => sent.has(text))]).toEqual([8, []])
})

test('B69: another length and another name are another space; only the own one answers, and none while it is not filled', async () => {
  const disk = new InMemoryDisk()
  const source = new NoteSource({ 'home.md': 'The router was replaced.', 'garden.md': 'Tomato seeds sown.' })
  const four = [...MEANINGS, ['x'], ['y']]
  const providers = [
    createWordEmbedder({ name: 'a', meanings: four }),
    createWordEmbedder({ name: 'b', meanings: [...MEANINGS, ['z']] }),
    createWordEmbedder({ name: 'a2', meanings: four }),
  ]
  for (const provider of providers) {
    const memory = await openMemory([source], { embeddings: [provider], store: createInMemoryStore({ disk }) })
    const early = await search(memory, 'router')
    expect(early).toMatchObject({ mode: 'keywords', hits: [{ path: 'home.md' }], degraded: [{ code: 'space-incomplete' }] })
    await memory.sync()
    expect(await search(memory, 'wifi')).toMatchObject({
      mode: 'hybrid',
      provider: provider.space.provider,
      hits: [{ path: 'home.md' }],
    })
    await memory.close()
  }
  const [first] = providers
  const back = await openMemory([source], { embeddings: first ? [first] : [], store: createInMemoryStore({ disk }) })
  const sent = first?.calls.flat().length
  expect(await search(back, 'wifi')).toMatchObject({ mode: 'hybrid', provider: 'a' })
  expect(first?.calls.flat().length).toBe((sent ?? 0) + 1)
  expect((await back.status()).spaces.map(({ space, dimensions }) => [space.provider, dimensions])).toEqual([
    ['a', 4],
    ['b', 3],
    ['a2', 4],
  ])
})

test.each([
  [false, 'keywords', 1],
  [true, 'unavailable', 0],
] as const)(
  'B60: a query that is never answered ends within its limit (vectors required: %s)',
  async (requiresVectors, mode, count) => {
    const clock = new VirtualClock()
    const provider: EmbeddingProvider = createWordEmbedder({
      meanings: MEANINGS,
      before: (_, __, request) => (request.inputType === 'query' ? silence(request) : undefined),
    })
    const memory = await openMemory([new NoteSource({ 'home.md': 'The router was replaced.' })], {
      embeddings: [provider],
      now: clock.now,
      sleep: clock.sleep,
      settings: { requiresVectors, embedding: { queryTimeoutMs: 2_000 } },
    })
    await clock.run(memory.sync())
    const startedMs = clock.now()
    const reply = await clock.run(search(memory, 'router'))
    expect(reply).toMatchObject({ mode, degraded: [{ message: expect.stringContaining('no embeddings within 2000 ms') }] })
    expect(reply.hits).toHaveLength(count)
    expect(clock.now() - startedMs).toBeLessThanOrEqual(2_000)
  },
)
