import type { EmbeddingProvider } from '@mnemark/spec'
import { describe, expect, test } from 'vitest'
import { createFakeEmbedder, refusal, silence, vectorOf } from '../../../test/fake-embedder.ts'
import { VirtualClock } from '../../../test/virtual-clock.ts'
import { type EmbedQueryOptions, embedQuery } from './embed-query.ts'

async function ask(
  provider: EmbeddingProvider,
  text: string,
  { clock = new VirtualClock(), ...options }: EmbedQueryOptions & { clock?: VirtualClock } = {},
) {
  const answer = await clock.run(
    embedQuery(provider, text, { now: clock.now, sleep: clock.sleep, random: () => 0.5, ...options }),
  )
  expect(clock.pending, 'timers that are left').toBe(0)
  return answer
}

const countTokens = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length

describe('embedQuery', () => {
  test('asks once, as a query, and passes vector, usage and confidence on', async () => {
    const inputTypes: string[] = []
    const plain = createFakeEmbedder({ before: (_, __, { inputType }) => void inputTypes.push(inputType) })
    expect(await ask(plain, 'where is it')).toEqual({
      vector: vectorOf('where is it'),
      confidence: 1,
      isShortened: false,
      usage: { inputTokens: 1 },
    })
    expect(inputTypes).toEqual(['query'])
    const unsure = { ...plain, embed: () => Promise.resolve({ vectors: [null], confidence: [0.2] }) }
    expect(await ask(unsure, 'qwxyz')).toEqual({ vector: null, confidence: 0.2, isShortened: false })
  })

  test('a blank query asks nobody', async () => {
    const provider = createFakeEmbedder()
    expect(await ask(provider, ' \n ')).toEqual({ vector: null, confidence: 1, isShortened: false })
    expect(provider.calls).toEqual([])
  })

  test('a query over the limit keeps its end, begun at a sentence', async () => {
    const provider = createFakeEmbedder({ limits: { maxInputTokens: 60 }, countTokens })
    const quoted = 'A line of the log that is quoted at length before the question. '.repeat(40)
    const answer = await ask(provider, `${quoted}Which database did we choose for invoices?`)
    expect(answer.isShortened).toBe(true)
    const [[sent = ''] = []] = provider.calls
    expect(sent.endsWith('Which database did we choose for invoices?')).toBe(true)
    expect(sent.startsWith('A line of the log')).toBe(true)
    expect(countTokens(sent)).toBeGreaterThan(30)
    expect(countTokens(sent)).toBeLessThanOrEqual(60)
  })

  test('the end of a text without borders begins at a whole grapheme', async () => {
    for (const maxInputTokens of [100, 101, 102, 103, 104]) {
      const provider = createFakeEmbedder({ limits: { maxInputTokens } })
      await ask(provider, '👩‍💻'.repeat(300))
      expect(provider.calls[0]?.[0]).toMatch(/^(?:👩‍💻)+$/u)
    }
  })

  test('B22: a service that takes less than it says is asked with half, until it answers', async () => {
    const before = (texts: readonly string[]) => {
      if (countTokens(texts[0] ?? '') > 300) throw refusal('input-too-long', { status: 400 })
    }
    const provider = createFakeEmbedder({ countTokens, before })
    const answer = await ask(provider, `${'word '.repeat(2000)}question`)
    expect(answer).toMatchObject({ isShortened: true })
    const counts = provider.calls.map(([text = '']) => countTokens(text))
    expect(counts).toHaveLength(4)
    for (const [at, count] of counts.slice(1).entries()) {
      expect(count).toBeLessThanOrEqual((counts[at] ?? 0) / 2)
      expect(count).toBeGreaterThan((counts[at] ?? 0) * 0.45)
    }
    expect(provider.calls.at(-1)?.[0]?.endsWith(' question')).toBe(true)
  })

  test('B60: a query that is never answered ends in its own time and names the embedding call', async () => {
    const measured = async (isLocal: boolean, options: EmbedQueryOptions = {}): Promise<number> => {
      const clock = new VirtualClock()
      const provider = createFakeEmbedder({ isLocal, before: (_, __, request) => silence(request) })
      const startedMs = clock.now()
      await expect(ask(provider, 'a', { ...options, clock })).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/^fake \(sample\): no embeddings within/),
      })
      return clock.now() - startedMs
    }
    expect(await measured(false)).toBe(60_000)
    expect(await measured(true)).toBe(300_000)
    expect(await measured(false, { timeouts: { queryMs: 200 } })).toBe(200)
  })

  test('a blip is tried again, a service that wants a long rest is not waited for', async () => {
    const blip = createFakeEmbedder({
      before: (_, call) => {
        if (call === 1) throw refusal('unavailable', { status: 503 })
      },
    })
    expect((await ask(blip, 'a')).vector).toEqual(vectorOf('a'))
    const clock = new VirtualClock()
    const busy = createFakeEmbedder({ before: () => Promise.reject(refusal('rate-limit', { retryAfterMs: 34_000 })) })
    await expect(ask(busy, 'a', { clock })).rejects.toMatchObject({ code: 'rate-limit', retryAfterMs: 34_000 })
    expect({ calls: busy.calls.length, slept: clock.slept }).toEqual({ calls: 1, slept: [] })
  })

  test('an abort reaches the request', async () => {
    const clock = new VirtualClock()
    const controller = new AbortController()
    const provider = createFakeEmbedder({ before: (_, __, request) => silence(request) })
    clock.sleep(20).then(() => controller.abort('enough'))
    await expect(ask(provider, 'a', { clock, signal: controller.signal })).rejects.toBe('enough')
    await expect(ask(provider, 'a', { signal: AbortSignal.abort('before') })).rejects.toBe('before')
    expect(provider.calls).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })
})
