import { randomUUID } from 'node:crypto'
import {
  checkHeaders,
  configError,
  defineEmbeddingProvider,
  failingFetch,
  type Fetch,
  freezeOptions,
  guardedFetch,
  isPrivateHost,
  normaliseEndpoint,
  parseBaseUrl,
  postJson,
  readOpenAIStyleReply,
  requireText,
  secretsOf,
  type ServiceFailure,
} from '@mnemark/provider-kit'
import type { EmbeddingProvider } from '@mnemark/spec'
import { type CopilotToken, CopilotTokens } from './copilot-tokens.ts'
import { exchangeToken } from './exchange-token.ts'
import { GITHUB_COPILOT_LIMITS, type GitHubCopilotEmbeddingModel, knownModel } from './models.ts'
import type { GitHubCopilotEmbeddingOptions } from './options.ts'

const ID = 'github-copilot'
const GITHUB_URL = 'https://api.github.com'
/** One URL for the vector space: the model is the same on the hosts of all plans. */
const COPILOT_URL = 'https://api.githubcopilot.com'

/** The client's identity. The service answers only integrations it knows; editor and plugin carry our own name. */
const CLIENT = { 'user-agent': 'mnemark', 'editor-version': 'mnemark/1.0', 'editor-plugin-version': 'mnemark/1.0' }
const INTEGRATION = { 'copilot-integration-id': 'vscode-chat', 'openai-intent': 'conversation-panel' }

/**
 * A provider on GitHub Copilot's embeddings, which GitHub does not document: read the terms named in the README first. The first
 * call exchanges the login's token for a short-lived one, and again when that expires. Throws a `config` error at once for tokens
 * that cannot be a login's, invalid addresses, and dimensions that the model does not give.
 */
export function createGitHubCopilot(given: GitHubCopilotEmbeddingOptions): EmbeddingProvider & AsyncDisposable {
  const options = freezeOptions(given)
  const githubToken = requireLoginToken(options.githubToken)
  const baseUrl = options.baseUrl === undefined ? undefined : addressOf('baseUrl', options.baseUrl).replace(/\/embeddings$/, '')
  const model = requireText(ID, 'model', options.model ?? 'text-embedding-3-small')
  const known = knownModel(model)
  checkDimensions(model, known, options.dimensions)
  const ownHeaders = checkedHeaders(options.headers)
  const headers = { ...CLIENT, ...INTEGRATION, ...ownHeaders }
  const githubUrl = addressOf('githubUrl', options.githubUrl ?? GITHUB_URL)
  const tokens = createTokens({ githubToken, githubUrl, baseUrl, secrets: secretsOf(githubToken, ownHeaders) }, options)
  const fixed = { model, ...(options.dimensions === undefined ? {} : { dimensions: options.dimensions }) }
  const senderTo = guardedSenders(options.fetch)
  const endpoint = baseUrl ?? (githubUrl === GITHUB_URL ? COPILOT_URL : githubUrl)
  return defineEmbeddingProvider({
    space: { provider: ID, endpoint, model, requestedDimensions: options.dimensions ?? null, variant: {} },
    limits: { ...GITHUB_COPILOT_LIMITS, ...options.limits },
    traits: { isLocal: isPrivateHost(new URL(endpoint).hostname), ...options.traits },
    dimensions: known?.dimensions,
    secrets: tokens.secrets,
    timeoutMs: options.timeoutMs,
    embed: async ({ texts, signal }) => {
      const token = await tokens.get(signal)
      const send = repeatedOnce(senderTo(new URL(token.apiUrl).origin), token, () => tokens.replacing(token, signal))
      const request = { body: { ...fixed, input: [...texts] }, headers: { ...headers, 'x-request-id': randomUUID() } }
      return readOpenAIStyleReply(
        await postJson({ ...request, url: `${token.apiUrl}/embeddings`, fetch: failingFetch(send, explained), signal }),
      )
    },
  })
}

/**
 * Personal access tokens and those of Actions have no seat, which the service reports with a plain error (B59): they are refused
 * here.
 */
function requireLoginToken(value: unknown): string {
  const token = requireText(ID, 'githubToken', value)
  checkHeaders(ID, { githubToken: token })
  const kind = /^(?:github_pat_|ghp_)/.test(token) ? 'a personal access token' : /^gh[sr]_/.test(token) ? 'no login' : undefined
  if (kind !== undefined)
    throw configError(
      ID,
      `githubToken is ${kind}, which GitHub does not exchange for Copilot`,
      'Log in with the device flow and give the token of that login (gho_… or ghu_…).',
    )
  return token
}

const addressOf = (name: string, address: string): string => normaliseEndpoint(parseBaseUrl(ID, requireText(ID, name, address)))

function checkDimensions(model: string, known: GitHubCopilotEmbeddingModel | undefined, dimensions: number | undefined): void {
  if (known !== undefined && dimensions !== undefined && dimensions > known.dimensions)
    throw configError(ID, `${model} gives at most ${known.dimensions} dimensions`, 'Ask for fewer.')
}

function checkedHeaders(given: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  const headers = checkHeaders(ID, given)
  if (Object.hasOwn(headers, 'authorization'))
    throw configError(ID, 'headers.authorization is filled with the Copilot token', 'Give githubToken.')
  return headers
}

interface TokenSource {
  readonly githubToken: string
  readonly githubUrl: string
  readonly baseUrl: string | undefined
  readonly secrets: readonly string[]
}

function createTokens(
  { githubToken, githubUrl, baseUrl, secrets }: TokenSource,
  { fetch, nowMs = Date.now }: GitHubCopilotEmbeddingOptions,
): CopilotTokens {
  const headers = { ...CLIENT, accept: 'application/json', authorization: `token ${githubToken}` }
  const guarded = guardedFetch(new URL(githubUrl).origin, fetch)
  return new CopilotTokens({
    nowMs,
    secrets,
    exchange: (signal) => exchangeToken({ githubUrl, headers, fetch: guarded, nowMs, baseUrl }, signal),
  })
}

/** One guarded `fetch` for each host that GitHub names. */
function guardedSenders(fetch: Fetch | undefined): (origin: string) => Fetch {
  const senders = new Map<string, Fetch>()
  return (origin) => {
    const sender = senders.get(origin) ?? guardedFetch(origin, fetch)
    senders.set(origin, sender)
    return sender
  }
}

/** Sends with the token; if it is refused, once more with its replacement. */
function repeatedOnce(send: Fetch, token: CopilotToken, replaced: () => Promise<CopilotToken>): Fetch {
  return async (url, init) => {
    const response = await send(url, withToken(init, token))
    if (response.status !== 401) return response
    await response.body?.cancel()
    return send(url, withToken(init, await replaced()))
  }
}

const withToken = (init: RequestInit | undefined, { value }: CopilotToken): RequestInit => ({
  ...init,
  headers: { ...Object.fromEntries(new Headers(init?.headers)), authorization: `Bearer ${value}` },
})

/** Uses Copilot's own message if it says more than the status. */
function explained(failure: ServiceFailure): ServiceFailure {
  const code: unknown = Object(Object(failure.body).error).code
  if (code === 'model_not_supported') return { ...failure, code: 'not-found' }
  if (failure.status !== 401 && failure.status !== 403) return failure
  return { ...failure, code: 'auth', summary: 'Copilot refuses the account', nextStep: 'Check that it has a Copilot seat.' }
}
