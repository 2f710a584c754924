import type { ProviderErrorCode } from '@mnemark/spec'
import type { ErrorBody } from './error-body.ts'

/** The account is empty or closed: waiting does not help. OpenAI, 2026-11: https://platform.openai.com/docs/guides/error-codes */
const QUOTA = new Set(['insufficient_quota', 'billing_not_active', 'billing_hard_limit_reached'])
/** Too many tokens, in one input or in all: the codes of OpenAI, and Mistral's number for both cases. */
const TOO_LONG = new Set(['max_tokens_per_request', 'context_length_exceeded', 'string_above_max_length', '3210'])

const BY_STATUS: Readonly<Record<number, ProviderErrorCode>> = {
  401: 'auth',
  402: 'quota',
  403: 'auth',
  404: 'not-found',
  407: 'auth',
  408: 'unavailable',
  409: 'unavailable',
  413: 'input-too-long',
  // The back end behind an inference server failed (TEI, Bedrock).
  424: 'unavailable',
  425: 'unavailable',
  429: 'rate-limit',
}

/** Derives the error code from status and body. The message is for people and decides nothing. */
export function failureCode(status: number, body: ErrorBody): ProviderErrorCode {
  if ([402, 403, 429].includes(status) && body.codes.some((code) => QUOTA.has(code))) return 'quota'
  if ([400, 422].includes(status) && body.codes.some((code) => TOO_LONG.has(code))) return 'input-too-long'
  const known = BY_STATUS[status]
  if (known !== undefined) return known
  if (status >= 300 && status < 400) return 'refused-redirect'
  if (status >= 400 && status < 500) return 'invalid-input'
  return status >= 500 ? 'unavailable' : 'bad-response'
}
