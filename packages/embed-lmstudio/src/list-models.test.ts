import { lmStudioWire, type LMStudioWireSettings, type ProtocolServer, SECRET, startProtocolServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { listLMStudioModels } from './list-models.ts'

const start = (settings?: LMStudioWireSettings): Promise<ProtocolServer> =>
  startProtocolServer(lmStudioWire(settings), { apiKey: SECRET })

const NOMIC = {
  id: 'text-embedding-nomic-embed-text-v1.5',
  isEmbedding: true,
  isLoaded: true,
  loadedContextTokens: 2048,
  maxContextTokens: 2048,
}
const MODELS = [
  NOMIC,
  { id: 'text-embedding-bge-m3', isEmbedding: true, isLoaded: false, maxContextTokens: 8192 },
  { id: 'jina-embeddings-v3', isEmbedding: false, isLoaded: false, maxContextTokens: 8192 },
]

test.for(['v1', 'v0'] as const)('a server with the API %s lists models, loaded or not, with their contexts', async (api) => {
  await using server = await start({ api })
  expect(await listLMStudioModels({ baseUrl: `${server.origin}/v1` })).toEqual(MODELS)
  const paths = server.requests.map(({ method, path }) => `${method} ${path}`)
  expect(paths).toEqual(api === 'v1' ? ['GET /api/v1/models'] : ['GET /api/v1/models', 'GET /api/v0/models'])
})

test('a server without either, an older one or another one, says what is wanted', async () => {
  await using server = await start({ api: 'none' })
  await expect(listLMStudioModels({ baseUrl: server.origin })).rejects.toMatchObject({
    code: 'bad-response',
    message: expect.stringMatching(/^lmstudio \(list of models\).*LM Studio 0\.3\.6 or newer/),
  })
  await server.close()
  await expect(listLMStudioModels({ baseUrl: server.origin })).rejects.toMatchObject({ code: 'unavailable' })
})

test('behind a gateway that knows no such path it is the same', async () => {
  const fetch = async (): Promise<Response> => new Response('not here', { status: 404 })
  await expect(listLMStudioModels({ fetch })).rejects.toMatchObject({ code: 'bad-response' })
})

test('a token is sent; without one, a server that wants it says so, and its words do not show a wrong one', async () => {
  await using server = await start({ requiresKey: true })
  expect(await listLMStudioModels({ baseUrl: server.origin, apiKey: SECRET })).toHaveLength(3)
  await expect(listLMStudioModels({ baseUrl: server.origin })).rejects.toMatchObject({ code: 'auth', status: 401 })
  const fetch = async (): Promise<Response> => Response.json({ error: `no ${SECRET}` }, { status: 403 })
  const error: unknown = await listLMStudioModels({ fetch, apiKey: SECRET }).catch((thrown: unknown) => thrown)
  expect(String(error)).not.toContain(SECRET)
})

test('entries of a form not known are left out, and what is not told is absent', async () => {
  const models = [null, { type: 'embedding' }, { key: 'a', type: 'embedding', loaded_instances: [{ id: 'a', config: {} }] }]
  const fetch = async (): Promise<Response> => Response.json({ models })
  expect(await listLMStudioModels({ fetch })).toEqual([{ id: 'a', isEmbedding: true, isLoaded: true }])
})

test('a list is cancelled, and given up when its time is up', async () => {
  await using server = await start()
  const reason = new Error('no longer wanted')
  const baseUrl = server.origin
  await expect(listLMStudioModels({ baseUrl, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  server.behave({ delivery: 'silence' })
  await expect(listLMStudioModels({ baseUrl, timeoutMs: 50 })).rejects.toMatchObject({ code: 'unavailable' })
})

test('an address that cannot be is refused', async () => {
  await expect(async () => listLMStudioModels({ baseUrl: 'http://studio.example' })).rejects.toMatchObject({ code: 'config' })
})
