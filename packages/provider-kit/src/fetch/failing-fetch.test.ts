import { ProviderError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { defineEmbeddingProvider } from '../define/define-embedding-provider.ts'
import { failingFetch } from './failing-fetch.ts'

const embedThrough = (fetch: typeof globalThis.fetch) =>
  defineEmbeddingProvider({
    space: { provider: 'acme', endpoint: null, model: 'one', requestedDimensions: null, variant: {} },
    limits: { maxInputs: 1, concurrency: 1 },
    traits: { isLocal: true },
    embed: async () => ({ embeddings: [{ values: await (await fetch('http://localhost')).json() }] }),
  }).embed({ inputs: [{ type: 'text', text: 'a' }], inputType: 'query' })

const answering = (body: string, init: ResponseInit) => async (): Promise<Response> => new Response(body, init)

test('a success goes through as it is', async () => {
  const { vectors } = await embedThrough(failingFetch(answering('[3, 4]', { status: 200 })))
  expect([...(vectors[0] ?? [])]).toEqual([Math.fround(0.6), Math.fround(0.8)])
})

test('a refusal keeps its status, headers and body, and what `refine` makes of them', async () => {
  const refused = answering('{"error":"busy","waitMs":7}', { status: 500, headers: { 'x-request-id': 'r-1' } })
  const fetch = failingFetch(refused, (failure) => ({ ...failure, retryAfterMs: 7 }))
  const error: unknown = await embedThrough(fetch).catch((thrown: unknown) => thrown)
  expect(ProviderError.isInstance(error)).toBe(true)
  expect(error).toMatchObject({ code: 'unavailable', status: 500, requestId: 'r-1', retryAfterMs: 7 })
  expect(String(error)).toContain('busy')
})
