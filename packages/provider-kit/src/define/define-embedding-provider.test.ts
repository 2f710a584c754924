import type { EmbeddingRequest } from '@mnemark/spec'
import { ProviderError } from '@mnemark/spec'
import { expect, test, vi } from 'vitest'
import {
  defineEmbeddingProvider,
  type EmbeddingProviderDefinition,
  type RawEmbeddingRequest,
} from './define-embedding-provider.ts'

const definition: EmbeddingProviderDefinition = {
  space: { provider: 'acme', endpoint: null, model: 'acme-1', requestedDimensions: null, variant: {} },
  limits: { maxInputs: 3, concurrency: 1 },
  traits: { isLocal: true },
  embed: async ({ texts }) => ({ embeddings: texts.map((text) => ({ values: [text.length, 1] })), inputTokens: 5 }),
}

const requestOf = (...texts: readonly string[]): EmbeddingRequest => ({
  inputs: texts.map((text) => ({ type: 'text', text })),
  inputType: 'document',
})

async function errorOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.catch((thrown: unknown) => thrown)
  if (!ProviderError.isInstance(error)) throw new TypeError('not a ProviderError', { cause: error })
  return error
}

test('a provider is frozen, has text and a weight by default, and hides what it was made of', () => {
  const provider = defineEmbeddingProvider({ ...definition, secrets: ['sk-secret'] })
  expect(provider).toMatchObject({ specVersion: 'v1', modalities: ['text'], traits: { isLocal: true, vectorWeight: 0.7 } })
  expect(Object.isFrozen(provider) && Object.isFrozen(provider.space) && Object.isFrozen(provider.limits)).toBe(true)
  expect(JSON.stringify(provider)).not.toContain('sk-secret')
  expect('close' in provider || 'countTokens' in provider || 'batch' in provider).toBe(false)
})

test.for([
  { limits: { maxInputs: 0, concurrency: 1 } },
  { limits: { maxInputs: 1, concurrency: 1.5 } },
  { space: { ...definition.space, model: ' ' } },
  { space: { ...definition.space, requestedDimensions: -1 } },
  { timeoutMs: Number.NaN },
])('%o cannot be made', async (wrong) => {
  expect(() => defineEmbeddingProvider({ ...definition, ...wrong })).toThrow(expect.objectContaining({ code: 'config' }))
})

test.for([
  [undefined, 'a list, got undefined'],
  ['a text', 'a list, got a string'],
  [[{ type: 'text', text: 'a' }, 'b'], 'inputs[1] must be'],
  [[{ type: 'text' }], 'got an object of another form'],
  [[{ type: 'media', mime: 'image/png', bytes: [1], label: 'a' }], 'inputs[0] must be'],
  [[null], 'got null'],
] as const)('inputs that are none are a TypeError that says so, and nothing is sent: %o', async ([inputs, words]) => {
  const embed = vi.fn<EmbeddingProviderDefinition['embed']>(definition.embed)
  const provider = defineEmbeddingProvider({ ...definition, embed })
  // As a caller without types may pass them.
  const request = { inputs, inputType: 'document' } as unknown as EmbeddingRequest
  const error = await provider.embed(request).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TypeError)
  expect(String(error)).toContain(words)
  expect(embed).not.toHaveBeenCalled()
})

test('usage is a count or absent', async () => {
  for (const [inputTokens, usage] of [
    [7, { inputTokens: 7 }],
    [0, undefined],
    [Number.NaN, undefined],
    ['7', undefined],
    [undefined, undefined],
  ]) {
    const provider = defineEmbeddingProvider({
      ...definition,
      embed: async () => ({ embeddings: [{ values: [1] }], inputTokens }),
    })
    expect((await provider.embed(requestOf('a'))).usage).toEqual(usage)
  }
})

test('requests over a limit are refused before the adapter is asked', async () => {
  const embed = vi.fn<typeof definition.embed>(definition.embed)
  const limits = { maxInputs: 3, maxRequestBytes: 60, maxInputTokens: 4, maxRequestTokens: 6, concurrency: 1 }
  const provider = defineEmbeddingProvider({ ...definition, limits, embed, countTokens: (text) => text.split(' ').length })
  expect(await errorOf(provider.embed(requestOf('a', 'b', 'c', 'd')))).toMatchObject({ code: 'invalid-input' })
  expect(await errorOf(provider.embed(requestOf('a', 'x'.repeat(70))))).toMatchObject({
    code: 'input-too-long',
    inputIndexes: [1],
  })
  expect(await errorOf(provider.embed(requestOf('"'.repeat(31))))).toMatchObject({ code: 'input-too-long' })
  expect(await errorOf(provider.embed(requestOf('a', 'b c d e f')))).toMatchObject({ code: 'input-too-long', inputIndexes: [1] })
  expect(await errorOf(provider.embed(requestOf('a b c', 'd e f g')))).toMatchObject({ code: 'input-too-long' })
  expect(embed).not.toHaveBeenCalled()
  await provider.embed(requestOf('a b c', 'd e f'))
  expect(embed).toHaveBeenCalledOnce()
})

test('what a provider cannot embed is refused by position', async () => {
  const picture = { type: 'media', mime: 'image/png', bytes: new Uint8Array(3), label: 'a picture' } as const
  const request: EmbeddingRequest = { inputs: [{ type: 'text', text: 'a' }, picture], inputType: 'document' }
  expect(await errorOf(defineEmbeddingProvider(definition).embed(request))).toMatchObject({
    code: 'invalid-input',
    inputIndexes: [1],
  })
  const seen: RawEmbeddingRequest[] = []
  const embed: typeof definition.embed = async (raw) => {
    seen.push(raw)
    return { embeddings: raw.inputs.map(() => ({ values: [1] })) }
  }
  await defineEmbeddingProvider({ ...definition, modalities: ['text', 'image'], embed }).embed(request)
  expect(seen[0]?.inputs).toEqual(request.inputs)
})

test('an input type that is none is refused', async () => {
  // A caller without types may pass anything.
  const request = { ...requestOf('a'), inputType: 'passage' as never }
  expect(await errorOf(defineEmbeddingProvider(definition).embed(request))).toMatchObject({ code: 'invalid-input' })
})

const never = (): Promise<never> => new Promise(() => {})

test('B60: an adapter that never answers ends with its own time-out, as unavailable', async () => {
  const error = await errorOf(defineEmbeddingProvider({ ...definition, timeoutMs: 20, embed: never }).embed(requestOf('a')))
  expect(error).toMatchObject({ code: 'unavailable', isRetryable: true })
  expect(error.message).toContain('no embeddings within 20 ms')
})

test("B60: the caller's time-out is a cancellation, rejects with its reason, and reaches the adapter", async () => {
  const signals: AbortSignal[] = []
  const embed = ({ signal }: RawEmbeddingRequest): Promise<never> => {
    signals.push(signal)
    return never()
  }
  const signal = AbortSignal.timeout(20)
  const provider = defineEmbeddingProvider({ ...definition, timeoutMs: 60_000, embed })
  await expect(provider.embed({ ...requestOf('a'), signal })).rejects.toSatisfy((error) => error === signal.reason)
  expect(signals[0]?.aborted).toBe(true)
})

test('a failure that comes before the time is up is that failure', async () => {
  const embed = (): Promise<never> => Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
  const error = await errorOf(defineEmbeddingProvider({ ...definition, timeoutMs: 60_000, embed }).embed(requestOf('a')))
  expect(error.message).toContain('ECONNRESET')
})

test('a call leaves no listener on its signal', async () => {
  const { signal } = new AbortController()
  const add = vi.spyOn(signal, 'addEventListener')
  await defineEmbeddingProvider(definition).embed({ ...requestOf('a'), signal })
  expect(add).not.toHaveBeenCalled()
})

test('what is closed twice is closed once', async () => {
  const close = vi.fn<() => Promise<void>>(async () => {})
  const provider = defineEmbeddingProvider({ ...definition, close })
  await Promise.all([provider.close?.(), provider.close?.()])
  expect(close).toHaveBeenCalledOnce()
})

test('confidence is one number from 0 to 1 per input', async () => {
  const withConfidence = (confidence: readonly number[]) =>
    defineEmbeddingProvider({ ...definition, embed: async () => ({ embeddings: [{ values: [1] }], confidence }) }).embed(
      requestOf('a'),
    )
  expect((await withConfidence([0.5])).confidence).toEqual([0.5])
  for (const wrong of [[], [1.1], [Number.NaN], [0.1, 0.2]])
    expect(await errorOf(withConfidence(wrong))).toMatchObject({ code: 'bad-response' })
})
