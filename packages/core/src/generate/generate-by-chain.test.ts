import { type GenerateReply, type GenerateRequest, ProviderError, type TextGenerator } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { VirtualClock } from '../../test/virtual-clock.ts'
import { sharedAllowance } from '../index/ledger/shared-allowance.ts'
import { createGeneratorChain, generateByChain } from './generate-by-chain.ts'

interface SampleGenerator extends TextGenerator {
  readonly requests: GenerateRequest[]
}

const STOP: GenerateReply = { text: 'a summary', finishReason: 'stop' }

function sample(
  model: string,
  answer: (request: GenerateRequest, call: number) => Promise<GenerateReply> = async () => STOP,
  traits: Partial<TextGenerator['traits']> = {},
): SampleGenerator {
  const requests: GenerateRequest[] = []
  return {
    specVersion: 'v1',
    provider: 'sample',
    endpoint: null,
    model,
    traits: { isLocal: false, ...traits },
    requests,
    generate: (request) => {
      requests.push(request)
      return answer(request, requests.length)
    },
  }
}

function failure(code: ProviderError['code'], more: { readonly retryAfterMs?: number } = {}): ProviderError {
  return new ProviderError(code, `sample: ${code}`, { provider: 'sample', ...more })
}

const fails = (code: ProviderError['code']) => async () => Promise.reject(failure(code))

const REQUEST: GenerateRequest = { system: 'Sum up.', prompt: 'Mara moved to Bergen.' }

function clocked(clock = new VirtualClock()) {
  return { clock, now: clock.now, sleep: clock.sleep, random: () => 0.5 }
}

test.each([
  'auth',
  'quota',
  'not-found',
  'unavailable',
  'rate-limit',
  'bad-response',
  'config',
  'tls',
  'refused-redirect',
] as const)('%s goes on to the next link, and the answer says so', async (code) => {
  const effects = clocked()
  const [first, second] = [sample('one', fails(code)), sample('two')]
  const links = createGeneratorChain([first, second], effects)
  const reply = await effects.clock.run(generateByChain(links, REQUEST, effects))
  expect(reply).toMatchObject({ text: 'a summary', link: { generator: { model: 'two' } } })
  expect(reply.degraded).toEqual([{ code: 'fallback-provider', message: `sample (two) answered: sample: ${code}` }])
  expect(first.requests).toHaveLength(code === 'unavailable' || code === 'rate-limit' ? 3 : 1)
})

test.each(['invalid-input', 'input-too-long'] as const)('%s is about the request: no other link is asked', async (code) => {
  const second = sample('two')
  const links = createGeneratorChain([sample('one', fails(code)), second])
  await expect(generateByChain(links, REQUEST)).rejects.toMatchObject({ code })
  expect(second.requests).toEqual([])
  expect(links[0]?.breaker.phase).toBe('closed')
})

test.each(['length', 'refused', 'filtered'] as const)('%s is an answer, and asked for once', async (finishReason) => {
  const first = sample('one', async () => ({ text: '', finishReason }))
  const reply = await generateByChain(createGeneratorChain([first, sample('two')]), REQUEST)
  expect(reply).toMatchObject({ finishReason, degraded: [] })
  expect(first.requests).toHaveLength(1)
})

test('with a schema, links that honour none are passed over, and named', async () => {
  const plain = sample('plain', undefined, { hasSchema: false })
  const links = createGeneratorChain([plain, sample('strict')])
  const request = { ...REQUEST, schema: { type: 'object' } }
  const reply = await generateByChain(links, request)
  expect(reply.degraded).toMatchObject([{ message: expect.stringContaining('sample (plain): it honours no schema') }])
  expect((await generateByChain(links, REQUEST)).link.generator.model).toBe('plain')
  await expect(generateByChain(links.slice(0, 1), request)).rejects.toMatchObject({ code: 'invalid-input' })
  expect(plain.requests).toHaveLength(1)
})

test('a service that asks for a pause gets it before the retry', async () => {
  const effects = clocked()
  const first = sample('one', async (_, call) => {
    if (call === 1) throw failure('rate-limit', { retryAfterMs: 7_000 })
    return STOP
  })
  const before = effects.clock.now()
  await effects.clock.run(generateByChain(createGeneratorChain([first], effects), REQUEST, effects))
  expect([first.requests.length, effects.clock.now() - before]).toEqual([2, 7_500])
})

test('a dead link rests: the next request goes past it, until the rest is over', async () => {
  const effects = clocked()
  const first = sample('one', fails('auth'))
  const links = createGeneratorChain([first, sample('two')], effects)
  await generateByChain(links, REQUEST, effects)
  const reply = await generateByChain(links, REQUEST, effects)
  expect(reply.degraded[0]?.message).toContain('rests after a failure')
  expect(first.requests).toHaveLength(1)
  effects.clock.pass(31_000)
  await generateByChain(links, REQUEST, effects)
  expect(first.requests).toHaveLength(2)
})

test('a silent one is given up after its time, and the caller ends every wait', async () => {
  const effects = clocked()
  const silent = sample('one', () => new Promise(() => {}))
  const links = createGeneratorChain([silent], effects)
  const late = effects.clock.run(generateByChain(links, REQUEST, { ...effects, timeoutMs: 500, attempts: 1 }))
  await expect(late).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('no answer within 500 ms') })
  const controller = new AbortController()
  const other = createGeneratorChain([silent], effects)
  const ended = generateByChain(other, { ...REQUEST, signal: controller.signal }, effects)
  controller.abort(new Error('enough'))
  await expect(ended).rejects.toThrow('enough')
  expect(other[0]?.breaker.state.failures).toBe(0)
})

test('where no link answers, the first error is told; without any, what to do', async () => {
  const links = createGeneratorChain([sample('one', fails('auth')), sample('two', fails('quota'))])
  await expect(generateByChain(links, REQUEST)).rejects.toMatchObject({ code: 'auth' })
  await expect(generateByChain([], REQUEST)).rejects.toMatchObject({ code: 'config' })
  expect(() => createGeneratorChain([Object({ model: 'x' })])).toThrow('traits.isLocal')
  const odd = createGeneratorChain([sample('odd', async () => Object({ text: '', finishReason: 'stop' }))])
  await expect(generateByChain(odd, REQUEST)).rejects.toMatchObject({ code: 'bad-response' })
})

test("the day's tokens are counted, and over the cap nothing is sent", async () => {
  const effects = clocked()
  const allowance = sharedAllowance({ store: createInMemoryStore(), kind: 'generate', limit: 100, timeZone: 'UTC', ...effects })
  const usage = { inputTokens: 60, outputTokens: 35 }
  const first = sample('one', async () => ({ ...STOP, usage }))
  const links = createGeneratorChain([first], effects)
  await effects.clock.run(generateByChain(links, REQUEST, { ...effects, allowance }))
  await expect(generateByChain(links, REQUEST, { ...effects, allowance })).rejects.toMatchObject({
    code: 'quota',
    message: expect.stringContaining("today's 100 tokens"),
  })
  expect(first.requests).toHaveLength(1)
})

test('an answer that cannot be used counts as well, one that never came does not', async () => {
  const used: number[] = []
  const allowance = { limit: 1_000, take: async () => true, settle: (_taken: number, tokens: number) => used.push(tokens) }
  const usage = { inputTokens: 60, outputTokens: 35 }
  const sound = sample('sound', async () => ({ ...STOP, usage }))
  const ask = (first: TextGenerator) => generateByChain(createGeneratorChain([first, sound]), REQUEST, { allowance })
  await ask(sample('away', fails('auth')))
  await ask(sample('odd', async () => Object({ text: '', finishReason: 'stop' })))
  const [withoutAnswer, withUnusable = 0] = used
  expect(withoutAnswer).toBe(95)
  expect(withUnusable).toBeGreaterThan(95)
})
