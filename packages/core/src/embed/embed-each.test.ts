import type { EmbeddingProvider } from '@mnemark/spec'
import { describe, expect, test } from 'vitest'
import { createFakeEmbedder, refusal, silence, textInput, vectorOf } from '../../test/fake-embedder.ts'
import { VirtualClock } from '../../test/virtual-clock.ts'
import { embedAll, embedEach } from './embed-each.ts'
import type { EmbedOptions } from './embed-options.ts'
import type { InputResult } from './input/input-results.ts'

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `note ${index}`)

interface RunSetup extends Partial<EmbedOptions> {
  readonly clock?: VirtualClock
}

async function run(
  provider: EmbeddingProvider,
  texts: readonly string[],
  { clock = new VirtualClock(), ...options }: RunSetup = {},
) {
  const settings = { inputType: 'document' as const, now: clock.now, sleep: clock.sleep, random: () => 0.5, ...options }
  const report = await clock.run(embedAll(provider, texts.map(textInput), settings))
  expect(clock.pending, 'timers that are left').toBe(0)
  return report
}

const statuses = (results: readonly { readonly status: string }[]): string[] => results.map(({ status }) => status)
const sizes = (calls: readonly (readonly string[])[]): number[] => calls.map(({ length }) => length)

/** A service with an unstated limit. */
const atMost = (maxInputs: number) => (texts: readonly string[]) => {
  if (texts.length > maxInputs) throw refusal('invalid-input', { status: 400 })
}
const refusing = (word: string) => (texts: readonly string[]) => {
  if (texts.some((text) => text.includes(word))) throw refusal('invalid-input', { status: 400 })
}

describe('P50: answers that do not tell whose a vector is', () => {
  /** A service that answers several inputs with the vector of the first one, recognisable only by equal positions. */
  const unclear = (texts: readonly string[]) => {
    if (texts.length > 1) throw refusal('bad-response', { isUnordered: true })
  }

  test('after one such answer inputs go singly, and each gets its own vector', async () => {
    const provider = createFakeEmbedder({ limits: { maxInputs: 8 }, before: unclear })
    const texts = numbered(20)
    const { results, learnt } = await run(provider, texts)
    expect(results.map((result) => result.status === 'embedded' && result.vector)).toEqual(texts.map((text) => vectorOf(text)))
    expect(sizes(provider.calls)).toEqual([8, ...texts.map(() => 1)])
    expect(learnt).toEqual({ maxInputs: 1 })
  })

  test('with several requests on their way, none is guessed at, and no input is sent twice after them', async () => {
    const provider = createFakeEmbedder({ limits: { maxInputs: 4, concurrency: 3 }, before: unclear })
    const { results } = await run(provider, numbered(30))
    expect(
      results.every(
        (result, index) => result.status === 'embedded' && String(result.vector) === String(vectorOf(`note ${index}`)),
      ),
    ).toBe(true)
    const singles = provider.calls.filter(({ length }) => length === 1).flat()
    expect(singles).toHaveLength(30)
    expect(new Set(singles).size).toBe(30)
  })

  test('another count of vectors than of inputs is such an answer, from an adapter without any checks', async () => {
    const sound = createFakeEmbedder({ limits: { maxInputs: 8 } })
    const provider: EmbeddingProvider = {
      ...sound,
      embed: async (request) => {
        const { vectors } = await sound.embed(request)
        return { vectors: vectors.length > 1 ? vectors.slice(1) : vectors }
      },
    }
    const texts = numbered(10)
    const { results } = await run(provider, texts)
    expect(results.map((result) => result.status === 'embedded' && result.vector)).toEqual(texts.map((text) => vectorOf(text)))
    expect(sizes(sound.calls)).toEqual([8, ...texts.map(() => 1)])
  })

  test('a service that is unclear about single inputs too is given up, not asked for each of a thousand', async () => {
    const provider = createFakeEmbedder({
      limits: { maxInputs: 8 },
      before: () => {
        throw refusal('bad-response', { isUnordered: true })
      },
    })
    const { stoppedBy, results } = await run(provider, numbered(1000))
    expect(stoppedBy?.code).toBe('bad-response')
    expect(provider.calls.length).toBeLessThan(20)
    expect(results.some(({ status }) => status === 'embedded')).toBe(false)
  })
})

describe('requests and results', () => {
  test('every input gets its own vector, at its own index, whatever answers first', async () => {
    const clock = new VirtualClock()
    const before = (_: readonly string[], call: number) => clock.sleep(1000 - call * 100)
    const provider = createFakeEmbedder({ limits: { maxInputs: 3, concurrency: 4 }, before })
    const texts = numbered(20)
    const { results, requests } = await run(provider, texts, { clock })
    expect(requests).toBe(7)
    expect(results.map((result) => result.status === 'embedded' && result.vector)).toEqual(texts.map((text) => vectorOf(text)))
  })

  test('never more requests are in flight than slots, by the limits or by the setting', async () => {
    const clock = new VirtualClock()
    const create = () => createFakeEmbedder({ limits: { maxInputs: 1, concurrency: 3 }, before: () => clock.sleep(50) })
    const [byLimits, bySetting] = [create(), create()]
    await run(byLimits, numbered(20), { clock })
    await run(bySetting, numbered(20), { clock, concurrency: 1 })
    expect([byLimits.mostInFlight, bySetting.mostInFlight]).toEqual([3, 1])
  })

  test('blank texts are null vectors, and nothing is asked for them', async () => {
    const provider = createFakeEmbedder()
    const { results } = await run(provider, ['', ' \n\t', 'word', '\u3000'])
    expect(provider.calls).toEqual([['word']])
    expect(results.map((result) => result.status === 'embedded' && result.vector)).toEqual([null, null, vectorOf('word'), null])
    const nothing = createFakeEmbedder()
    expect(statuses((await run(nothing, [' '])).results)).toEqual(['embedded'])
    expect(nothing.calls).toEqual([])
  })

  test('results are handed out before the end, one call at a time', async () => {
    const clock = new VirtualClock()
    const provider = createFakeEmbedder({ limits: { maxInputs: 2, concurrency: 3 }, before: () => clock.sleep(10) })
    const seen: { done: number; calls: number }[] = []
    let isInside = false
    const onResults = async (results: readonly InputResult[]) => {
      expect(isInside).toBe(false)
      isInside = true
      await clock.sleep(100)
      isInside = false
      seen.push({ done: results.length, calls: provider.calls.length })
    }
    const inputs = numbered(20).map(textInput)
    await clock.run(embedEach(provider, inputs, { inputType: 'document', ...clock, onResults }))
    expect(seen.reduce((sum, { done }) => sum + done, 0)).toBe(20)
    expect(seen[0]?.calls).toBeLessThan(10)
  })

  test('inputs may come from a stream, which is read no further than needed', async () => {
    const clock = new VirtualClock()
    const provider = createFakeEmbedder({
      limits: { maxInputs: 5 },
      before: (_, call) => {
        if (call === 2) throw refusal('quota')
      },
    })
    let read = 0
    let isClosed = false
    async function* stream() {
      try {
        for (const text of numbered(1000)) {
          read++
          yield textInput(text)
        }
      } finally {
        isClosed = true
      }
    }
    const { embedded, stoppedBy } = await clock.run(
      embedEach(provider, stream(), { inputType: 'document', ...clock, onResults: () => {} }),
    )
    expect({ embedded, code: stoppedBy?.code, isClosed }).toEqual({ embedded: 5, code: 'quota', isClosed: true })
    expect(read).toBeLessThanOrEqual(12)
  })

  test('usage is the sum of what was reported, and absent where nothing was', async () => {
    const limits = { maxInputs: 4 }
    expect((await run(createFakeEmbedder({ limits }), numbered(10))).usage).toEqual({ inputTokens: 10, isComplete: true })
    expect((await run(createFakeEmbedder({ limits, hasUsage: false }), numbered(10))).usage).toBeUndefined()
  })

  test('B64: without grouping every input is a call of its own', async () => {
    const provider = createFakeEmbedder({ limits: { concurrency: 4 } })
    await run(provider, numbered(9), { isGrouped: false, concurrency: 1 })
    expect(sizes(provider.calls)).toEqual(Array.from({ length: 9 }, () => 1))
    expect(provider.mostInFlight).toBe(1)
  })

  test('progress counts up to what the summary says', async () => {
    const progress: number[] = []
    const provider = createFakeEmbedder({ limits: { maxInputs: 4 }, before: refusing('note 5') })
    const report = await run(provider, numbered(10), { onProgress: ({ embedded, failed }) => progress.push(embedded + failed) })
    expect(progress.at(-1)).toBe(10)
    expect(report).toMatchObject({ embedded: 9, failed: 1, requests: provider.calls.length })
  })
})

describe('refused inputs', () => {
  test('B23: one refused input fails alone, wherever it stands, and its error holds no text', async () => {
    for (const bad of [0, 7, 31]) {
      const provider = createFakeEmbedder({ before: refusing(`note ${bad}.`) })
      const { results, stoppedBy } = await run(
        provider,
        numbered(32).map((text) => `${text}.`),
      )
      expect(statuses(results).flatMap((status, index) => (status === 'failed' ? [index] : []))).toEqual([bad])
      expect(stoppedBy).toBeUndefined()
      // 1 whole, then one pair of halves for each level.
      expect(provider.calls.length).toBe(11)
      expect(JSON.stringify(results[bad])).not.toContain('note')
    }
  })

  test('inputs that the service names fail at once, and the others are sent together', async () => {
    const provider = createFakeEmbedder({
      before: (texts) => {
        const inputIndexes = texts.flatMap((text, index) => (/ [37]$/.test(text) ? [index] : []))
        if (inputIndexes.length > 0) throw refusal('invalid-input', { inputIndexes })
      },
    })
    const { results } = await run(provider, numbered(10))
    expect(sizes(provider.calls)).toEqual([10, 8])
    expect(statuses(results).filter((status) => status === 'failed').length).toBe(2)
  })

  test('indexes that cannot be are not believed', async () => {
    const provider = createFakeEmbedder({
      before: (texts) => {
        if (texts.some((text) => text.endsWith(' 3'))) throw refusal('invalid-input', { inputIndexes: [99] })
      },
    })
    const { results } = await run(provider, numbered(8))
    expect(statuses(results).flatMap((status, index) => (status === 'failed' ? [index] : []))).toEqual([3])
  })

  test('a service that refuses everything is not asked about each input', async () => {
    const provider = createFakeEmbedder({ limits: { maxInputs: 512 }, before: () => Promise.reject(refusal('invalid-input')) })
    const { failed, stoppedBy } = await run(provider, numbered(5000))
    expect(stoppedBy?.code).toBe('invalid-input')
    expect(failed).toBe(16)
    expect(provider.calls.length).toBeLessThan(45)
  })

  test('bad inputs among good ones never end a run, however many', async () => {
    const provider = createFakeEmbedder({ limits: { maxInputs: 8 }, before: refusing('0.') })
    const { failed, stoppedBy } = await run(
      provider,
      numbered(400).map((text) => `${text}.`),
    )
    expect({ failed, stoppedBy }).toEqual({ failed: 40, stoppedBy: undefined })
  })

  test('B54: a limit nobody knew is learnt by halving and kept', async () => {
    const provider = createFakeEmbedder({ limits: { maxInputs: 32 }, before: atMost(10) })
    const { results, learnt } = await run(provider, numbered(200))
    expect(new Set(statuses(results))).toEqual(new Set(['embedded']))
    expect(learnt.maxInputs).toBe(8)
    const refused = provider.calls.filter(({ length }) => length > 10)
    expect(refused.length).toBeLessThanOrEqual(3)
    expect(provider.calls.flat().length).toBeLessThan(200 + 32 * 3)
  })

  test('B54: a known limit fills requests in order', async () => {
    const provider = createFakeEmbedder({ limits: { maxInputs: 10 } })
    await run(provider, numbered(25))
    expect(provider.calls).toEqual([numbered(25).slice(0, 10), numbered(25).slice(10, 20), numbered(25).slice(20)])
  })

  test('B54: a limit on all tokens of a request is learnt, down to one input, which alone fails', async () => {
    const words = (texts: readonly string[]): number => texts.join(' ').split(' ').length
    const provider = createFakeEmbedder({
      limits: { maxInputs: 2048 },
      countTokens: (text) => words([text]),
      before: (texts) => {
        if (words(texts) > 100) throw refusal('input-too-long', { status: 413 })
        if (texts.some((text) => text.includes('never'))) throw refusal('input-too-long', { status: 413 })
      },
    })
    const texts = Array.from({ length: 300 }, (_, index) => (index === 150 ? 'never taken' : `five words in this ${index}`))
    const { results, learnt } = await run(provider, texts)
    expect(statuses(results).flatMap((status, index) => (status === 'embedded' ? [] : [index]))).toEqual([150])
    expect(learnt.maxRequestTokens).toBeLessThanOrEqual(100)
    expect(learnt.maxRequestTokens).toBeGreaterThan(50)
  })

  test('one bad input does not make later requests smaller', async () => {
    const provider = createFakeEmbedder({ limits: { maxInputs: 16 }, before: refusing('note 3.') })
    const { learnt } = await run(
      provider,
      numbered(64).map((text) => `${text}.`),
    )
    expect(learnt).toEqual({})
    expect(sizes(provider.calls).slice(-3)).toEqual([16, 16, 16])
  })

  test('B22: a text longer than the service takes is sent in smaller pieces, and the next one at once', async () => {
    const provider = createFakeEmbedder({
      limits: { maxInputTokens: 8192 },
      countTokens: (text) => text.length,
      before: (texts) => {
        if (texts.some((text) => text.length > 512)) throw refusal('input-too-long', { status: 400 })
      },
    })
    const long = '：'.repeat(600)
    const { results, learnt } = await run(provider, ['short', long, 'other', long])
    expect(statuses(results)).toEqual(Array.from({ length: 4 }, () => 'embedded'))
    expect(learnt.maxInputTokens).toBe(300)
    const [, first, , second] = results
    expect(first?.status === 'embedded' && first.pieces?.map(({ start, end }) => [start, end])).toEqual([
      [0, 300],
      [300, 600],
    ])
    expect(second).toEqual({ ...first, index: 3 })
  })

  test('a text in pieces has the mean of their vectors, of unit length; cut, it has that of its beginning', async () => {
    const limits = { maxInputTokens: 8 }
    const countTokens = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length
    const text = 'one two three four five six seven eight nine ten'
    const split = await run(createFakeEmbedder({ limits, countTokens }), [text])
    const [whole] = split.results
    if (whole?.status !== 'embedded' || whole.vector === null) throw new Error('not embedded')
    expect(Math.hypot(...whole.vector)).toBeCloseTo(1, 6)
    expect(whole.pieces?.length).toBe(2)
    expect(whole.isShortened).toBe(false)
    const provider = createFakeEmbedder({ limits, countTokens })
    const [cut] = (await run(provider, [text], { overlong: 'cut' })).results
    expect(provider.calls).toHaveLength(1)
    expect(cut).toMatchObject({ status: 'embedded', isShortened: true, vector: vectorOf(provider.calls[0]?.[0] ?? '') })
  })

  test('P07: a text of which the service refuses one piece of nine fails by itself, and says how much of it', async () => {
    for (const code of ['invalid-input', 'input-too-long', 'bad-response'] as const) {
      const provider = createFakeEmbedder({
        limits: { maxInputTokens: 8 },
        countTokens: (text) => text.split(/\s+/).filter((word) => word !== '').length,
        before: (texts) => {
          if (texts.some((text) => text.includes('rotten'))) throw refusal(code, { status: 400 })
        },
      })
      const words = Array.from({ length: 72 }, (_, at) => (at === 35 ? 'rotten' : `word${at}`))
      const { results, embedded, failed } = await run(provider, ['first', words.join(' '), 'last'])
      expect(statuses(results)).toEqual(['embedded', 'failed', 'embedded'])
      expect([embedded, failed]).toEqual([2, 1])
      const [, text] = results
      expect(text?.status === 'failed' && text.error.code).toBe(code)
      expect(text?.status === 'failed' && text.error.message).toMatch(
        /^1 of the (9|\d\d) pieces of the text were refused: fake: /,
      )
    }
  })

  test('B56: of three inputs the one that the service fails over is given up, whatever it answers', async () => {
    for (const error of [refusal('input-too-long', { status: 400 }), refusal('unavailable', { status: 500 })]) {
      const provider = createFakeEmbedder({
        before: (texts) => {
          if (texts.includes('second')) throw error
        },
      })
      const { results, stoppedBy } = await run(provider, ['first', 'second', 'third'])
      expect(statuses(results)).toEqual(['embedded', 'failed', 'embedded'])
      expect(stoppedBy).toBeUndefined()
    }
  })

  test('an answer that cannot be used is about its inputs too', async () => {
    const provider = createFakeEmbedder({
      before: (texts) => {
        if (texts.includes('note 2')) throw refusal('bad-response')
      },
    })
    expect(statuses((await run(provider, numbered(4))).results)).toEqual(['embedded', 'embedded', 'failed', 'embedded'])
  })

  test('fewer vectors than inputs, and vectors of several lengths, are refused', async () => {
    const short = { ...createFakeEmbedder(), embed: () => Promise.resolve({ vectors: [] }) }
    const sound = createFakeEmbedder()
    const mixed = {
      ...sound,
      space: { ...sound.space, requestedDimensions: null },
      embed: ({ inputs }: Parameters<EmbeddingProvider['embed']>[0]) =>
        Promise.resolve({ vectors: inputs.map((_, index) => new Float32Array(index + 1).fill(1)) }),
    }
    expect(statuses((await run(short, ['a'])).results)).toEqual(['failed'])
    expect(statuses((await run(mixed, ['a', 'b', 'c'])).results)).toEqual(['embedded', 'embedded', 'embedded'])
  })
})

describe('waiting and giving up', () => {
  test('B64: one 429 holds everyone back for as long as it says, and finished requests are kept', async () => {
    const clock = new VirtualClock()
    const startedAt: number[] = []
    let refusedAtMs = 0
    const provider = createFakeEmbedder({
      limits: { maxInputs: 1, concurrency: 4 },
      before: async (_, call) => {
        startedAt.push(clock.now())
        if (call === 6) {
          refusedAtMs = clock.now()
          throw refusal('rate-limit', { retryAfterMs: 34_000 })
        }
        await clock.sleep(100)
      },
    })
    const { results, requests } = await run(provider, numbered(16), { clock })
    expect(statuses(results).every((status) => status === 'embedded')).toBe(true)
    expect(requests).toBe(17)
    const after = startedAt.filter((ms) => ms > refusedAtMs)
    expect(after.length).toBeGreaterThan(8)
    expect(Math.min(...after) - refusedAtMs).toBeGreaterThanOrEqual(34_000)
  })

  test('B64: a service that takes one request at a time is soon asked for one at a time, and the run gets through', async () => {
    const clock = new VirtualClock()
    let inFlight = 0
    const provider = createFakeEmbedder({
      limits: { maxInputs: 1, concurrency: 8 },
      before: async () => {
        if (inFlight > 0) throw refusal('rate-limit')
        inFlight++
        await clock.sleep(200)
        inFlight--
      },
    })
    const { embedded, requests } = await run(provider, numbered(300), { clock })
    expect(embedded).toBe(300)
    // 7 of the first 8, few of the next, then one for each ten answers.
    expect(requests).toBeLessThan(345)
  })

  test.for(['rate-limit', 'unavailable'] as const)(
    'P51: a %s for hours ends the run at once, with the time in its error',
    async (code) => {
      const clock = new VirtualClock()
      const provider = createFakeEmbedder({
        limits: { maxInputs: 1, concurrency: 3 },
        before: (_, call) => {
          if (call === 4) throw refusal(code, { retryAfterMs: 10_800_000 })
        },
      })
      const { stoppedBy, embedded } = await run(provider, numbered(20), { clock })
      expect(stoppedBy).toMatchObject({ code, retryAfterMs: 10_800_000 })
      expect(clock.slept).toEqual([])
      expect(embedded).toBe(provider.calls.length - 1)
      expect(provider.calls.length).toBeLessThan(8)
    },
  )

  test('P51: a wait of up to two minutes is waited for', async () => {
    const clock = new VirtualClock()
    const provider = createFakeEmbedder({
      before: (_, call) => {
        if (call === 1) throw refusal('rate-limit', { retryAfterMs: 120_000 })
      },
    })
    expect((await run(provider, ['a'], { clock })).embedded).toBe(1)
    expect(clock.slept).toEqual([120_000])
  })

  test('without a hint the waits grow, and reach across a limit per minute', async () => {
    const clock = new VirtualClock()
    const provider = createFakeEmbedder({ before: () => Promise.reject(refusal('rate-limit')) })
    const { stoppedBy } = await run(provider, ['a'], { clock, random: () => 0.999 })
    expect(stoppedBy?.code).toBe('rate-limit')
    expect(provider.calls).toHaveLength(6)
    expect(clock.slept.map(Math.round)).toEqual([4995, 9990, 19_980, 39_960, 79_920])
  })

  test('B66: a lost connection is tried again', async () => {
    const provider = createFakeEmbedder({
      before: (_, call) => {
        if (call === 1) throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })
      },
    })
    expect(statuses((await run(provider, ['a', 'b'])).results)).toEqual(['embedded', 'embedded'])
    expect(provider.calls).toHaveLength(2)
  })

  test('B66: a service that fails for good leaves what was done, and names the rest unreached', async () => {
    const provider = createFakeEmbedder({
      limits: { maxInputs: 1 },
      before: (_, call) => {
        if (call > 2) throw refusal('unavailable', { status: 503 })
      },
    })
    const { results, stoppedBy } = await run(provider, numbered(10))
    expect(statuses(results)).toEqual(['embedded', 'embedded', ...Array.from({ length: 8 }, () => 'unreached')])
    expect(stoppedBy?.code).toBe('unavailable')
    expect(provider.calls).toHaveLength(8)
  })

  test('a service that answers 500 to everything ends the run without a failed input', async () => {
    for (const maxInputs of [1, 8, 64]) {
      const provider = createFakeEmbedder({
        limits: { maxInputs },
        before: () => Promise.reject(refusal('unavailable', { status: 500 })),
      })
      const { results, stoppedBy } = await run(provider, numbered(40))
      expect(stoppedBy?.code).toBe('unavailable')
      expect(new Set(statuses(results))).toEqual(new Set(['unreached']))
      expect(provider.calls.length).toBeLessThanOrEqual(12)
    }
  })

  test.each(['auth', 'quota', 'not-found', 'config', 'tls', 'refused-redirect'] as const)(
    '%s ends the run at once, without another request, and keeps what is done',
    async (code) => {
      const clock = new VirtualClock()
      const provider = createFakeEmbedder({
        limits: { maxInputs: 2, concurrency: 2 },
        before: async (_, call) => {
          await clock.sleep(call * 10)
          if (call === 3) throw refusal(code)
        },
      })
      const { embedded, failed, stoppedBy } = await run(provider, numbered(40), { clock })
      expect({ code: stoppedBy?.code, failed }).toEqual({ code, failed: 0 })
      // Two before the stop, and the one in flight beside it.
      expect(embedded).toBe(6)
      expect(provider.calls).toHaveLength(4)
    },
  )

  test('the end of a run wakes those that wait for another try', async () => {
    const clock = new VirtualClock()
    const provider = createFakeEmbedder({
      limits: { maxInputs: 1, concurrency: 2 },
      before: async (_, call) => {
        if (call === 1) throw refusal('unavailable', { status: 503 })
        await clock.sleep(10)
        throw refusal('auth')
      },
    })
    const startedMs = clock.now()
    const { stoppedBy } = await run(provider, numbered(5), { clock, random: () => 0.9 })
    expect(stoppedBy?.code).toBe('auth')
    expect(clock.now() - startedMs).toBe(10)
  })

  test('B60: an attempt has its own time, longer for a local provider, and the setting decides', async () => {
    const measured = async (isLocal: boolean, timeouts = {}): Promise<number> => {
      const clock = new VirtualClock()
      const provider = createFakeEmbedder({ isLocal, before: (_, __, request) => silence(request) })
      const startedMs = clock.now()
      const { stoppedBy } = await run(provider, ['a'], { clock, attempts: 1, timeouts })
      expect(stoppedBy).toMatchObject({ code: 'unavailable' })
      expect(stoppedBy?.message).toContain('no embeddings within')
      return clock.now() - startedMs
    }
    expect(await measured(false)).toBe(120_000)
    expect(await measured(true)).toBe(600_000)
    expect(await measured(true, { documentMs: 100 })).toBe(100)
  })

  test('B60: 150 ms are too long within 100 ms, and not within 300 ms', async () => {
    for (const [documentMs, status] of [
      [100, 'unreached'],
      [300, 'embedded'],
    ] as const) {
      const clock = new VirtualClock()
      const provider = createFakeEmbedder({ before: (_, __, { signal }) => clock.sleep(150, signal) })
      const { results } = await run(provider, ['a'], { clock, attempts: 1, timeouts: { documentMs } })
      expect(statuses(results)).toEqual([status])
    }
  })

  test('a provider that does not listen keeps nobody waiting', async () => {
    const clock = new VirtualClock()
    const provider = createFakeEmbedder({ before: (_, call) => (call === 1 ? new Promise(() => {}) : undefined) })
    expect(statuses((await run(provider, ['a'], { clock })).results)).toEqual(['embedded'])
  })

  test('one request is not tried longer than its total time', async () => {
    const clock = new VirtualClock()
    const provider = createFakeEmbedder({ before: (_, __, request) => silence(request) })
    const startedMs = clock.now()
    const { stoppedBy } = await run(provider, ['a'], { clock, attempts: 100, totalMs: 300_000 })
    expect(stoppedBy?.code).toBe('unavailable')
    expect(clock.now() - startedMs).toBeLessThanOrEqual(300_000)
  })
})

describe('cancelling', () => {
  test('B60: the abort reaches every request in flight, and the run rejects with its reason', async () => {
    const clock = new VirtualClock()
    const controller = new AbortController()
    let aborted = 0
    const provider = createFakeEmbedder({
      limits: { maxInputs: 1, concurrency: 3 },
      before: async (_, __, request) => {
        request.signal?.addEventListener('abort', () => aborted++)
        await silence(request)
      },
    })
    const work = run(provider, numbered(9), { clock, signal: controller.signal })
    const reason = new Error('enough')
    clock.sleep(50).then(() => controller.abort(reason))
    await expect(work).rejects.toBe(reason)
    expect(aborted).toBe(3)
    expect(provider.calls).toHaveLength(3)
    expect(clock.pending).toBe(0)
  })

  test('an abort ends waits, and an aborted signal starts nothing', async () => {
    const clock = new VirtualClock()
    const controller = new AbortController()
    const provider = createFakeEmbedder({ before: () => Promise.reject(refusal('rate-limit', { retryAfterMs: 60_000 })) })
    const startedMs = clock.now()
    clock.sleep(50).then(() => controller.abort('enough'))
    await expect(run(provider, ['a'], { clock, signal: controller.signal })).rejects.toBe('enough')
    expect(clock.now() - startedMs).toBe(50)
    const untouched = createFakeEmbedder()
    await expect(run(untouched, ['a'], { signal: AbortSignal.abort('before') })).rejects.toBe('before')
    expect(untouched.calls).toEqual([])
  })

  test('a store that cannot keep the results ends the run with its error', async () => {
    const clock = new VirtualClock()
    const provider = createFakeEmbedder({ limits: { maxInputs: 1, concurrency: 2 }, before: () => clock.sleep(10) })
    const onResults = () => Promise.reject(new Error('disk full'))
    const work = embedEach(provider, numbered(20).map(textInput), { inputType: 'document', ...clock, onResults })
    await expect(clock.run(work)).rejects.toThrow('disk full')
    expect(provider.calls.length).toBeLessThanOrEqual(4)
    expect(clock.pending).toBe(0)
  })

  test('requests in flight are given up when the results cannot be kept', async () => {
    const clock = new VirtualClock()
    const provider = createFakeEmbedder({
      limits: { maxInputs: 1, concurrency: 2 },
      before: (_, call, request) => (call === 2 ? silence(request) : clock.sleep(10)),
    })
    const startedMs = clock.now()
    const onResults = () => Promise.reject(new Error('disk full'))
    const work = embedEach(provider, numbered(5).map(textInput), { inputType: 'document', ...clock, onResults })
    await expect(clock.run(work)).rejects.toThrow('disk full')
    expect(clock.now() - startedMs).toBe(10)
  })

  test('settings that cannot be are refused before anything is sent', async () => {
    const provider = createFakeEmbedder()
    for (const options of [{ concurrency: 0 }, { attempts: 1.5 }, { totalMs: -1 }, { timeouts: { documentMs: 0 } }])
      await expect(async () => run(provider, ['a'], options)).rejects.toThrow(RangeError)
    expect(provider.calls).toEqual([])
  })
})
