/** Credentials and region are read late, only from the configured places. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BEDROCK_ACCESS_KEY_ID, bedrockWire, type ProtocolServer, SECRET, startProtocolServer } from '@mnemark/testkit'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBedrock } from './create.ts'
import type { BedrockCredentials } from '@mnemark/bedrock-access'
import type { BedrockEmbeddingOptions } from './options.ts'

const request = { inputs: [{ type: 'text', text: 'a note' }], inputType: 'document' } as const
const credentials: BedrockCredentials = { accessKeyId: BEDROCK_ACCESS_KEY_ID, secretAccessKey: SECRET }
const start = (): Promise<ProtocolServer> => startProtocolServer(bedrockWire(), { apiKey: SECRET })

let folder = ''

beforeEach(() => {
  for (const name of Object.keys(process.env).filter((each) => each.startsWith('AWS_'))) vi.stubEnv(name, undefined)
  folder = mkdtempSync(join(tmpdir(), 'bedrock-'))
  // Missing unless a test writes them; otherwise the SDK would read the user's home folder.
  vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'))
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'))
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const keysIn = (profile: string): string =>
  `[${profile}]\naws_access_key_id = ${credentials.accessKeyId}\naws_secret_access_key = ${credentials.secretAccessKey}\n`

/** The metadata service of a machine with a role. */
async function startMetadata() {
  const requests: string[] = []
  const server = createServer((incoming, response) => {
    requests.push(`${incoming.method} ${incoming.url}`)
    const isRole = incoming.url?.endsWith('/iam/security-credentials/')
    const { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey } = credentials
    const Expiration = new Date(Date.now() + 3_600_000).toISOString()
    const keys = JSON.stringify({ Code: 'Success', AccessKeyId, SecretAccessKey, Token: 'session', Expiration })
    response.end(incoming.method === 'PUT' ? 'token' : isRole ? 'reader' : keys)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // An address object, since it listens on a port.
  vi.stubEnv('AWS_EC2_METADATA_SERVICE_ENDPOINT', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return { requests, [Symbol.dispose]: () => void server.close().closeAllConnections() }
}

test('B55: without any AWS settings a provider is made, and the first call says what to set', async () => {
  using metadata = await startMetadata()
  const fetched = vi.fn<typeof fetch>()
  const provider = createBedrock({ region: 'us-east-1', fetch: fetched })
  await expect(provider.embed(request)).rejects.toMatchObject({
    code: 'auth',
    isRetryable: false,
    message: expect.stringContaining('AWS_ACCESS_KEY_ID'),
  })
  expect(fetched).not.toHaveBeenCalled()
  expect(metadata.requests).toEqual([])
})

test('the metadata service of the machine is asked only where it was asked for, not even for a region', async () => {
  using metadata = await startMetadata()
  vi.stubEnv('AWS_DEFAULTS_MODE', 'auto')
  await using server = await start()
  const options = { baseUrl: server.origin, region: 'us-east-1' }
  await expect(createBedrock(options).embed(request)).rejects.toMatchObject({ code: 'auth' })
  await createBedrock({ ...options, credentials }).embed(request)
  expect(metadata.requests).toEqual([])
  await createBedrock({ ...options, instanceMetadata: true }).embed(request)
  expect(metadata.requests).toContain('GET /latest/meta-data/iam/security-credentials/reader')
  expect(server.requests[1]?.headers).toMatchObject({ 'x-amz-security-token': 'session' })
})

test('B55: credentials but no region: the message is about the region, and nothing is sent', async () => {
  const fetched = vi.fn<typeof fetch>()
  await expect(createBedrock({ credentials, fetch: fetched }).embed(request)).rejects.toMatchObject({
    code: 'config',
    message: expect.stringMatching(/no AWS region is set.*Set region, AWS_REGION/),
  })
  expect(fetched).not.toHaveBeenCalled()
})

test('a constructor looks at nothing: what is set afterwards counts', async () => {
  await using server = await start()
  const provider = createBedrock({ baseUrl: server.origin })
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', SECRET)
  vi.stubEnv('AWS_REGION', 'ap-southeast-2')
  await provider.embed(request)
  expect(server.requests[0]?.headers['authorization']).toContain('/ap-southeast-2/bedrock/')
})

const options = (server: ProtocolServer): BedrockEmbeddingOptions => ({ baseUrl: server.origin })

test('a profile has keys and a region, named by an option or the environment, and comes before keys of the environment', async () => {
  writeFileSync(join(folder, 'credentials'), keysIn('work'))
  writeFileSync(join(folder, 'config'), '[profile work]\nregion = eu-west-3\n')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAOFSOMETHINGELSE0')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'of something else')
  await using server = await start()
  await createBedrock({ ...options(server), profile: 'work' }).embed(request)
  vi.stubEnv('AWS_PROFILE', 'work')
  await createBedrock(options(server)).embed(request)
  for (const { headers } of server.requests) expect(headers['authorization']).toContain('/eu-west-3/bedrock/')
  expect(server.calls).toHaveLength(2)
})

test('a profile without keys is an error, and nobody else is taken in its place', async () => {
  await using server = await start()
  await using keys = await startProtocolServer({ ...bedrockWire(), read: () => ({ status: 200, body: {} }) })
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${keys.origin}/role`)
  const provider = createBedrock({ ...options(server), region: 'us-east-1', profile: 'not-there' })
  await expect(provider.embed(request)).rejects.toMatchObject({ code: 'auth' })
  expect([server.requests, keys.requests]).toEqual([[], []])
})

test('a key of the environment is taken first, unless something else was given; an empty one is none', async () => {
  vi.stubEnv('AWS_BEARER_TOKEN_BEDROCK', SECRET)
  vi.stubEnv('AWS_REGION', 'us-east-1')
  await using server = await start()
  await createBedrock(options(server)).embed(request)
  await createBedrock({ ...options(server), credentials }).embed(request)
  vi.stubEnv('AWS_BEARER_TOKEN_BEDROCK', ' ')
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', SECRET)
  await createBedrock(options(server)).embed(request)
  const schemes = server.requests.map(({ headers }) => headers['authorization']?.split(' ')[0])
  expect(schemes).toEqual(['Bearer', 'AWS4-HMAC-SHA256', 'AWS4-HMAC-SHA256'])
})

test('AWS_DEFAULT_REGION counts where nothing else names a region', async () => {
  vi.stubEnv('AWS_DEFAULT_REGION', 'ca-central-1')
  await using server = await start()
  await createBedrock({ ...options(server), credentials }).embed(request)
  vi.stubEnv('AWS_REGION', 'sa-east-1')
  await createBedrock({ ...options(server), credentials }).embed(request)
  const regions = server.requests.map(({ headers }) => /\/([a-z0-9-]+)\/bedrock\//.exec(headers['authorization'] ?? '')?.[1])
  expect(regions).toEqual(['ca-central-1', 'sa-east-1'])
})

test('B72: a region of the environment that is none, and an endpoint of the environment, move no request', async () => {
  const urls: string[] = []
  const recording: typeof fetch = async (input) => {
    urls.push(String(input))
    return Response.json({ embedding: [1], inputTextTokenCount: 1 })
  }
  vi.stubEnv('AWS_REGION', 'evil.example/')
  await expect(createBedrock({ credentials, fetch: recording }).embed(request)).rejects.toMatchObject({ code: 'config' })
  vi.stubEnv('AWS_REGION', 'eu-north-1')
  vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1')
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'http://127.0.0.1:1')
  await createBedrock({ credentials, fetch: recording })
    .embed(request)
    .catch(() => {})
  expect(urls).toEqual(['https://bedrock-runtime.eu-north-1.amazonaws.com/model/amazon.titan-embed-text-v2%3A0/invoke'])
})

test('calls at the same time share one set of credentials; what has expired is got anew with the next call', async () => {
  await using server = await start()
  let times = 0
  const provide = async (): Promise<BedrockCredentials> => ({ ...credentials, sessionToken: `session-${++times}` })
  const provider = createBedrock({ ...options(server), region: 'us-east-1', credentials: provide })
  expect(times).toBe(0)
  await Promise.all([provider.embed(request), provider.embed(request), provider.embed(request)])
  expect(times).toBe(1)
  server.behave({
    reply: {
      status: 403,
      headers: { 'x-amzn-errortype': 'ExpiredTokenException' },
      body: { message: 'The security token included in the request is expired' },
    },
  })
  await expect(provider.embed(request)).rejects.toMatchObject({
    code: 'auth',
    message: expect.stringContaining('the credentials have expired'),
  })
  server.behave({})
  await provider.embed(request)
  const tokens = server.requests.map(({ headers }) => headers['x-amz-security-token'])
  expect(tokens).toEqual(['session-1', 'session-1', 'session-1', 'session-1', 'session-2'])
})

test.for<readonly [string, () => Promise<BedrockCredentials>]>([
  ['throws', () => Promise.reject(new Error(`the vault says no to ${SECRET}`))],
  [
    'throws at once',
    () => {
      throw new Error('no vault')
    },
  ],
  // A caller without types may return anything.
  ['returns nothing', async () => undefined as unknown as BedrockCredentials],
])('a function for credentials that %s is auth, and nothing is sent', async ([, provide]) => {
  await using server = await start()
  const provider = createBedrock({ ...options(server), region: 'us-east-1', credentials: provide })
  await expect(provider.embed(request)).rejects.toMatchObject({ code: 'auth' })
  expect(server.requests).toEqual([])
})

test('keys that came late do not get into errors either', async () => {
  await using server = await start()
  const sessionToken = 'FwoGZXIvYXdzEXAMPLESESSIONTOKEN'
  const provider = createBedrock({
    ...options(server),
    region: 'us-east-1',
    credentials: async () => ({ ...credentials, sessionToken }),
  })
  server.behave({ reply: { status: 403, body: { message: `not with ${SECRET} and ${sessionToken}` } } })
  const error: unknown = await provider.embed(request).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'auth', message: expect.stringContaining('not with [redacted] and [redacted]') })
})

test('the SDK tries once, over HTTP/1.1, and says so', async () => {
  await using server = await start()
  vi.stubEnv('AWS_MAX_ATTEMPTS', '5')
  server.behave({ reply: { status: 500, headers: { 'x-amzn-errortype': 'InternalServerException' }, body: { message: 'no' } } })
  await expect(createBedrock({ ...options(server), credentials, region: 'us-east-1' }).embed(request)).rejects.toMatchObject({
    code: 'unavailable',
    status: 500,
  })
  expect(server.requests.map(({ headers }) => headers['amz-sdk-request'])).toEqual(['attempt=1; max=1'])
  expect(server.requests[0]?.headers['user-agent']).toMatch(/aws-sdk-js\/3\./)
})
