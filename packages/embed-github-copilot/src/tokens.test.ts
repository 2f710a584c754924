/** The exchange of tokens: when there is one, who shares it, and what its failures say. */
import {
  githubCopilotWire,
  type GitHubTokenWireSettings,
  githubTokenWire,
  type ProtocolServer,
  startProtocolServer,
  type WireReply,
} from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { createGitHubCopilot } from './create.ts'
import type { GitHubCopilotEmbeddingOptions } from './options.ts'

const LOGIN = 'gho_loginOfATestAccount0123456789'
const START_MS = Date.UTC(2026, 10, 1)
const note = { inputs: [{ type: 'text', text: 'a note' }], inputType: 'document' } as const

/** GitHub, Copilot taking `good`, and a provider between them whose clock stands where it is put. */
async function stage(settings: GitHubTokenWireSettings, { good = 'tid=1' }: { readonly good?: string } = {}) {
  const stack = new AsyncDisposableStack()
  const github = stack.use(await startProtocolServer(githubTokenWire(settings), { apiKey: LOGIN }))
  const copilot = stack.use(await startProtocolServer(githubCopilotWire, { apiKey: good }))
  const clock = { nowMs: START_MS }
  const create = (options: Partial<GitHubCopilotEmbeddingOptions> = {}) =>
    createGitHubCopilot({
      githubToken: LOGIN,
      githubUrl: github.origin,
      baseUrl: copilot.origin,
      nowMs: () => clock.nowMs,
      ...options,
    })
  return { github, copilot, clock, create, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const failure = (call: Promise<unknown>): Promise<unknown> => call.catch((thrown: unknown) => thrown)
const bearers = ({ requests }: ProtocolServer) => requests.map(({ headers }) => headers['authorization'])

test.for(['github_pat_11ABCDEFG0_abc', 'ghp_personal0123456789', 'ghs_ofActions0123456789'])(
  'B59: %s is refused at once, with the reason and without the token',
  (githubToken) => {
    const create = () => createGitHubCopilot({ githubToken })
    expect(create).toThrow(expect.objectContaining({ code: 'config', message: expect.stringContaining('device flow') }))
    expect(create).not.toThrow(githubToken)
  },
)

test('a token is got with the first call and serves until a minute before it expires', async () => {
  const expires_at = START_MS / 1000 + 1800
  await using s = await stage({ tokens: ['tid=1'], fields: { expires_at } })
  const provider = s.create()
  expect(s.github.requests).toHaveLength(0)
  await provider.embed(note)
  s.clock.nowMs += 1_739_000
  await provider.embed(note)
  expect(s.github.requests).toHaveLength(1)
  s.clock.nowMs += 1_000
  await provider.embed(note)
  expect(s.github.requests).toHaveLength(2)
})

test('the earlier of both ends that GitHub says counts; a date that is past here means that this clock is wrong', async () => {
  const expires_at = START_MS / 1000 + 1800
  await using s = await stage({ tokens: ['tid=1'], fields: { expires_at, refresh_in: 600 } })
  const provider = s.create()
  await provider.embed(note)
  s.clock.nowMs += 599_000
  await provider.embed(note)
  expect(s.github.requests).toHaveLength(1)
  s.clock.nowMs += 10_000_000
  await provider.embed(note)
  await provider.embed(note)
  expect(s.github.requests).toHaveLength(2)
})

test('B59: calls at the same time share one exchange', async () => {
  await using s = await stage({ tokens: ['tid=1', 'tid=2'], fields: { refresh_in: 1500 } })
  const provider = s.create()
  await Promise.all([1, 2, 3, 4].map(() => provider.embed(note)))
  expect(s.github.requests).toHaveLength(1)
  expect(bearers(s.copilot)).toEqual(Array(4).fill('Bearer tid=1'))
})

test('B59: after a 401 there is one new token, the repeat carries it, and calls at the same time share it', async () => {
  await using s = await stage({ tokens: ['tid=1', 'tid=2', 'tid=3'], fields: { refresh_in: 1500 } }, { good: 'tid=2' })
  const provider = s.create()
  const results = await Promise.all([1, 2, 3].map(() => provider.embed(note)))
  expect(results.every(({ vectors }) => vectors[0]?.length === 1536)).toBe(true)
  expect(s.github.requests).toHaveLength(2)
  expect(bearers(s.copilot).toSorted()).toEqual([...Array(3).fill('Bearer tid=1'), ...Array(3).fill('Bearer tid=2')])
  await provider.embed(note)
  expect(s.github.requests).toHaveLength(2)
  expect(bearers(s.copilot).at(-1)).toBe('Bearer tid=2')
})

test('a second 401 in a row is the end: two requests, two exchanges, auth', async () => {
  await using s = await stage({ tokens: ['tid=8', 'tid=9'], fields: { refresh_in: 1500 } })
  await expect(s.create().embed(note)).rejects.toMatchObject({
    code: 'auth',
    status: 401,
    message: expect.stringContaining('seat'),
  })
  expect([s.copilot.requests.length, s.github.requests.length]).toEqual([2, 2])
})

test('one call is one request after any other failure', async () => {
  await using s = await stage({ tokens: ['tid=1'], fields: { refresh_in: 1500 } })
  const replies = Object.values(githubCopilotWire.failures).flatMap((failures) => failures.map(({ reply }) => reply))
  const others = replies.filter(({ status }) => status !== 401)
  const provider = s.create()
  for (const reply of others) {
    s.copilot.behave({ reply })
    await provider.embed(note).catch(() => {})
  }
  for (const delivery of ['reset', 'cut'] as const) {
    s.copilot.behave({ delivery })
    await provider.embed(note).catch(() => {})
  }
  expect(s.copilot.requests).toHaveLength(others.length + 2)
  expect(s.github.requests).toHaveLength(1)
})

test('who gives up leaves the exchange to the others', async () => {
  await using s = await stage({ tokens: ['tid=1'], fields: { refresh_in: 1500 } })
  const provider = s.create()
  s.github.behave({ delivery: 'silence' })
  const arrival = s.github.arrival()
  const [first, second] = [new AbortController(), new AbortController()]
  const calls = [first, second].map(({ signal }) => failure(provider.embed({ ...note, signal })))
  await arrival
  first.abort('first')
  expect(await calls[0]).toBe('first')
  const third = failure(provider.embed(note))
  second.abort('second')
  expect(await calls[1]).toBe('second')
  expect(s.github.requests).toHaveLength(1)
  await s.github.close()
  expect(await third).toMatchObject({ code: 'unavailable' })
})

test('an exchange that nobody waits for any more is given up, and the next call begins another', async () => {
  await using s = await stage({ tokens: ['tid=1'], fields: { refresh_in: 1500 } })
  const provider = s.create({ timeoutMs: 5_000 })
  s.github.behave({ delivery: 'silence' })
  const [arrival, departure] = [s.github.arrival(), s.github.departure()]
  const controller = new AbortController()
  const call = failure(provider.embed({ ...note, signal: controller.signal }))
  await arrival
  controller.abort('enough')
  expect(await call).toBe('enough')
  await departure
  s.github.behave({})
  await expect(provider.embed(note)).resolves.toBeDefined()
})

const EXCHANGE_FAILURES: readonly (readonly [reply: WireReply, code: string, words: string])[] = [
  [{ status: 401, body: { message: 'Bad credentials' } }, 'auth', 'Log in again'],
  [{ status: 403, body: { message: 'Resource not accessible' } }, 'auth', 'Copilot seat'],
  [{ status: 404, body: { message: 'Not Found' } }, 'auth', 'Copilot seat'],
  [{ status: 403, headers: { 'retry-after': '60' }, body: { message: 'secondary rate limit' } }, 'rate-limit', 'secondary'],
  [{ status: 502, body: '<html>Bad gateway</html>' }, 'unavailable', 'exchange of the token'],
  [{ status: 200, body: '<html>Sign in</html>' }, 'bad-response', 'not JSON'],
  [{ status: 200, body: { token: 'two\nlines' } }, 'bad-response', 'no token'],
]

test.for(EXCHANGE_FAILURES)('%o of the exchange is %s', async ([reply, code, words]) => {
  await using s = await stage({ tokens: ['tid=1'] })
  s.github.behave({ bend: () => reply })
  const provider = s.create()
  const error = await failure(provider.embed(note))
  expect(error).toMatchObject({ code, message: expect.stringContaining(words) })
  expect(String(error)).not.toContain(LOGIN)
  s.github.behave({})
  await expect(provider.embed(note)).resolves.toBeDefined()
  expect(s.copilot.requests).toHaveLength(1)
})

test('neither the login nor a token, the replaced one included, is repeated from what the service says', async () => {
  await using s = await stage({ tokens: ['tid=first-secret', 'tid=second-secret'], fields: { refresh_in: 1500 } })
  s.copilot.behave({
    bend: () => ({ status: 401, body: `tid=first-secret tid=second-secret ${LOGIN} are not valid` }),
  })
  const error = await failure(s.create().embed(note))
  expect(String(error)).toContain('[redacted] [redacted] [redacted] are not valid')
  expect(s.copilot.requests).toHaveLength(2)
})

/** The real hosts are played by the servers of the test; says which were asked. */
function playedBy({ github, copilot }: Awaited<ReturnType<typeof stage>>, githubUrl: string) {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    const url = new URL(String(input))
    asked.push(url.origin)
    return globalThis.fetch((url.origin === githubUrl ? github.origin : copilot.origin) + url.pathname, init)
  }
  return { asked, provider: createGitHubCopilot({ githubToken: LOGIN, githubUrl, fetch }) }
}

test.for([
  ['https://api.github.com', { api: 'https://api.business.githubcopilot.com' }, 'https://api.business.githubcopilot.com'],
  ['https://api.github.com', {}, 'https://api.githubcopilot.com'],
  ['https://api.acme.ghe.com', { api: 'https://copilot-api.acme.ghe.com/' }, 'https://copilot-api.acme.ghe.com'],
] as const)('with GitHub at %s naming %o, notes go to %s', async ([githubUrl, endpoints, api]) => {
  await using s = await stage({ tokens: ['tid=1'], fields: { endpoints } })
  const { asked, provider } = playedBy(s, githubUrl)
  await provider.embed(note)
  expect(asked).toEqual([githubUrl, api])
})

test.for([
  'https://copilot-api.acme.ghe.com',
  'https://githubcopilot.com.evil.example',
  'https://evilgithubcopilot.com',
  'http://api.githubcopilot.com',
  'http://127.0.0.1:1',
  'no address',
  7,
])('notes do not go to %s because a reply of GitHub says so', async (api) => {
  await using s = await stage({ tokens: ['tid=1'], fields: { endpoints: { api } } })
  const { asked, provider } = playedBy(s, 'https://api.github.com')
  expect(await failure(provider.embed(note))).toMatchObject({
    code: 'refused-redirect',
    message: expect.stringContaining('set it as the base URL'),
  })
  expect(asked).toEqual(['https://api.github.com'])
})

test('GitHub on this network may name a Copilot on this network', async () => {
  await using copilot = await startProtocolServer(githubCopilotWire, { apiKey: 'tid=1' })
  await using s = await stage({ tokens: ['tid=1'], fields: { endpoints: { api: `${copilot.origin}/` } } })
  await createGitHubCopilot({ githubToken: LOGIN, githubUrl: s.github.origin }).embed(note)
  expect(copilot.requests.map(({ path }) => path)).toEqual(['/embeddings'])
})

test('the space is one for all plans, and another for a company with its own GitHub', () => {
  const endpointOf = (options: Partial<GitHubCopilotEmbeddingOptions>) =>
    createGitHubCopilot({ githubToken: LOGIN, ...options }).space.endpoint
  expect(endpointOf({})).toBe('https://api.githubcopilot.com')
  expect(endpointOf({ githubUrl: 'https://api.acme.ghe.com/' })).toBe('https://api.acme.ghe.com')
  expect(endpointOf({ baseUrl: 'https://api.enterprise.githubcopilot.com/embeddings' })).toBe(
    'https://api.enterprise.githubcopilot.com',
  )
})

test('who asks is said in our own name, to an integration that the service knows', async () => {
  await using s = await stage({ tokens: ['tid=1'] })
  await s.create().embed(note)
  expect(s.github.requests[0]?.headers).toMatchObject({ authorization: `token ${LOGIN}`, 'editor-version': 'mnemark/1.0' })
  expect(s.copilot.requests[0]?.headers).toMatchObject({
    'user-agent': 'mnemark',
    'editor-plugin-version': 'mnemark/1.0',
    'copilot-integration-id': 'vscode-chat',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
  })
})
