import type { EmbeddingProvider, MemoryBackend, MemorySettings, ProviderErrorCode, SearchReply, SyncReport } from '@mnemark/spec'
import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { refusal } from '../../test/fake-embedder.ts'
import '../../test/loaded-engine.ts'
import { NoteSource } from '../../test/note-source.ts'
import { openMemory, search } from '../../test/open-notes.ts'
import { VirtualClock } from '../../test/virtual-clock.ts'
import { createWordEmbedder } from '../../test/word-embedder.ts'

const MINUTE_MS = 60_000
const NOTES = { 'memory/home.md': 'The router was replaced.', 'memory/garden.md': 'Tomato seeds sown today.' }
const MEANINGS = [
  ['router', 'wifi'],
  ['tomato', 'plants'],
]

/** A provider that fails with `down` while it is set. */
function linkOf(name: string, meanings: readonly (readonly string[])[]) {
  const state: { down: ProviderErrorCode | null } = { down: null }
  const provider = createWordEmbedder({
    name,
    meanings,
    before: () => {
      if (state.down) throw refusal(state.down)
    },
  })
  return { provider, state }
}

interface Stage {
  readonly memory: MemoryBackend
  readonly source: NoteSource
  readonly primary: ReturnType<typeof linkOf>
  readonly secondary: ReturnType<typeof linkOf>
  pass(minutes: number): void
  sync(): Promise<SyncReport>
  find(): Promise<string>
}

/** Two providers of different dimensions over one set of notes, and a clock that moves on request, or when something waits. */
async function stage(settings: MemorySettings = {}, disk = new InMemoryDisk(), clock = new VirtualClock()): Promise<Stage> {
  const primary = linkOf('first', MEANINGS)
  const secondary = linkOf('second', [...MEANINGS, ['more']])
  const source = new NoteSource(NOTES)
  const memory = await openMemory([source], {
    embeddings: [primary.provider, secondary.provider],
    store: createInMemoryStore({ disk }),
    now: clock.now,
    sleep: clock.sleep,
    settings,
  })
  return {
    memory,
    source,
    primary,
    secondary,
    pass: (minutes) => clock.pass(minutes * MINUTE_MS),
    sync: () => clock.run(memory.sync()),
    find: async () => summaryOf(await clock.run(search(memory, 'wifi'))),
  }
}

function summaryOf({ mode, provider, hits, degraded }: SearchReply): string {
  return [mode, provider ?? '-', `${hits.length} hits`, ...degraded.map(({ code }) => code)].join(', ')
}

test('B70: down for one call, for a minute, for good: ten searches give the documented answers', async () => {
  const { memory, primary, secondary, pass, sync, find } = await stage()
  await sync()
  expect(secondary.provider.calls).toEqual([])
  expect(await find()).toBe('hybrid, first, 1 hits')

  primary.state.down = 'bad-response'
  expect(await find()).toBe('keywords, -, 0 hits, provider-unavailable, space-incomplete')
  primary.state.down = null
  // The provider rests, so it is not called: words answer meanwhile, and no vector of the other space.
  const calls = primary.provider.calls.length
  expect(await find()).toBe('keywords, -, 0 hits, provider-unavailable, space-incomplete')
  expect(primary.provider.calls.length).toBe(calls)
  pass(1)
  expect(await find()).toBe('hybrid, first, 1 hits')

  primary.state.down = 'bad-response'
  expect(await find()).toBe('keywords, -, 0 hits, provider-unavailable, space-incomplete')
  pass(1)
  primary.state.down = 'auth'
  expect(await find()).toBe('keywords, -, 0 hits, provider-unavailable, space-incomplete')
  // A lasting failure: documents go to the second link, whose space answers when it is whole.
  await sync()
  expect(secondary.provider.calls.flat()).toHaveLength(2)
  expect(await find()).toBe('hybrid, second, 1 hits, fallback-provider')
  expect(await find()).toBe('hybrid, second, 1 hits, fallback-provider')
  const { spaces, details } = await memory.status()
  expect(spaces.map(({ space, dimensions, filled }) => [space.provider, dimensions, filled])).toEqual([
    ['first', 2, 2],
    ['second', 3, 2],
  ])
  expect(details['chain']).toMatchObject([{ provider: 'first', isHealthy: false, cause: 'fake: auth' }, { isHealthy: true }])

  primary.state.down = null
  pass(6)
  expect(await find()).toBe('hybrid, first, 1 hits')
  expect(await find()).toBe('hybrid, first, 1 hits')
  expect(primary.provider.calls.filter((texts) => texts.length > 1)).toHaveLength(1)
})

test('an outage is waited out before the next link is filled', async () => {
  const { sync, source, primary, secondary, pass } = await stage()
  await sync()
  source.write('memory/new.md', 'The wifi password.')
  primary.state.down = 'unavailable'
  const first = await sync()
  expect(first.degraded).toMatchObject([{ code: 'provider-unavailable' }, { code: 'provider-unavailable' }])
  // P53: the message says when and how, and a program learns when to sync again.
  expect(first.degraded[1]?.message).toMatch(
    /^Texts go to second \(sample\) when first \(sample\) has failed for 10 minutes \(fallbackAfterMinutes\), at 1970-01-01 \d\d:\d\d, .+`fallback: true`/,
  )
  expect(first.retryAtMs).toBeGreaterThan(0)
  expect(secondary.provider.calls).toEqual([])
  pass(8)
  await sync()
  expect(secondary.provider.calls).toEqual([])
  pass(2)
  await sync()
  expect(secondary.provider.calls.flat()).toHaveLength(3)
})

test('since when a link fails outlives the process; a new one tries it once more', async () => {
  const disk = new InMemoryDisk()
  const clock = new VirtualClock()
  const before = await stage({}, disk, clock)
  await before.sync()
  before.source.write('memory/new.md', 'The wifi password.')
  before.primary.state.down = 'unavailable'
  await before.sync()
  await before.memory.close()
  clock.pass(11 * MINUTE_MS)
  const after = await stage({}, disk, clock)
  after.source.write('memory/new.md', 'The wifi password.')
  after.primary.state.down = 'unavailable'
  await after.sync()
  expect(after.primary.provider.calls.length).toBeGreaterThan(0)
  expect(after.secondary.provider.calls.flat()).toHaveLength(3)
})

test('a link that is kept warm is filled always', async () => {
  const { sync, secondary } = await stage({ keepWarm: true })
  await sync()
  expect(secondary.provider.calls.flat()).toHaveLength(2)
})

test('where vectors are required, a provider that fails leaves the search unanswered, with the cause', async () => {
  const failing = linkOf('named', MEANINGS)
  const memory = await openMemory([new NoteSource(NOTES)], {
    embeddings: [failing.provider],
    settings: { requiresVectors: true },
  })
  // Nothing is embedded yet: words answer, as long as the provider is there.
  const empty = await search(memory, 'router')
  expect(summaryOf(empty)).toBe('keywords, -, 1 hits, space-incomplete')
  await memory.sync()
  expect(summaryOf(await search(memory, 'wifi'))).toBe('hybrid, named, 1 hits')
  failing.state.down = 'auth'
  const refused = await search(memory, 'router')
  expect(refused).toMatchObject({ mode: 'unavailable', hits: [], provider: null, requestedProvider: 'named' })
  expect(refused.degraded[0]?.message).toMatch(/named.*fake: auth.*`keywordsOnly: true`/)
  expect(await search(memory, 'router', { overrides: { keywordsOnly: true } })).toMatchObject({ mode: 'keywords', hits: [{}] })
})

test('closing keeps the answers that are on their way, and asks for no more', async () => {
  const answer = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const provider = createWordEmbedder({
    name: 'fake',
    meanings: MEANINGS,
    limits: { maxInputs: 1 },
    before: () => {
      asked.resolve()
      return answer.promise
    },
  })
  const disk = new InMemoryDisk()
  const source = new NoteSource({
    ...NOTES,
    'memory/a.md': 'router one',
    'memory/b.md': 'router two',
    'memory/c.md': 'router three',
  })
  const open = (embeddings: readonly EmbeddingProvider[]) =>
    openMemory([source], { embeddings, store: createInMemoryStore({ disk }) })
  const memory = await open([provider])
  const sync = memory.sync()
  await asked.promise
  const closed = memory.close()
  answer.resolve()
  await Promise.all([sync, closed])
  const sent = provider.calls.flat()
  expect(sent.length).toBeLessThan(5)
  const next = createWordEmbedder({ meanings: MEANINGS, name: 'fake' })
  await (await open([next])).sync()
  expect(new Set([...sent, ...next.calls.flat()]).size).toBe(5)
  expect(sent.length + next.calls.flat().length).toBe(5)
})
