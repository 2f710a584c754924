/** How Mistral's API says that it refuses, for all of its routes, 2026-11. */
import type { ServiceErrorCode, WireFailure, WireReply } from './exchange.ts'
import { GATEWAY_FAILURES, rateLimits } from './openai-style.ts'

interface MistralError {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly code?: string
  readonly headers?: Readonly<Record<string, string>>
}

export const mistralError = ({ status, message, type, code, headers }: MistralError): WireReply => ({
  status,
  body: { object: 'error', message, type, param: null, code: code ?? null, raw_status_code: status },
  ...(headers === undefined ? {} : { headers }),
})

export const validation = (location: readonly (string | number)[], msg: string): WireReply => ({
  status: 422,
  body: { detail: [{ type: 'value_error', loc: ['body', ...location], msg }] },
})
export const unknownModel = (model: string): WireReply =>
  mistralError({ status: 400, message: `Invalid model: ${model}`, type: 'invalid_model', code: '1500' })
export const tooFast = (headers: Readonly<Record<string, string>> = {}): WireReply =>
  mistralError({ status: 429, message: 'Rate limit exceeded', type: 'rate_limited', code: '1300', headers })
export const wrongKey = (): WireReply => ({ status: 401, body: { detail: 'Unauthorized' } })

/** The failures that do not depend on what was asked. */
export const MISTRAL_FAILURES: Readonly<
  Record<Exclude<ServiceErrorCode, 'invalid-input' | 'input-too-long'>, readonly WireFailure[]>
> = {
  auth: [
    { title: 'a wrong key', reply: wrongKey() },
    {
      title: 'the same, as its gateway says it',
      reply: { status: 401, body: { message: 'Unauthorized', request_id: '0123456789abcdef' } },
    },
    {
      title: 'a key that may not do this',
      reply: mistralError({ status: 403, message: 'Forbidden', type: 'forbidden' }),
    },
  ],
  'not-found': [
    { title: 'an unknown model, which is a 400', reply: unknownModel('other') },
    { title: 'an unknown path', reply: { status: 404, body: { message: 'no Route matched with those values' } } },
  ],
  quota: [{ title: 'nothing left to spend', reply: { status: 402, body: { detail: 'Payment Required' } } }],
  'rate-limit': rateLimits(tooFast),
  unavailable: [
    {
      title: 'its own fault',
      reply: mistralError({ status: 500, message: 'Internal server error', type: 'internal_server_error' }),
    },
    {
      title: 'no capacity left',
      reply: mistralError({
        status: 503,
        message: 'Service tier capacity exceeded for this model.',
        type: 'service_tier_capacity_exceeded',
        code: '3505',
      }),
    },
    ...GATEWAY_FAILURES,
  ],
}
