import { type EmbeddingProvider, ProviderError, type ProviderErrorCode } from '@mnemark/spec'
import {
  type OpenAICompatibleWireSettings,
  openaiCompatibleWire,
  type ProtocolServer,
  recordOf,
  startProtocolServer,
} from '@mnemark/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { textInput } from '../../test/fake-embedder.ts'
import { embedAll } from './embed-each.ts'
import type { EmbedOptions } from './embed-options.ts'
import { embedQuery } from './chain/embed-query.ts'

const CODES: Readonly<Record<number, ProviderErrorCode>> = {
  401: 'auth',
  402: 'quota',
  404: 'not-found',
  413: 'input-too-long',
  422: 'invalid-input',
  429: 'rate-limit',
}

/** A minimal provider for a real server: one request, errors by status, lost connections as fetch throws them. */
function wireProvider(server: ProtocolServer, limits: Partial<EmbeddingProvider['limits']> = {}): EmbeddingProvider {
  return {
    specVersion: 'v1',
    space: { provider: 'wire', endpoint: server.baseUrl, model: 'sample-embed', requestedDimensions: null, variant: {} },
    limits: { maxInputs: 32, concurrency: 2, ...limits },
    modalities: ['text'],
    traits: { isLocal: false, vectorWeight: 0.7 },
    async embed({ inputs, signal }) {
      const input = inputs.map((each) => (each.type === 'text' ? each.text : each.label))
      const response = await fetch(`${server.baseUrl}/embeddings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'sample-embed', input }),
        ...(signal === undefined ? {} : { signal }),
      })
      if (!response.ok) throw failureOf(response)
      return readAnswer(await response.json())
    },
  }
}

function failureOf({ status, headers }: Response): ProviderError {
  const seconds = headers.get('retry-after')
  const hint = seconds === null ? {} : { retryAfterMs: Number(seconds) * 1000 }
  return new ProviderError(CODES[status] ?? (status < 500 ? 'invalid-input' : 'unavailable'), `HTTP ${status}`, {
    provider: 'wire',
    status,
    ...hint,
  })
}

function readAnswer(body: unknown): Awaited<ReturnType<EmbeddingProvider['embed']>> {
  const data = recordOf(body)?.['data']
  const vectors = (Array.isArray(data) ? data : []).map((entry: unknown) => {
    const embedding = recordOf(entry)?.['embedding']
    return Float32Array.from(Array.isArray(embedding) ? embedding.map(Number) : [])
  })
  const inputTokens = recordOf(recordOf(body)?.['usage'])?.['total_tokens']
  return { vectors, ...(typeof inputTokens === 'number' ? { usage: { inputTokens } } : {}) }
}

async function start(settings: OpenAICompatibleWireSettings = {}): Promise<ProtocolServer> {
  const server = await startProtocolServer(openaiCompatibleWire(settings))
  onTestFinished(() => server.close())
  return server
}

/** Waits are over at once and recorded; a time-out never comes. */
function quickTime() {
  const waits: number[] = []
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    if (ms >= 60_000)
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }))
    waits.push(ms)
    return Promise.resolve()
  }
  let nowMs = 0
  // Time passes with each look, so that pauses end.
  return { waits, effects: { sleep, now: () => (nowMs += 1000), random: () => 0.5 } }
}

const notes = (count: number): string[] => Array.from({ length: count }, (_, index) => `note ${index}`)

function embed(provider: EmbeddingProvider, texts: readonly string[], options: Partial<EmbedOptions> = {}) {
  return embedAll(provider, texts.map(textInput), { inputType: 'document', ...quickTime().effects, ...options })
}

const statuses = (results: readonly { readonly status: string }[]): string[] => results.map(({ status }) => status)

test('B54: an unlisted limit of ten inputs a request is learnt from its refusals, and every text is sent', async () => {
  const server = await start({ maxInputs: 10 })
  const { results, learnt, usage } = await embed(wireProvider(server, { concurrency: 1 }), notes(100))
  expect(new Set(statuses(results))).toEqual(new Set(['embedded']))
  expect(learnt.maxInputs).toBe(8)
  expect(server.calls.flatMap(({ texts }) => texts)).toEqual(notes(100))
  expect(usage).toEqual({ inputTokens: 200, isComplete: true })
})

test('each text has the vector that the server gave it', async () => {
  const server = await start()
  const { results } = await embed(wireProvider(server, { maxInputs: 7, concurrency: 4 }), notes(50))
  const alone = await embed(wireProvider(server, { maxInputs: 1 }), notes(50))
  expect(results).toEqual(alone.results)
  expect(server.requests).toHaveLength(8 + 50)
})

test('B64: a 429 with a hint holds all workers back, and nothing is asked twice that was answered', async () => {
  const server = await start()
  const { waits, effects } = quickTime()
  const seen: string[] = []
  const [limit] = openaiCompatibleWire().failures['rate-limit'].filter(({ retryAfterMs }) => retryAfterMs === 20_000)
  let isBusy = true
  server.behave({
    bend: (reply) => {
      if (!isBusy || server.requests.length < 3 || limit === undefined) return reply
      isBusy = false
      return limit.reply
    },
  })
  const { results, requests } = await embed(wireProvider(server, { maxInputs: 5, concurrency: 2 }), notes(40), effects)
  for (const { texts } of server.calls) seen.push(...texts)
  expect(new Set(statuses(results))).toEqual(new Set(['embedded']))
  expect(requests).toBe(9)
  expect(Math.max(...waits)).toBeGreaterThanOrEqual(18_000)
  expect(seen.length).toBe(45)
})

test.each(['reset', 'cut'] as const)('B66: a connection that is lost (%s) is tried again', async (delivery) => {
  const server = await start()
  server.behave({ delivery })
  const provider = wireProvider(server)
  const once = {
    ...provider,
    embed: (request: Parameters<EmbeddingProvider['embed']>[0]) => provider.embed(request).finally(() => server.behave({})),
  }
  const { results, requests } = await embed(once, notes(3))
  expect({ statuses: statuses(results), requests }).toEqual({ statuses: ['embedded', 'embedded', 'embedded'], requests: 2 })
})

test('B66: a server that fails for good after two requests keeps their results, and the rest is for the next run', async () => {
  const server = await start()
  server.behave({ bend: (reply) => (server.requests.length > 2 ? { status: 503, body: '' } : reply) })
  const { results, stoppedBy } = await embed(wireProvider(server, { maxInputs: 1, concurrency: 1 }), notes(10))
  expect(statuses(results)).toEqual(['embedded', 'embedded', ...Array.from({ length: 8 }, () => 'unreached')])
  expect(stoppedBy).toMatchObject({ code: 'unavailable', status: 503 })
  server.behave({})
  const missing = results.flatMap(({ status, index }) => (status === 'unreached' ? [`note ${index}`] : []))
  const next = await embed(wireProvider(server), missing)
  expect(next).toMatchObject({ embedded: 8, requests: 1 })
})

test('B23: the one text that a server refuses fails alone', async () => {
  const server = await start()
  server.behave({
    bend: (reply) => (server.calls.at(-1)?.texts.includes('note 21') ? { status: 400, body: { detail: 'no' } } : reply),
  })
  const { results, stoppedBy } = await embed(wireProvider(server, { concurrency: 1 }), notes(60))
  expect(statuses(results).flatMap((status, index) => (status === 'embedded' ? [] : [index]))).toEqual([21])
  expect(stoppedBy).toBeUndefined()
})

test('B60: a server that never answers ends the query in its own time, and the request is given up', async () => {
  const server = await start()
  server.behave({ delivery: 'silence' })
  const gone = server.departure()
  const asked = embedQuery(wireProvider(server), 'a question', { timeouts: { queryMs: 50 } })
  await expect(asked).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('no embeddings within 50 ms'),
  })
  await gone
})

test('B60: an abort during indexing reaches the server', async () => {
  const server = await start()
  server.behave({ delivery: 'silence' })
  const controller = new AbortController()
  const gone = server.departure()
  const arrived = server.arrival()
  const work = embed(wireProvider(server, { concurrency: 1 }), notes(100), { signal: controller.signal })
  await arrived
  controller.abort('enough')
  await expect(work).rejects.toBe('enough')
  await gone
  expect(server.requests).toHaveLength(1)
})

test('1,000 chunks cost a full server few requests', async () => {
  const server = await start({ maxInputs: 2048 })
  const limits = { maxInputs: 2048, maxInputTokens: 8192, maxRequestTokens: 300_000, concurrency: 4 }
  const chunks = notes(1000).map((note) => `${note} ${'some words of a note. '.repeat(60)}`)
  const { requests, embedded } = await embed(wireProvider(server, limits), chunks)
  expect(embedded).toBe(1000)
  expect(requests).toBeLessThanOrEqual(4)
})
