import type { EmbeddingProvider, MemoryBackend, MemorySettings, SyncReport } from '@mnemark/spec'
import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import { describe, expect, test } from 'vitest'
import { createFakeEmbedder, type FakeEmbedder, type FakeEmbedderOptions, refusal, vectorOf } from '../../test/fake-embedder.ts'
import '../../test/loaded-engine.ts'
import { NoteSource } from '../../test/note-source.ts'
import { openMemory, search } from '../../test/open-notes.ts'
import { VirtualClock } from '../../test/virtual-clock.ts'

const HOURS_MS = 3_600_000
const notes = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`memory/${at}.md`, `Note number ${at} speaks of topic${at}.`]))

interface Stage {
  readonly memory: MemoryBackend
  readonly source: NoteSource
  readonly clock: VirtualClock
  sync(options?: Parameters<MemoryBackend['sync']>[0]): Promise<SyncReport>
}

async function stage(
  embeddings: readonly EmbeddingProvider[],
  {
    count = 4,
    settings = {},
    disk = new InMemoryDisk(),
  }: { count?: number; settings?: MemorySettings; disk?: InMemoryDisk } = {},
): Promise<Stage> {
  const clock = new VirtualClock(Date.UTC(2026, 2, 16, 12))
  const source = new NoteSource(notes(count))
  const { now, sleep } = clock
  const memory = await openMemory([source], { embeddings, store: createInMemoryStore({ disk }), now, sleep, settings })
  return { memory, source, clock, sync: (options) => clock.run(memory.sync(options)) }
}

const failing = (name: string, error: () => Error, options: FakeEmbedderOptions = {}): FakeEmbedder =>
  createFakeEmbedder({ name, before: () => Promise.reject(error()), ...options })
const messages = ({ degraded }: Pick<SyncReport, 'degraded'>): string => degraded.map(({ message }) => message).join('\n')
const filledOf = ({ vectors }: SyncReport): string[] =>
  vectors.map(({ space, filled, missing, failed }) => `${space.provider} ${filled} ${missing} ${failed}`)

describe('P51: a service that asks for hours', () => {
  test('ends the run at once, says when to come back, and is left alone until then', async () => {
    let isBusy = true
    const provider = createFakeEmbedder({
      limits: { maxInputs: 1 },
      before: (_, call) => {
        if (isBusy && call > 2) throw refusal('rate-limit', { retryAfterMs: 3 * HOURS_MS })
      },
    })
    const { sync, clock, memory } = await stage([provider])
    const report = await sync()
    expect(clock.slept.filter((ms) => ms > 1_000)).toEqual([])
    expect(filledOf(report)).toEqual(['fake 2 2 0'])
    expect(messages(report)).toMatch(/Fake \(sample\) is asked again at 2026-03-16 15:00\./)
    expect(report.retryAtMs).toBe(Date.UTC(2026, 2, 16, 15))
    isBusy = false
    clock.pass(2 * HOURS_MS)
    const early = await sync()
    expect(messages(early)).toMatch(/rests after a failure.+\n.+asked again at 2026-03-16 15:00/)
    expect(early.retryAtMs).toBe(report.retryAtMs)
    expect(provider.calls).toHaveLength(3)
    clock.pass(HOURS_MS)
    const late = await sync()
    expect(filledOf(late)).toEqual(['fake 4 0 0'])
    expect([late.isComplete, late.retryAtMs]).toEqual([true, undefined])
    expect((await clock.run(search(memory, 'topic1'))).degraded).toEqual([])
  })

  test('a short wait is waited for, and nothing is said', async () => {
    const provider = createFakeEmbedder({
      before: (_, call) => {
        if (call === 1) throw refusal('rate-limit', { retryAfterMs: 120_000 })
      },
    })
    const { sync, clock } = await stage([provider])
    expect(await sync()).toMatchObject({ isComplete: true, degraded: [] })
    expect(clock.slept).toContain(120_000)
  })

  test('with a fallback its texts go there when it has failed for ten minutes, and the earlier time is told', async () => {
    let isBusy = false
    const provider = createFakeEmbedder({
      before: () => {
        if (isBusy) throw refusal('rate-limit', { retryAfterMs: 3 * HOURS_MS })
      },
    })
    const { sync, clock, source } = await stage([provider, createFakeEmbedder({ name: 'second' })])
    await sync()
    isBusy = true
    source.write('memory/new.md', 'One more note.')
    const report = await sync()
    expect(report.retryAtMs).toBe(clock.now() + 600_000)
    expect(messages(report)).toMatch(/asked again at 2026-03-16 15:00\. Texts go to second .+ at 2026-03-16 12:10/)
    clock.pass(600_000)
    expect(filledOf(await sync())).toEqual(['fake 4 1 0', 'second 5 0 0'])
  })
})

describe('P52: refused texts, and answers that cannot be used', () => {
  const refusing = (word: RegExp, name = 'fake') =>
    createFakeEmbedder({
      name,
      before: (texts) => {
        if (texts.some((text) => word.test(text))) throw refusal('invalid-input', { status: 400 })
      },
    })

  test('one of four refused: vectors answer, and the text is found by its words', async () => {
    const { memory, sync, clock } = await stage([refusing(/Note number 3/)])
    expect(filledOf(await sync())).toEqual(['fake 3 0 1'])
    for (const word of ['topic0', 'topic3']) {
      const { mode, degraded, hits } = await clock.run(search(memory, word))
      expect({ mode, degraded }).toEqual({ mode: 'hybrid', degraded: [] })
      expect(hits.map(({ path }) => path)).toContain(`memory/${word.at(-1)}.md`)
    }
  })

  test('it stays so in a chain whose next link is complete', async () => {
    const { memory, sync, clock } = await stage([refusing(/topic3/), createFakeEmbedder({ name: 'second' })], {
      settings: { keepWarm: true },
    })
    await sync()
    expect(await clock.run(search(memory, 'topic0'))).toMatchObject({ provider: 'fake', degraded: [] })
  })

  test('a refused text is sent again when it changes, or on request, and not by the way', async () => {
    const provider = refusing(/topic3/)
    const { sync, source } = await stage([provider])
    await sync()
    const sent = provider.calls.length
    expect(filledOf(await sync())).toEqual(['fake 3 0 1'])
    expect(provider.calls.length).toBe(sent)
    await sync({ force: true })
    expect(provider.calls.slice(sent).flat()).toHaveLength(1)
    source.write('memory/3.md', 'Another text.')
    expect(filledOf(await sync())).toEqual(['fake 4 0 0'])
  })

  test('more than half refused: the link is at fault and named, the next is filled and answers', async () => {
    const { memory, sync, clock } = await stage([refusing(/topic[1-9]/), createFakeEmbedder({ name: 'second' })])
    expect(filledOf(await sync())).toEqual(['fake 1 0 3', 'second 4 0 0'])
    const reply = await clock.run(search(memory, 'topic0'))
    expect(reply).toMatchObject({ provider: 'second', degraded: [{ code: 'fallback-provider' }] })
    expect(reply.degraded[0]?.message).toMatch(/fake \(sample\) refused 3 of 4 texts, so the fault is taken to be its own/)
  })

  test('every text refused: the link counts as failing, and the next one is filled at once', async () => {
    const { memory, sync, clock } = await stage([refusing(/Note/), createFakeEmbedder({ name: 'second' })])
    const report = await sync()
    expect(filledOf(report)).toEqual(['fake 0 4 0', 'second 4 0 0'])
    expect(messages(report)).toMatch(/fake \(sample\) stopped embedding/)
    expect(await clock.run(search(memory, 'topic0'))).toMatchObject({ provider: 'second' })
  })

  test.for([
    [
      'an answer that cannot be used',
      (texts: readonly string[]) => texts.map((text) => (text.includes('topic3') ? [Number.NaN] : vectorOf(text))),
    ],
    [
      'vectors of another length',
      (texts: readonly string[]) => texts.map((text) => vectorOf(text, text.includes('topic3') ? 5 : 4)),
    ],
  ] as const)('%s is no refusal: the text is missing, and the next sync sends it again', async ([, answer]) => {
    let isBroken = true
    const sound = createFakeEmbedder()
    const provider: EmbeddingProvider = {
      ...sound,
      embed: async (request) => {
        const reply = await sound.embed(request)
        const texts = request.inputs.map((input) => (input.type === 'text' ? input.text : ''))
        return isBroken ? { vectors: answer(texts).map((vector) => Float32Array.from(vector)) } : reply
      },
    }
    const { sync, memory } = await stage([provider])
    const report = await sync()
    expect(filledOf(report)).toEqual(['fake 3 1 0'])
    expect(messages(report)).toMatch(/no answer that can be used for 1 text.+next sync sends them again/)
    isBroken = false
    expect(filledOf(await sync())).toEqual(['fake 4 0 0'])
    expect(await memory.status()).toMatchObject({ spaces: [{ filled: 4, failed: 0 }] })
  })
})

describe('P53: the first provider is down at the first index', () => {
  test.for(['unavailable', 'rate-limit', 'auth', 'not-found', 'tls', 'bad-response'] as const)(
    '%s: the fallback fills at once and answers',
    async (code) => {
      const { sync, memory, clock } = await stage([failing('first', () => refusal(code)), createFakeEmbedder({ name: 'second' })])
      const report = await sync()
      expect(filledOf(report)).toEqual(['first 0 4 0', 'second 4 0 0'])
      expect(messages(report)).not.toMatch(/[Rr]un index/)
      expect(await clock.run(search(memory, 'topic2'))).toMatchObject({ mode: 'hybrid', provider: 'second' })
    },
  )

  test('the first of several links that works fills', async () => {
    const down = () => refusal('unavailable')
    const { sync } = await stage([failing('first', down), failing('second', down), createFakeEmbedder({ name: 'third' })])
    expect(filledOf(await sync())).toEqual(['first 0 4 0', 'third 4 0 0'])
  })

  test('later outages are waited out, but for a sync that does not wait', async () => {
    let isDown = false
    const first = createFakeEmbedder({
      name: 'first',
      before: () => {
        if (isDown) throw refusal('unavailable')
      },
    })
    const { sync, source } = await stage([first, createFakeEmbedder({ name: 'second' })])
    await sync()
    isDown = true
    source.write('memory/new.md', 'One more note.')
    const report = await sync()
    expect(filledOf(report)).toEqual(['first 4 1 0'])
    expect(messages(report)).toMatch(/\(`fallback: true`\)/)
    expect(filledOf(await sync({ fallback: true }))).toEqual(['first 4 1 0', 'second 5 0 0'])
  })

  test('without a fallback nothing is promised that does not help', async () => {
    const { sync } = await stage([failing('only', () => refusal('unavailable'))])
    const report = await sync()
    expect(messages(report)).not.toMatch(/fallback|[Rr]un index/)
    expect(report.retryAtMs).toBeGreaterThan(0)
  })
})

test.for(['auth', 'quota', 'unavailable'] as const)(
  'P55: after a first index that failed with %s all texts are missing',
  async (code) => {
    const { sync, memory } = await stage([failing('first', () => refusal(code))], { count: 5 })
    expect(filledOf(await sync())).toEqual(['first 0 5 0'])
    expect((await memory.status()).spaces).toMatchObject([
      { filled: 0, missing: 5, failed: 0, isComplete: false, dimensions: null },
    ])
  },
)

test('P55: an index without a note lacks nothing', async () => {
  const { sync, memory } = await stage([failing('first', () => refusal('auth'))], { count: 0 })
  await sync()
  expect((await memory.status()).spaces).toEqual([])
})
