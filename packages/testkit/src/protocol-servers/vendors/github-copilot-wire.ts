import type { EmbeddingWire } from '../embedding-wire.ts'
import type { EmbeddingCall, ServiceErrorCode, WireFailure, WireReply, WireRequest } from '../wire/exchange.ts'
import { GATEWAY_FAILURES, openAIAnswer, rateLimits } from '../wire/openai-style.ts'
import { jsonObjectOf, recordOf, unknownField } from '../wire/read-fields.ts'

/** Models and longest vectors known to public clients, 2026-11. */
const MODELS: readonly unknown[] = ['text-embedding-3-small', 'text-embedding-3-small-inference']
const DIMENSIONS = 1536
const MAX_INPUTS = 256
/** Requests without these headers do not count as an editor's. */
const CLIENT_HEADERS = ['copilot-integration-id', 'editor-version', 'editor-plugin-version']

const refused = (status: number, message: string, code: string, headers?: Readonly<Record<string, string>>): WireReply => ({
  status,
  body: { error: { message, code } },
  ...(headers === undefined ? {} : { headers }),
})
const invalid = (message: string): WireReply => refused(400, message, 'invalid_request_body')
const unknownModel = (): WireReply => refused(400, 'The requested model is not supported.', 'model_not_supported')
const expired = (): WireReply => ({ status: 401, body: 'unauthorized: token expired\n' })

const failures: Readonly<Record<ServiceErrorCode, readonly WireFailure[]>> = {
  auth: [
    { title: 'a token that is refused again and again', reply: expired() },
    { title: 'an account that may not do this', reply: refused(403, 'Access denied.', 'forbidden') },
  ],
  'not-found': [
    { title: 'an unknown model', reply: unknownModel() },
    { title: 'a page that is not there', reply: { status: 404, body: '404 page not found' } },
  ],
  quota: [{ title: 'a seat that has used what it had', reply: refused(402, 'You have no quota left.', 'quota_exceeded') }],
  'rate-limit': rateLimits((headers) => refused(429, 'Too many requests.', 'rate_limited', headers)),
  'invalid-input': [{ title: 'a refused request', reply: invalid('The input is invalid.') }],
  'input-too-long': [{ title: 'a body that is too large', reply: { status: 413, body: 'Request Entity Too Large' } }],
  unavailable: [{ title: 'its own fault', reply: { status: 500, body: 'Internal Server Error' } }, ...GATEWAY_FAILURES],
}

/**
 * GitHub Copilot's `POST /embeddings`, 2026-11; the key is the short-lived token. Undocumented by GitHub: taken from
 * public clients.
 */
export const githubCopilotWire: EmbeddingWire = {
  name: 'GitHub Copilot',
  basePath: '',
  inputTypes: 'symmetric',
  hasIndexes: true,
  reportsUsage: true,
  lenient: ['which integrations and editors are known', 'code words of refusals other than model_not_supported'],
  read,
  answer: (call, vectors, shape) => {
    const { data, usage } = recordOf(openAIAnswer(call, vectors, shape).body) ?? {}
    return { status: 200, body: { data, ...(usage === undefined ? {} : { usage }) } }
  },
  refusal: invalid,
  failures,
}

function read(request: WireRequest, apiKey: string): EmbeddingCall | WireReply {
  if (request.path !== '/embeddings' || request.method !== 'POST') return { status: 404, body: '404 page not found' }
  if (request.headers['authorization'] !== `Bearer ${apiKey}`) return expired()
  const missing = CLIENT_HEADERS.find((name) => (request.headers[name] ?? '') === '')
  if (missing !== undefined) return refused(400, `missing ${missing} header`, 'bad_request')
  const body = jsonObjectOf(request)
  if (body === undefined) return invalid('The body is not JSON.')
  const unknown = unknownField(body, ['model', 'input', 'dimensions'])
  if (unknown !== undefined) return invalid(`${unknown} is not a field`)
  return readBody(body)
}

function readBody({ model, input, dimensions = DIMENSIONS }: Readonly<Record<string, unknown>>): EmbeddingCall | WireReply {
  if (typeof model !== 'string' || !MODELS.includes(model)) return unknownModel()
  // A single text, which OpenAI accepts, is refused here.
  if (!Array.isArray(input) || input.length === 0 || !input.every((text) => typeof text === 'string'))
    return invalid('The input is not a list of texts.')
  if (input.length > MAX_INPUTS) return invalid('The list of texts is too long.')
  if (typeof dimensions !== 'number' || !Number.isInteger(dimensions) || dimensions < 1 || dimensions > DIMENSIONS)
    return invalid('The dimensions are not possible.')
  if (!input.every((text: string) => text.isWellFormed())) return invalid('The body is not JSON.')
  return { texts: input, model, dimensions }
}

export interface GitHubTokenWireSettings {
  /** The Copilot tokens to return in order; the last one is repeated. */
  readonly tokens: readonly string[]
  /** Further fields of the answer beside the token: `expires_at` (Unix seconds), `refresh_in` (seconds), `endpoints`. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** GitHub's exchange of a login token for a Copilot token: `GET /copilot_internal/v2/token`. The key is the login token. */
export function githubTokenWire({ tokens, fields }: GitHubTokenWireSettings): EmbeddingWire {
  let given = 0
  return {
    ...githubCopilotWire,
    name: 'GitHub, token exchange',
    // This wire embeds nothing: every request gets its reply at once.
    read: (request, apiKey): WireReply => {
      if (request.path !== '/copilot_internal/v2/token' || request.method !== 'GET') return gitHubError(404, 'Not Found')
      if (request.headers['authorization'] !== `token ${apiKey}`) return gitHubError(401, 'Bad credentials')
      if ((request.headers['user-agent'] ?? '') === '') return gitHubError(403, 'Request forbidden by administrative rules.')
      const token = tokens[Math.min(given++, tokens.length - 1)]
      return { status: 200, body: { token, ...fields } }
    },
  }
}

const gitHubError = (status: number, message: string): WireReply => ({
  status,
  body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
})
