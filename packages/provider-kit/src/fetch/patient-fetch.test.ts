import { openAIWire, SECRET, startProtocolServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { patientFetch } from './patient-fetch.ts'
import { toProviderError } from '../failure/provider-failure.ts'

const init = {
  method: 'POST',
  headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'text-embedding-3-small', input: ['a'], dimensions: 2 }),
}

test.for(['whole', 'gzip', 'chunked', 'slow'] as const)('a %s answer is read', async (delivery) => {
  await using server = await startProtocolServer(openAIWire, { apiKey: SECRET })
  server.behave({ delivery })
  const response = await patientFetch()(`${server.baseUrl}/embeddings`, init)
  expect(await response.json()).toMatchObject({ object: 'list', model: 'text-embedding-3-small' })
  expect(response.headers.get('x-request-id')).toBeTruthy()
})

test('its patience is what it is told to be, and its end is an outage', async () => {
  await using server = await startProtocolServer(openAIWire, { apiKey: SECRET })
  server.behave({ delivery: 'silence' })
  const error = await patientFetch(100)(`${server.baseUrl}/embeddings`, init).catch((thrown: unknown) => thrown)
  const mapped = toProviderError(error, { provider: 'p', model: 'm', secrets: [], texts: [] })
  expect(mapped).toMatchObject({ code: 'unavailable', message: expect.stringContaining('UND_ERR_HEADERS_TIMEOUT') })
})

test('forms and requests go through the fetch that knows them', async () => {
  await using server = await startProtocolServer(openAIWire, { apiKey: SECRET })
  const form = new FormData()
  form.set('purpose', 'batch')
  await patientFetch()(`${server.baseUrl}/files`, { method: 'POST', body: form })
  await patientFetch()(new Request(`${server.baseUrl}/models`))
  expect(server.requests.map(({ headers, path }) => [path, headers['content-type']?.split(';')[0]])).toEqual([
    ['/v1/files', 'multipart/form-data'],
    ['/v1/models', undefined],
  ])
})
