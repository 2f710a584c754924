import { type GenerateRequest, ProviderError } from '@mnemark/spec'
import { expect, test, vi } from 'vitest'
import { defineTextGenerator, type RawGenerateReply, type TextGeneratorDefinition } from './define-text-generator.ts'

const request: GenerateRequest = { system: 'Summarise.', prompt: 'Mara moved to Bergen.' }
const stopped: RawGenerateReply = { text: 'Mara lives in Bergen.', finishReason: 'stop', inputTokens: 9, outputTokens: 5 }
const definition: TextGeneratorDefinition = {
  provider: 'acme',
  endpoint: 'https://acme.example/v1',
  model: 'acme-chat',
  traits: { isLocal: false },
  generate: async () => stopped,
}
const answering = (reply: Partial<RawGenerateReply>) =>
  defineTextGenerator({ ...definition, generate: async () => ({ ...stopped, ...reply }) })

async function errorOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.catch((thrown: unknown) => thrown)
  if (!ProviderError.isInstance(error)) throw new TypeError('not a ProviderError', { cause: error })
  return error
}

test('a generator is frozen, says who it is, and hides what it was made of', async () => {
  const generator = defineTextGenerator({ ...definition, secrets: ['sk-secret'] })
  expect(generator).toMatchObject({ specVersion: 'v1', provider: 'acme', model: 'acme-chat', traits: { isLocal: false } })
  expect(Object.isFrozen(generator) && Object.isFrozen(generator.traits)).toBe(true)
  expect(JSON.stringify(generator)).not.toContain('sk-secret')
  expect('close' in generator || 'countTokens' in generator || 'contextWindow' in generator).toBe(false)
  expect(await generator.generate(request)).toEqual({
    text: 'Mara lives in Bergen.',
    finishReason: 'stop',
    usage: { inputTokens: 9, outputTokens: 5 },
  })
})

test.for([
  { model: ' ' },
  { contextWindow: 0 },
  { maxOutputTokens: 1.5 },
  { timeoutMs: Number.NaN },
  { traits: { isLocal: false, usdPerMillionInput: -1 } },
  { traits: { isLocal: false, usdPerMillionOutput: Number.NaN } },
])('%o cannot be made', (wrong) => {
  expect(() => defineTextGenerator({ ...definition, ...wrong })).toThrow(expect.objectContaining({ code: 'config' }))
})

test('what is no request is a TypeError, what would fail is refused, and nothing is sent', async () => {
  const generate = vi.fn<TextGeneratorDefinition['generate']>(definition.generate)
  const countTokens = (text: string): number => text.split(' ').length
  const generator = defineTextGenerator({ ...definition, generate, countTokens, contextWindow: 6 })
  const without = defineTextGenerator({ ...definition, generate, traits: { isLocal: true, hasSchema: false } })
  // As a caller without types passes them.
  for (const wrong of [{ prompt: undefined }, { system: 1 }, { schema: [] }])
    await expect(generator.generate({ ...request, ...(wrong as object) })).rejects.toBeInstanceOf(TypeError)
  for (const wrong of [{ prompt: ' \n' }, { maxOutputTokens: 0 }])
    expect(await errorOf(generator.generate({ ...request, ...wrong }))).toMatchObject({ code: 'invalid-input' })
  const schema = { type: 'object' }
  expect(await errorOf(without.generate({ ...request, schema }))).toMatchObject({ code: 'invalid-input' })
  expect(await errorOf(generator.generate({ ...request, prompt: 'a b c d e' }))).toMatchObject({ code: 'input-too-long' })
  expect(generate).not.toHaveBeenCalled()
  await generator.generate({ ...request, prompt: 'a b c d' })
  expect(generate).toHaveBeenCalledOnce()
})

test('the lower limit of the answer reaches the adapter, with well-formed texts', async () => {
  const generate = vi.fn<TextGeneratorDefinition['generate']>(definition.generate)
  const generator = defineTextGenerator({ ...definition, generate, maxOutputTokens: 100 })
  await generator.generate({ system: '', prompt: 'half \ud800', maxOutputTokens: 500 })
  await generator.generate({ ...request, maxOutputTokens: 50 })
  expect(generate.mock.calls.map(([raw]) => raw.maxOutputTokens)).toEqual([100, 50])
  expect(generate.mock.calls[0]?.[0]).toMatchObject({ system: '', prompt: 'half �' })
})

test('an answer that did not stop by itself is told, may be empty, and is not held against a schema', async () => {
  for (const finishReason of ['length', 'refused', 'filtered'] as const) {
    const reply = await answering({ text: null, finishReason }).generate({ ...request, schema: { type: 'object' } })
    expect(reply).toMatchObject({ text: '', finishReason })
  }
})

test.for([
  { text: null },
  { text: '  \n' },
  { text: 7 },
  { text: 'x'.repeat(10 * 2 ** 20 + 1) },
  { finishReason: undefined },
] as const)('an answer that cannot be used is a bad response, case %#', async (reply) => {
  const error = await errorOf(answering(reply).generate(request))
  expect(error).toMatchObject({ code: 'bad-response', provider: 'acme' })
  expect(error.message).toContain('chat service')
})

test('an answer that was cut within a character is well-formed', async () => {
  const { text } = await answering({ text: 'a smile \ud83d', finishReason: 'length' }).generate(request)
  expect(text).toBe('a smile \ufffd')
})

test('usage is two counts or absent', async () => {
  for (const [counted, usage] of [
    [{ outputTokens: 0 }, { inputTokens: 9, outputTokens: 0 }],
    [{ inputTokens: 0 }, undefined],
    [{ inputTokens: '9' }, undefined],
    [{ outputTokens: undefined }, undefined],
  ] as const)
    expect((await answering(counted).generate(request)).usage).toEqual(usage)
})

test("an adapter's settings and the schema that was given stay as they are", async () => {
  const schema = Object.freeze({ type: 'object', properties: Object.freeze({ name: Object.freeze({ type: 'string' }) }) })
  await answering({ text: '{"name":"Mara"}' }).generate({ ...request, schema })
  expect(Reflect.ownKeys(schema)).toEqual(['type', 'properties'])
})

test('an adapter that never answers ends with its own time-out; the signal of the caller rejects with its reason', async () => {
  const never = (): Promise<never> => new Promise(() => {})
  const late = defineTextGenerator({ ...definition, timeoutMs: 20, generate: never })
  expect(await errorOf(late.generate(request))).toMatchObject({ code: 'unavailable', isRetryable: true })
  const signal = AbortSignal.timeout(20)
  const patient = defineTextGenerator({ ...definition, generate: never })
  await expect(patient.generate({ ...request, signal })).rejects.toSatisfy((error) => error === signal.reason)
})

test('it is closed once', async () => {
  const close = vi.fn<() => Promise<void>>(async () => {})
  const generator = defineTextGenerator({ ...definition, close })
  await Promise.all([generator.close?.(), generator[Symbol.asyncDispose]()])
  expect(close).toHaveBeenCalledOnce()
})
