import type { BatchOutcome, EmbeddingBatch, EmbeddingProvider, EmbeddingResult } from '@mnemark/spec'
import { ProviderError } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import { describe, expect, test } from 'vitest'
import { createFakeEmbedder, textInput, vectorOf } from '../../../test/fake-embedder.ts'
import '../../../test/loaded-engine.ts'
import { NoteSource } from '../../../test/note-source.ts'
import { openMemory, search } from '../../../test/open-notes.ts'
import { VirtualClock } from '../../../test/virtual-clock.ts'
import { guardProvider } from './guard-provider.ts'

/** A hand-made provider with given answers. */
function handMade(answer: (texts: readonly string[]) => unknown, more: Partial<EmbeddingProvider> = {}): EmbeddingProvider {
  const sound = createFakeEmbedder()
  return {
    ...sound,
    space: { ...sound.space, requestedDimensions: null },
    ...more,
    // JavaScript without types may answer anything.
    embed: (({ inputs }) =>
      answer(inputs.map((input) => (input.type === 'text' ? input.text : '')))) as EmbeddingProvider['embed'],
  }
}
const vectors = (change: (vector: Float32Array, at: number) => unknown) => async (texts: readonly string[]) => ({
  vectors: texts.map((text, at) => change(vectorOf(text), at)),
})

const BROKEN: Readonly<Record<string, (texts: readonly string[]) => unknown>> = {
  'no number': vectors((vector) => vector.map((_, at) => (at === 1 ? Number.NaN : 1))),
  infinity: vectors((vector) => vector.map((_, at) => (at === 1 ? Number.POSITIVE_INFINITY : 1))),
  zeros: vectors((vector) => vector.map(() => 0)),
  'empty vectors': vectors(() => new Float32Array(0)),
  texts: vectors(() => ['0.1', '0.2']),
  'nothing in a list': vectors(() => undefined),
  'vectors of other lengths': vectors((_, at) => new Float32Array(at + 2).fill(1)),
  'too few': async (texts) => ({ vectors: texts.slice(1).map((text) => vectorOf(text)) }),
  'too many': async (texts) => ({ vectors: [...texts, 'more'].map((text) => vectorOf(text)) }),
  'no list': async () => ({ vectors: 'none' }),
  nothing: async () => undefined,
  'a plain error': async () => {
    throw new Error('the key sk-secret was in here')
  },
  'a plain error before it waits': () => {
    throw new TypeError('embed is not ready')
  },
  'a text thrown': async () => {
    throw 'no error at all'
  },
  'confidence of another count': async (texts) => ({ vectors: texts.map((text) => vectorOf(text)), confidence: [0.5] }),
}

describe('P56: a provider made by hand', () => {
  test.for(Object.entries(BROKEN))('that answers with %s gives a ProviderError', async ([, answer]) => {
    const embedding = guardProvider(handMade(answer)).embed({ inputs: ['a', 'b'].map(textInput), inputType: 'document' })
    const error: unknown = await embedding.catch((thrown: unknown) => thrown)
    expect(ProviderError.isInstance(error) && error.code).toBe('bad-response')
    expect(String(error)).not.toContain('sk-secret')
  })

  // The other answers are correct for each text that is sent alone.
  const alone = Object.entries(BROKEN).filter(
    ([name]) => !['too few', 'vectors of other lengths', 'confidence of another count'].includes(name),
  )
  test.for(alone)('that answers with %s leaves the words found and nothing stored', async ([, answer]) => {
    const store = createInMemoryStore()
    const memory = await openMemory([new NoteSource({ 'memory/a.md': 'router one', 'memory/b.md': 'router two' })], {
      embeddings: [handMade(answer)],
      store,
    })
    const report = await memory.sync()
    expect(report.degraded).not.toEqual([])
    expect(report.vectors).toMatchObject([{ filled: 0, missing: 2, failed: 0 }])
    expect((await search(memory, 'router')).hits).toHaveLength(2)
  })

  test('that never settles ends with the time-out', async () => {
    const clock = new VirtualClock()
    const memory = await openMemory([new NoteSource({ 'memory/a.md': 'router one' })], {
      embeddings: [handMade(() => new Promise(() => {}), { close: () => new Promise(() => {}) })],
      now: clock.now,
      sleep: clock.sleep,
    })
    const report = await clock.run(memory.sync())
    expect(report).toMatchObject({ degraded: [{ code: 'provider-unavailable' }], vectors: [{ filled: 0, missing: 1 }] })
    await clock.run(memory.close())
  })

  test('that cannot count tokens, or cannot be closed, is reported, and nothing rejects', async () => {
    for (const countTokens of [() => Number.NaN, () => -1, () => Promise.resolve(3) as unknown as number]) {
      const provider = handMade(
        vectors((vector) => vector),
        {
          countTokens,
          close: () => Promise.reject(new Error('cannot close')),
        },
      )
      const memory = await openMemory([new NoteSource({ 'memory/a.md': 'router one' })], { embeddings: [provider] })
      expect((await memory.sync()).degraded).toMatchObject([{ code: 'provider-unavailable' }])
      await memory.close()
    }
  })

  test('has its vectors scaled, and plain lists taken as vectors', async () => {
    const provider = guardProvider(handMade(async () => ({ vectors: [[3, 4], Float64Array.from([0, 2]), null] })))
    const { vectors: got } = await provider.embed({ inputs: ['a', 'b', 'c'].map(textInput), inputType: 'document' })
    expect(got).toEqual([Float32Array.from([0.6, 0.8]), Float32Array.from([0, 1]), null])
  })

  test('is held to the length of its first vector', async () => {
    let size = 3
    const provider = guardProvider(handMade(async () => ({ vectors: [new Float32Array(size).fill(1)] })))
    const embed = () => provider.embed({ inputs: [textInput('a')], inputType: 'query' })
    await embed()
    size = 4
    await expect(embed()).rejects.toMatchObject({ code: 'bad-response' })
  })

  test.for([
    ['no object', null],
    ['no space', {}],
    ['no limits', { ...createFakeEmbedder(), limits: undefined }],
    ['no traits', { ...createFakeEmbedder(), traits: {} }],
    ['no embed', { ...createFakeEmbedder(), embed: undefined }],
  ] as const)('with %s is refused with the field that is wrong', async ([, provider]) => {
    const opening = openMemory([], { embeddings: [provider as unknown as EmbeddingProvider] })
    await expect(opening).rejects.toMatchObject({ name: 'ProviderError', code: 'config' })
  })

  test('is guarded once', () => {
    const provider = createFakeEmbedder()
    const guarded = guardProvider(provider)
    expect(guardProvider(provider)).toBe(guarded)
    expect(guardProvider(guarded)).toBe(guarded)
  })

  test('has the vectors of its jobs checked as well', async () => {
    const outcomes = [
      { id: 'good', vector: [3, 4] },
      { id: 'odd', vector: [Number.NaN, 1] },
      { id: 'short', vector: [1] },
      { id: 'refused', error: new Error('sk-secret') },
      { id: 'none', vector: null },
    ] as unknown as readonly BatchOutcome[]
    const batch = {
      limits: { maxRequests: 10, maxBytes: 1e6, minRequests: 1, windowHours: 24 },
      poll: () => {
        throw new Error('not now')
      },
      async *results() {
        yield* outcomes
      },
    } as unknown as EmbeddingBatch
    const guarded = guardProvider(handMade(async (): Promise<EmbeddingResult> => ({ vectors: [] }), { batch })).batch
    const handle = { provider: 'fake', jobId: '1', submittedAt: '2026-03-16T00:00:00Z' }
    await expect(guarded?.poll(handle)).rejects.toMatchObject({ code: 'bad-response' })
    const got: string[] = []
    for await (const outcome of guarded?.results(handle) ?? [])
      got.push(
        'vector' in outcome
          ? `${outcome.id} ${outcome.vector.length}`
          : `${outcome.id} ${ProviderError.isInstance(outcome.error)}`,
      )
    expect(got).toEqual(['good 2', 'odd true', 'short true', 'refused true', 'none true'])
  })
})
