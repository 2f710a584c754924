import {
  failingFetch,
  failureError,
  type Fetch,
  type Fields,
  fieldsOf,
  isPrivateHost,
  type ServiceFailure,
} from '@mnemark/provider-kit'
import type { CopilotToken } from './copilot-tokens.ts'

export interface TokenExchange {
  /** The base URL of GitHub's API, without a trailing slash. */
  readonly githubUrl: string
  readonly headers: Readonly<Record<string, string>>
  /** Guarded: reaches GitHub's API only. */
  readonly fetch: Fetch
  readonly nowMs: () => number
  /** Overrides the URL that comes with the token. */
  readonly baseUrl: string | undefined
}

const COPILOT_HOST = 'githubcopilot.com'
const PUBLIC_API = `https://api.${COPILOT_HOST}`
/** A token is replaced this long before it expires, so that a running request still succeeds. */
const MARGIN_MS = 60_000
const TOKEN_VALUE = /^[\x21-\x7e]+$/

const bad = (summary: string): Error => failureError({ code: 'bad-response', summary })

/**
 * One request to GitHub that exchanges the login's token for a short-lived Copilot token. Throws what `defineEmbeddingProvider`
 * reads.
 */
export async function exchangeToken(exchange: TokenExchange, signal: AbortSignal): Promise<CopilotToken> {
  const { githubUrl, headers, fetch, nowMs, baseUrl } = exchange
  const response = await failingFetch(fetch, explained)(`${githubUrl}/copilot_internal/v2/token`, { headers, signal })
  const text = await response.text()
  const { token, expires_at: expiresAt, refresh_in: refreshIn, endpoints } = parsed(text)
  if (typeof token !== 'string' || !TOKEN_VALUE.test(token)) throw bad("GitHub's answer to the token exchange has no token")
  return {
    value: token,
    apiUrl: baseUrl ?? apiUrlOf(fieldsOf(endpoints)['api'], githubUrl),
    freshUntilMs: freshUntilMs(nowMs(), expiresAt, refreshIn),
  }
}

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    throw bad("GitHub's answer to the token exchange is not JSON")
  }
}

/**
 * The earlier of GitHub's two expiry values, absolute and relative. If the absolute time is long past, the local clock is wrong.
 */
function freshUntilMs(nowMs: number, expiresAt: unknown, refreshIn: unknown): number {
  const byDate = typeof expiresAt === 'number' ? expiresAt * 1000 - MARGIN_MS : Number.POSITIVE_INFINITY
  const byDuration = typeof refreshIn === 'number' ? nowMs + refreshIn * 1000 : Number.POSITIVE_INFINITY
  const until = byDate + MARGIN_MS <= nowMs && Number.isFinite(byDuration) ? byDuration : Math.min(byDate, byDuration)
  return Number.isFinite(until) ? until : nowMs
}

/**
 * Notes go only to Copilot at GitHub, or beside the configured GitHub, whatever the reply says: on `githubcopilot.com`, on the
 * same `ghe.com` tenant, or, like a configured local GitHub, on this machine or network.
 */
function apiUrlOf(api: unknown, githubUrl: string): string {
  if (api === undefined || api === null) return PUBLIC_API
  const url = typeof api === 'string' && URL.canParse(api) ? new URL(api) : undefined
  const isTrusted = url !== undefined && isBeside(url, new URL(githubUrl))
  if (url !== undefined && isTrusted) return (url.origin + url.pathname).replace(/\/+$/, '')
  throw failureError({
    code: 'refused-redirect',
    summary: `GitHub names ${url === undefined ? 'an address that cannot be read' : url.origin} for Copilot, which is not its own`,
    nextStep: 'If notes may go there, set it as the base URL.',
  })
}

function isBeside(url: URL, github: URL): boolean {
  if (url.protocol !== 'https:') return url.protocol === 'http:' && isPrivateHost(url.hostname) && isPrivateHost(github.hostname)
  const tenant = /^api\.([a-z0-9-]+\.ghe\.com)$/.exec(github.hostname)?.[1]
  const domains = [COPILOT_HOST, ...(tenant === undefined ? [] : [tenant])]
  return domains.some((domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`))
}

/** Explains GitHub's refusal of the exchange. */
function explained(failure: ServiceFailure): ServiceFailure {
  const { status = 0, headers } = failure
  if (status === 401)
    return {
      ...failure,
      code: 'auth',
      summary: 'GitHub refused the token of the login',
      nextStep: 'Log in again and give the new token.',
    }
  if (status === 403 && (headers?.get('retry-after') ?? '') !== '') return { ...failure, code: 'rate-limit' }
  if (status === 403 || status === 404)
    return {
      ...failure,
      code: 'auth',
      summary: 'GitHub gives this login no Copilot token',
      nextStep: 'Check that the account has a Copilot seat, and that the token is that of a login, not a personal access token.',
    }
  return { ...failure, summary: 'the exchange of the token with GitHub failed' }
}
