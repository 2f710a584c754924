/** The server is as strict as the service: it refuses what the models refuse, in their words. */
import { expect, test } from 'vitest'
import { bedrockWire } from './bedrock-wire.ts'
import { type ProtocolServer, startProtocolServer } from '../protocol-server.ts'
import { sampleVector } from '../wire/sample-vector.ts'

const KEY = 'bedrock-key-for-tests'
const TITAN = 'amazon.titan-embed-text-v2:0'

async function invoke(server: ProtocolServer, model: string, body: unknown, key: string = KEY) {
  const response = await fetch(`${server.origin}/model/${encodeURIComponent(model)}/invoke`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

test('a good request is answered in the form of the model, with the tokens it counts in a header', async () => {
  await using server = await startProtocolServer(bedrockWire(), { apiKey: KEY })
  const titan = await invoke(server, TITAN, { inputText: 'a note', dimensions: 256 })
  expect(titan.body).toEqual({ embedding: sampleVector('a note', 256), inputTextTokenCount: 2 })
  expect(titan.headers.get('x-amzn-bedrock-input-token-count')).toBe('2')
  const cohere = await invoke(server, 'eu.cohere.embed-v4:0', { texts: ['a', 'b'], input_type: 'search_query' })
  expect(cohere.body).toMatchObject({ embeddings: { float: ['a', 'b'].map((text) => sampleVector(text, 1536)) } })
  expect(server.calls.map(({ inputType }) => inputType)).toEqual([undefined, 'query'])
})

test.for<readonly [string, string, unknown, RegExp]>([
  ['a field of another model', TITAN, { inputText: 'a', input_type: 'search_query' }, /extraneous key \[input_type\]/],
  ['a length it does not make', TITAN, { inputText: 'a', dimensions: 100 }, /dimensions/],
  ['an empty text', TITAN, { inputText: '' }, /minLength/],
  ['a long text', TITAN, { inputText: 'word '.repeat(9000) }, /Too many input tokens. Max input tokens: 8192/],
  ['no input type', 'cohere.embed-english-v3', { texts: ['a'] }, /required key \[input_type\] not found/],
  [
    'too many characters',
    'cohere.embed-english-v3',
    { texts: ['a', 'b'.repeat(2049)], input_type: 'search_query' },
    /#\/texts\/1: expected maxLength: 2048/,
  ],
  ['an unknown model', 'amazon.titan-embed-text-v9', { inputText: 'a' }, /model identifier is invalid/],
  [
    'a model of profiles only',
    'twelvelabs.marengo-embed-2-7-v1:0',
    { inputType: 'text', inputText: 'a' },
    /on-demand throughput/,
  ],
])('%s is a ValidationException, and no call is counted', async ([, model, body, words]) => {
  await using server = await startProtocolServer(bedrockWire(), { apiKey: KEY })
  const reply = await invoke(server, model, body)
  expect([reply.status, reply.headers.get('x-amzn-errortype')?.split(':')[0]]).toEqual([400, 'ValidationException'])
  expect(reply.body).toMatchObject({ message: expect.stringMatching(words) })
  expect(server.calls).toHaveLength(0)
})

test('a wrong key and a missing one are refused', async () => {
  await using server = await startProtocolServer(bedrockWire(), { apiKey: KEY })
  expect((await invoke(server, TITAN, { inputText: 'a' }, 'other')).status).toBe(403)
  const bare = await fetch(`${server.origin}/model/${TITAN}/invoke`, { method: 'POST', body: '{}' })
  expect([bare.status, bare.headers.get('x-amzn-errortype')]).toEqual([403, 'MissingAuthenticationTokenException'])
})
