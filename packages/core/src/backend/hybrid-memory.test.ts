import type { DocumentId, EmbeddingProvider, MemorySettings } from '@mnemark/spec'
import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusal } from '../../test/fake-embedder.ts'
import { VirtualClock } from '../../test/virtual-clock.ts'
import { NoteSource } from '../../test/note-source.ts'
import { NOW, openMemory, search } from '../../test/open-notes.ts'
import { createWordEmbedder, type WordEmbedderOptions } from '../../test/word-embedder.ts'

const MEANINGS = [
  ['dentist', 'tooth', 'teeth'],
  ['router', 'network', 'wifi'],
  ['tomato', 'garden', 'plants'],
]
const NOTES = {
  'memory/health.md': 'The dentist moved the appointment.',
  'memory/home.md': 'The router was replaced.',
  'memory/garden.md': 'Tomato seeds sown today.',
}

function embedder(options: Partial<WordEmbedderOptions> = {}): ReturnType<typeof createWordEmbedder> {
  return createWordEmbedder({ meanings: MEANINGS, name: 'words', limits: { maxInputs: 32 }, ...options })
}

function withProvider(
  providers: readonly EmbeddingProvider[],
  settings: MemorySettings = {},
  source: NoteSource = new NoteSource(NOTES),
) {
  return openMemory([source], { embeddings: providers, settings })
}

describe('hybrid search', () => {
  test('finds the note whose words differ, and says who answered', async () => {
    const provider = embedder()
    const memory = await withProvider([provider], { requestedProvider: 'auto' })
    const report = await memory.sync()
    expect(report.vectors).toMatchObject([{ filled: 3, missing: 0, failed: 0, isComplete: true, dimensions: 3 }])
    expect(report).toMatchObject({ tokens: 3, degraded: [], isComplete: true })
    const reply = await search(memory, 'wifi', { explain: true })
    expect(reply).toMatchObject({ mode: 'hybrid', provider: 'words', model: 'sample', requestedProvider: 'auto', degraded: [] })
    expect(reply.hits.map(({ path }) => path)).toEqual(['memory/home.md'])
    expect(reply.hits[0]?.explain?.vectors).toMatchObject({ rank: 1, similarity: 1, space: 'words (sample)' })
  })

  test('P46: a document that may not be embedded is found by words, and embedded once it may', async () => {
    const provider = embedder()
    const disk = new InMemoryDisk()
    const open = (mayEmbed?: (document: DocumentId) => boolean) =>
      openMemory([new NoteSource(NOTES)], {
        store: createInMemoryStore({ disk }),
        embeddings: [provider],
        ...(mayEmbed === undefined ? {} : { mayEmbed }),
      })
    const held = await open(({ path }) => path !== 'memory/home.md')
    expect(await held.sync()).toMatchObject({ vectors: [{ filled: 2, missing: 1 }] })
    expect(await held.sync()).toMatchObject({ vectors: [{ filled: 2, missing: 1 }] })
    expect(provider.calls.flat().join()).not.toContain('router')
    expect((await search(held, 'router')).hits.map(({ path }) => path)).toEqual(['memory/home.md'])
    await held.close()
    expect(await (await open()).sync()).toMatchObject({ vectors: [{ filled: 3, missing: 0 }] })
  })

  test('both signals together outrank either alone', async () => {
    const memory = await withProvider(
      [embedder()],
      { minScore: 0 },
      new NoteSource({
        'memory/both.md': 'router network',
        'memory/words.md': 'router tomato garden plants seeds',
        'memory/meaning.md': 'wifi network upstairs',
      }),
    )
    await memory.sync()
    const { hits } = await search(memory, 'router')
    expect(hits[0]?.path).toBe('memory/both.md')
    expect(hits.map(({ path }) => path).sort()).toEqual(['memory/both.md', 'memory/meaning.md', 'memory/words.md'])
  })

  test('operators, filters and file names hold for vectors too', async () => {
    const memory = await withProvider([embedder()])
    await memory.sync()
    expect((await search(memory, 'wifi -replaced')).hits).toEqual([])
    expect((await search(memory, '"wifi"')).hits).toEqual([])
    expect((await search(memory, 'wifi', { filter: { paths: ['memory/garden.md'] } })).hits).toEqual([])
    expect((await search(memory, 'garden')).hits[0]?.path).toBe('memory/garden.md')
    const named = await search(memory, 'health tooth wifi memory/home.md')
    expect(named.mode).toBe('hybrid')
  })

  test('a named file stays above the nearest content', async () => {
    const memory = await withProvider(
      [embedder()],
      {},
      new NoteSource({ 'memory/network.md': 'Nothing of the sort.', 'memory/other.md': 'network network network' }),
    )
    await memory.sync()
    expect((await search(memory, 'network')).hits.map(({ path }) => path)).toEqual(['memory/network.md', 'memory/other.md'])
  })

  test('a query of which the model knows nothing is answered by words, without complaint', async () => {
    const memory = await withProvider([embedder()])
    await memory.sync()
    const reply = await search(memory, 'appointment')
    expect(reply).toMatchObject({ mode: 'keywords', provider: null, degraded: [] })
    expect(reply.hits).toHaveLength(1)
  })

  test('what the model knows little of weighs little', async () => {
    const notes = { 'memory/words.md': 'router tomato', 'memory/meaning.md': 'wifi' }
    const first = async (confidence: number) => {
      const memory = await withProvider([embedder({ confidence })], { minScore: 0 }, new NoteSource(notes))
      await memory.sync()
      return (await search(memory, 'router')).hits[0]?.path
    }
    expect(await first(1)).toBe('memory/words.md')
    expect(await first(0.01)).toBe('memory/words.md')
    const memory = await withProvider([embedder({ confidence: 0.01 })], { minScore: 0 }, new NoteSource(notes))
    await memory.sync()
    const { hits } = await search(memory, 'router')
    expect(hits.map(({ path }) => path)).toEqual(['memory/words.md', 'memory/meaning.md'])
    expect(hits[1]?.score).toBeCloseTo(0.7 * 0.01, 5)
  })

  test('a blank query, an operator alone and --keywords ask no provider', async () => {
    const provider = embedder()
    const memory = await withProvider([provider])
    await memory.sync()
    const calls = provider.calls.length
    await search(memory, '  ')
    await search(memory, '- -')
    expect(await search(memory, 'wifi', { overrides: { keywordsOnly: true } })).toMatchObject({ mode: 'keywords', hits: [] })
    expect(provider.calls.length).toBe(calls)
  })

  test('why a place is not in the answer tells how near it is', async () => {
    const memory = await withProvider([embedder()])
    await memory.sync()
    const far = await search(memory, 'wifi plants', { why: { path: 'memory/health.md' } })
    expect(far.why).toMatchObject({ reason: 'no-match', detail: expect.stringContaining('similarity to the query is 0.00') })
    const near = await search(memory, 'wifi', { why: { path: 'memory/home.md' } })
    expect(near.why).toMatchObject({ reason: 'returned', explain: { vectors: { similarity: 1 } } })
    const below = await search(memory, 'wifi tooth plants', { overrides: { minScore: 0.9 }, why: { path: 'memory/home.md' } })
    expect(below.why).toMatchObject({ reason: 'threshold' })
  })

  test('without hybrid, vectors alone answer', async () => {
    const memory = await withProvider([embedder()], { vectorsOnly: true, minScore: 0 })
    await memory.sync()
    const reply = await search(memory, 'dentist wifi')
    expect(reply.mode).toBe('vectors')
    expect(reply.hits.map(({ score }) => score)).toEqual([expect.closeTo(Math.SQRT1_2, 5), expect.closeTo(Math.SQRT1_2, 5)])
  })

  test('diversity compares vectors where both texts have one', async () => {
    const notes = { 'memory/a.md': 'router upstairs', 'memory/b.md': 'network downstairs', 'memory/c.md': 'router garden' }
    const memory = await withProvider([embedder()], { minScore: 0 }, new NoteSource(notes))
    await memory.sync()
    const plain = await search(memory, 'router network')
    const diverse = await search(memory, 'router network', { overrides: { mmr: { enabled: true, lambda: 0.5 } }, explain: true })
    expect(plain.hits.map(({ path }) => path).indexOf('memory/c.md')).toBe(2)
    expect(diverse.hits[1]?.path).toBe('memory/c.md')
    expect(diverse.hits[1]?.explain?.mmr?.similarity).toBeCloseTo(Math.SQRT1_2, 5)
  })
})

test('the answer for any limit up to 10 is the beginning of that for 10, whatever is near and whatever the weight', async () => {
  const words = MEANINGS.flat()
  const note = fc.array(fc.constantFrom(...words, 'lamp', 'paper', 'stone'), { minLength: 1, maxLength: 6 })
  const settings = fc.record({
    fusion: fc.constantFrom('weighted' as const, 'rrf' as const),
    vectorWeight: fc.double({ min: 0, max: 1, noNaN: true }),
    mmr: fc.record({ enabled: fc.boolean() }),
  })
  const notes = fc.array(note, { minLength: 1, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(notes, note, settings, async (texts, query, chosen) => {
      const source = new NoteSource(Object.fromEntries(texts.map((text, at) => [`${at}.md`, text.join(' ')])))
      const memory = await withProvider([embedder()], chosen, source)
      await memory.sync()
      const all = (await search(memory, query.join(' '), { limit: 10 })).hits
      for (const hit of all) expect(hit.score >= 0 && hit.score <= 1).toBe(true)
      for (let limit = 1; limit <= 10; limit += 1)
        expect((await search(memory, query.join(' '), { limit })).hits).toEqual(all.slice(0, limit))
    }),
    { numRuns: 20, seed: 6 },
  )
})

describe('nothing is embedded twice', () => {
  test('not after a rename, a move, a re-chunk, a restart, a switch and back', async () => {
    const disk = new InMemoryDisk()
    const first = embedder()
    const second = embedder({ name: 'other', meanings: [...MEANINGS, ['more']] })
    const source = new NoteSource(NOTES)
    const open = (embeddings: readonly EmbeddingProvider[], settings: MemorySettings = {}) =>
      openMemory([source], { embeddings, settings, store: createInMemoryStore({ disk }) })
    const texts = (provider: typeof first) => provider.calls.flat()

    let memory = await open([first])
    await memory.sync()
    expect(texts(first)).toHaveLength(3)
    const { text } = source.notes.get('memory/home.md') ?? { text: '' }
    source.notes.delete('memory/home.md')
    source.write('memory/moved/network.md', text)
    await memory.sync()
    await memory.close()
    memory = await open([first], { chunkTokens: 200, chunkOverlap: 20 })
    await memory.sync()
    await memory.close()
    memory = await open([second])
    await memory.sync()
    await memory.close()
    memory = await open([first])
    await memory.sync({ force: true })
    expect(texts(first)).toHaveLength(3)
    expect(texts(second)).toHaveLength(3)
    expect(new Set(texts(first))).toEqual(new Set(texts(second)))
  })

  test('B67: a provider that is set later fills what words alone have indexed', async () => {
    const disk = new InMemoryDisk()
    const source = new NoteSource({ 'MEMORY.md': 'uses pnpm' })
    const before = await openMemory([source], { store: createInMemoryStore({ disk }) })
    expect(await search(before, 'pnpm')).toMatchObject({ mode: 'keywords', provider: null, hits: [{ path: 'MEMORY.md' }] })
    await before.close()
    const provider = embedder({ meanings: [['pnpm', 'packages']] })
    const memory = await openMemory([source], { store: createInMemoryStore({ disk }), embeddings: [provider] })
    const report = await memory.sync()
    expect(report).toMatchObject({ indexed: 0, vectors: [{ filled: 1 }] })
    expect(await search(memory, 'packages')).toMatchObject({ mode: 'hybrid', hits: [{ path: 'MEMORY.md' }] })
  })

  test('a dry run sends nothing and tells what it would send', async () => {
    const provider = embedder()
    Object.assign(provider.traits, { usdPerMillionTokens: 1_000_000 })
    const memory = await withProvider([provider])
    const dry = await memory.sync({ isDryRun: true })
    expect(provider.calls).toEqual([])
    expect(dry.tokens).toBeGreaterThan(10)
    expect(dry.usd).toBe(dry.tokens)
    await memory.sync()
    expect((await memory.sync({ isDryRun: true })).tokens).toBe(0)
  })

  test('re-embedding pays again, for the space that is named, and for no other name', async () => {
    const provider = embedder()
    const memory = await withProvider([provider])
    await memory.sync()
    await memory.sync({ reEmbed: 'words/sample' })
    expect(provider.calls.flat()).toHaveLength(6)
    await expect(memory.sync({ reEmbed: 'nobody' })).rejects.toThrow(/words\/sample/)
    await expect(memory.sync({ reEmbed: 'nobody', isDryRun: true })).rejects.toThrow(/words\/sample/)
  })

  test('a dry run counts what is to be paid for again, and the space that is kept warm', async () => {
    const open = (settings: MemorySettings = {}) => withProvider([embedder(), embedder({ name: 'second' })], settings)
    const once = (await (await open()).sync({ isDryRun: true })).tokens
    expect((await (await open({ keepWarm: true })).sync({ isDryRun: true })).tokens).toBe(2 * once)
    const memory = await open({ keepWarm: true })
    await memory.sync()
    const planned = await Promise.all(
      [undefined, 'words/sample', 'second'].map((reEmbed) =>
        memory.sync({ isDryRun: true, ...(reEmbed !== undefined && { reEmbed }) }),
      ),
    )
    expect(planned.map(({ tokens }) => tokens)).toEqual([0, once, once])
    expect(planned[2]?.vectors).toMatchObject([{ filled: 3 }, { filled: 3 }])
  })

  test('a space that is embedded again is filled, whose turn it may be or not', async () => {
    const disk = new InMemoryDisk()
    const second = embedder({ name: 'second' })
    const open = (settings: MemorySettings) =>
      openMemory([new NoteSource(NOTES)], { embeddings: [embedder(), second], settings, store: createInMemoryStore({ disk }) })
    const warm = await open({ keepWarm: true })
    await warm.sync()
    await warm.close()
    const report = await (await open({})).sync({ reEmbed: 'second' })
    expect(report.vectors).toMatchObject([{ filled: 3 }, { filled: 3, missing: 0 }])
    expect(second.calls.flat()).toHaveLength(6)
  })

  test('a model that changed its length is embedded again at once', async () => {
    const disk = new InMemoryDisk()
    const space = { provider: 'words', endpoint: null, model: 'sample', requestedDimensions: null, variant: {} }
    const open = (meanings: WordEmbedderOptions['meanings']) =>
      openMemory([new NoteSource(NOTES)], {
        embeddings: [Object.assign(embedder({ meanings }), { space })],
        store: createInMemoryStore({ disk }),
      })
    const before = await open(MEANINGS)
    await before.sync()
    await before.close()
    const memory = await open([...MEANINGS, ['more']])
    expect(await search(memory, 'wifi')).toMatchObject({ mode: 'keywords', degraded: [{ code: 'space-paused' }] })
    expect((await memory.sync({ reEmbed: 'words' })).vectors).toMatchObject([{ dimensions: 4, filled: 3 }])
    expect(await search(memory, 'wifi')).toMatchObject({ mode: 'hybrid', degraded: [], hits: [{}] })
  })

  test('where there is no text there is nothing to complain of', async () => {
    const memory = await withProvider([embedder()], {}, new NoteSource({ 'memory/empty.md': '# Only a heading' }))
    await memory.sync()
    expect(await search(memory, 'wifi')).toMatchObject({ hits: [], degraded: [] })
    expect(await search(memory, 'heading')).toMatchObject({ hits: [{ path: 'memory/empty.md' }], degraded: [] })
  })
})

test('a query longer than the model takes is compared by its end, and says so', async () => {
  const memory = await withProvider([embedder({ limits: { maxInputs: 32, maxInputTokens: 40 } })])
  await memory.sync()
  const reply = await search(memory, `${'paper stone '.repeat(60)} wifi`)
  expect(reply).toMatchObject({ mode: 'hybrid', degraded: [{ code: 'query-shortened' }], hits: [{ path: 'memory/home.md' }] })
  expect((await search(memory, 'wifi')).degraded).toEqual([])
})

describe('embedding between searches', () => {
  test('what has no vector gets one while the process lives, and a process that asks once sends no text of its notes', async () => {
    const clock = new VirtualClock(NOW)
    const provider = embedder()
    const open = () => openMemory([new NoteSource(NOTES)], { embeddings: [provider], now: clock.now, sleep: clock.sleep })
    const once = await open()
    await search(once, 'router')
    await once.close()
    expect(provider.calls).toEqual([])
    const living = await open()
    await search(living, 'router')
    clock.pass(500)
    await expect.poll(() => provider.calls.flat()).toHaveLength(3)
    await expect.poll(() => search(living, 'wifi')).toMatchObject({ mode: 'hybrid', hits: [{}] })
  })
})

describe('limits of a fill', () => {
  test('a day takes no more tokens than allowed, and the next day goes on', async () => {
    let now = Date.UTC(2026, 2, 16)
    const provider = embedder({ hasUsage: false, limits: { maxInputs: 1 } })
    const memory = await openMemory([new NoteSource(NOTES)], {
      embeddings: [provider],
      now: () => now,
      settings: { dailyTokens: 18 },
    })
    const report = await memory.sync()
    expect(report).toMatchObject({ isComplete: false, degraded: [{ code: 'budget-reached' }] })
    const first = provider.calls.length
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThan(3)
    await memory.sync()
    expect(provider.calls.length).toBe(first)
    now += 86_400_000
    await memory.sync()
    expect(provider.calls.length).toBeGreaterThan(first)
  })

  test('P07: a text refused in one of its pieces is counted and named as failed, and sent again on request', async () => {
    let isRefusing = true
    const provider = embedder({
      limits: { maxInputTokens: 8 },
      countTokens: (text) => text.split(/\s+/).length,
      before: (texts) => {
        if (isRefusing && texts.some((text) => text.includes('rotten'))) throw refusal('invalid-input')
      },
    })
    const words = Array.from({ length: 60 }, (_, at) => (at === 30 ? 'rotten' : `word${at}`)).join(' ')
    const memory = await openMemory([new NoteSource({ 'long.md': `${words}\n`, 'short.md': 'short\n' })], {
      embeddings: [provider],
    })
    expect((await memory.sync()).vectors).toMatchObject([{ filled: 1, failed: 1, missing: 0, isComplete: false }])
    expect((await memory.sync()).vectors).toMatchObject([{ filled: 1, failed: 1 }])
    isRefusing = false
    expect((await memory.sync({ force: true })).vectors).toMatchObject([{ filled: 2, failed: 0, isComplete: true }])
  })

  test('a refused text is listed, stays out of later fills, and is sent again on request', async () => {
    const provider = embedder({
      limits: { maxInputs: 1 },
      before: (texts) => {
        if (texts.some((text) => text.includes('router'))) throw refusal('invalid-input', { inputIndexes: [0] })
      },
    })
    const memory = await withProvider([provider])
    const report = await memory.sync()
    expect(report.vectors).toMatchObject([{ filled: 2, failed: 1, missing: 0 }])
    expect(report.degraded).toMatchObject([{ code: 'space-incomplete' }])
    const sent = provider.calls.length
    await memory.sync()
    expect(provider.calls.length).toBe(sent)
    await memory.sync({ force: true })
    expect(provider.calls.length).toBeGreaterThan(sent)
  })

  test('another length later pauses the vectors, never the words', async () => {
    const disk = new InMemoryDisk()
    const space = { provider: 'words', endpoint: null, model: 'sample', requestedDimensions: null, variant: {} }
    const source = new NoteSource(NOTES)
    const open = (meanings: WordEmbedderOptions['meanings']) =>
      openMemory([source], {
        embeddings: [Object.assign(embedder({ meanings }), { space })],
        store: createInMemoryStore({ disk }),
      })
    const before = await open(MEANINGS)
    await before.sync()
    await before.close()
    const memory = await open([...MEANINGS, ['more']])
    source.write('memory/new.md', 'more plants')
    const report = await memory.sync()
    expect(report.degraded).toMatchObject([{ code: 'space-paused' }])
    const reply = await search(memory, 'router')
    expect(reply).toMatchObject({ mode: 'keywords', hits: [{ path: 'memory/home.md' }] })
    expect(reply.degraded.map(({ code }) => code)).toContain('space-paused')
  })

  test('another length later: texts are not paid for again while it rests, the budget knows, and the fallback answers', async () => {
    const disk = new InMemoryDisk()
    const space = { provider: 'words', endpoint: null, model: 'sample', requestedDimensions: null, variant: {} }
    const source = new NoteSource(NOTES)
    const second = embedder({ name: 'second' })
    const open = (primary: EmbeddingProvider, settings: MemorySettings = {}) =>
      openMemory([source], { embeddings: [primary, second], settings, store: createInMemoryStore({ disk }) })
    const before = await open(Object.assign(embedder(), { space }), { keepWarm: true })
    await before.sync()
    await before.close()
    const changed = Object.assign(embedder({ meanings: [...MEANINGS, ['more']] }), { space })
    const memory = await open(changed, { keepWarm: true, dailyTokens: 1000 })
    expect(await search(memory, 'wifi')).toMatchObject({
      mode: 'hybrid',
      provider: 'second',
      degraded: [{ code: 'fallback-provider' }],
    })
    source.write('memory/new.md', 'more plants')
    const sent = changed.calls.length
    const report = await memory.sync()
    expect(report.degraded).toMatchObject([{ code: 'space-paused' }])
    await memory.sync()
    expect(changed.calls.length).toBe(sent)
    const [status] = (await memory.status()).details['chain'] as readonly { readonly isHealthy: boolean }[]
    expect(status).toMatchObject({ isHealthy: false, cause: expect.stringContaining('paused') })
    await memory.close()
    const next = await open(changed, { dailyTokens: 1000 })
    const paused = [
      { code: 'space-paused' },
      { code: 'provider-unavailable', message: expect.stringContaining('Texts go to second') },
    ]
    expect(await next.sync()).toMatchObject({ tokens: 3, degraded: paused })
    await next.sync()
    expect(changed.calls.length).toBe(sent + 1)
  })

  test('a search that found a provider failing does not wait for another process that writes', async () => {
    const disk = new InMemoryDisk()
    const writer = createInMemoryStore({ disk })
    let isDown = false
    const before = () => {
      if (isDown) throw refusal('auth')
    }
    const open = () =>
      openMemory([new NoteSource(NOTES)], {
        embeddings: [embedder({ before })],
        store: createInMemoryStore({ disk }),
        sleep: clock.sleep,
        now: clock.now,
      })
    const clock = new VirtualClock(NOW)
    const memory = await open()
    await memory.sync()
    isDown = true
    const lease = await writer.acquireLease('write')
    expect(await search(memory, 'wifi')).toMatchObject({ mode: 'keywords', degraded: [{ code: 'provider-unavailable' }] })
    await lease?.release()
    await memory.close()
    const [link] = (await (await open()).status()).details['chain'] as readonly { readonly isHealthy: boolean }[]
    expect(link).toMatchObject({ isHealthy: false })
  })

  test('a provider that was named and alone is unavailable when its vectors cannot be compared', async () => {
    const disk = new InMemoryDisk()
    const space = { provider: 'words', endpoint: null, model: 'sample', requestedDimensions: null, variant: {} }
    const open = (meanings: WordEmbedderOptions['meanings']) =>
      openMemory([new NoteSource(NOTES)], {
        embeddings: [Object.assign(embedder({ meanings }), { space })],
        settings: { requiresVectors: true },
        store: createInMemoryStore({ disk }),
      })
    const before = await open(MEANINGS)
    await before.sync()
    await before.close()
    const memory = await open([...MEANINGS, ['more']])
    const reply = await search(memory, 'router')
    expect(reply).toMatchObject({ mode: 'unavailable', hits: [], degraded: [{ code: 'provider-unavailable' }] })
    expect(reply.degraded[0]?.message).toMatch(/4 numbers.+have 3.+`keywordsOnly: true`/)
    expect(await search(memory, 'router', { overrides: { keywordsOnly: true } })).toMatchObject({ mode: 'keywords', hits: [{}] })
  })
})

describe('a provider that answers rubbish', () => {
  test.each([
    ['no numbers', () => [new Float32Array(0)]],
    ['too few vectors', () => []],
  ])('%s: words answer, with the reason, and nothing is stored', async (_what, vectors) => {
    const provider = Object.assign(embedder(), { embed: async () => ({ vectors: vectors() }) })
    const memory = await withProvider([provider])
    const report = await memory.sync()
    expect(report.degraded).toMatchObject([{ code: 'provider-unavailable' }])
    expect(report.vectors).toMatchObject([{ filled: 0, missing: 3 }])
    const reply = await search(memory, 'router')
    expect(reply).toMatchObject({ mode: 'keywords', hits: [{ path: 'memory/home.md' }] })
    expect(reply.degraded.length).toBeGreaterThan(0)
  })

  test('a service that answers rubbish for a while costs no text its vector', async () => {
    const provider = embedder()
    const source = new NoteSource(NOTES)
    const memory = await withProvider([provider], {}, source)
    await memory.sync()
    const embed = provider.embed
    Object.assign(provider, { embed: async () => ({ vectors: [new Float32Array(0)] }) })
    source.write('memory/new.md', 'more wifi')
    expect((await memory.sync()).vectors).toMatchObject([{ filled: 3, missing: 1, failed: 0 }])
    Object.assign(provider, { embed })
    expect((await memory.sync()).vectors).toMatchObject([{ filled: 4, missing: 0, failed: 0 }])
  })

  test('ten thousand dimensions are stored and compared as they are', async () => {
    const wide = (text: string) => Float32Array.from({ length: 10_000 }, (_, at) => (at === text.length ? 1 : 0))
    const provider = Object.assign(embedder(), {
      embed: async ({ inputs }: Parameters<EmbeddingProvider['embed']>[0]) => ({
        vectors: inputs.map((input) => wide(input.type === 'text' ? input.text : '')),
      }),
      space: { provider: 'wide', endpoint: null, model: 'm', requestedDimensions: null, variant: {} },
    })
    const memory = await withProvider([provider], { minScore: 0 }, new NoteSource({ 'a.md': 'abcd', 'b.md': 'abcdefgh' }))
    expect((await memory.sync()).vectors).toMatchObject([{ dimensions: 10_000, filled: 2 }])
    expect((await search(memory, 'wxyz')).hits.map(({ path }) => path)).toEqual(['a.md'])
  })
})
