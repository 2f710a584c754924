import type { ProviderErrorCode } from '@mnemark/spec'
import { type Fields, fieldsOf, filledText, isFields } from '../json/fields.ts'
import type { ServiceFailure } from './service-failure.ts'

/** Google's error details, by the last part of their `@type`: https://cloud.google.com/apis/design/errors#error_details. */
interface Details {
  readonly status: unknown
  readonly message: string
  readonly reasons: readonly unknown[]
  readonly quotaValues: readonly unknown[]
  readonly retryDelay: unknown
  readonly fields: readonly unknown[]
}

/** Chat models of Gemini, 2025 to 2026-11; there is no reason for it. */
const TOO_LONG = /input token count.{0,40} exceeds the maximum/i

/** Reads Google's `status` and `details`: whose fault it is, which of the requests, and how long to wait. */
export function refineGoogleFailure(failure: ServiceFailure): ServiceFailure {
  const details = readDetails(failure.body)
  return {
    ...failure,
    ...meaningOf(failure.status, details),
    retryAfterMs: delayMs(details.retryDelay),
    inputIndexes: indexes(details),
  }
}

function meaningOf(status: number | undefined, details: Details): { code?: ProviderErrorCode; nextStep?: string } {
  // An invalid key is a 400.
  if (details.reasons.includes('API_KEY_INVALID')) return { code: 'auth' }
  if (status === 400 && TOO_LONG.test(details.message)) return { code: 'input-too-long' }
  if (status === 400 && details.status === 'FAILED_PRECONDITION')
    return { code: 'quota', nextStep: 'The free tier is not offered where this account is; enable billing in Google AI Studio.' }
  // A quota of zero does not come back by waiting.
  if (status === 429 && details.quotaValues.includes('0')) return { code: 'quota' }
  return {}
}

function readDetails(body: unknown): Details {
  const error = fieldsOf(fieldsOf(Array.isArray(body) ? body[0] : body)['error'])
  const details = listOf(error['details'])
  const ofType = (name: string): readonly Fields[] => details.filter(({ '@type': type }) => String(type).endsWith(`.${name}`))
  return {
    status: error['status'],
    message: filledText(error['message']) ?? '',
    // Some gateways drop the type.
    reasons: details.map(({ reason }) => reason),
    quotaValues: ofType('QuotaFailure').flatMap(({ violations }) => listOf(violations).map(({ quotaValue }) => quotaValue)),
    retryDelay: ofType('RetryInfo')[0]?.['retryDelay'],
    fields: ofType('BadRequest').flatMap(({ fieldViolations }) => listOf(fieldViolations).map(({ field }) => field)),
  }
}

/** A protobuf duration in JSON: seconds with up to nine decimals, and an `s`. */
function delayMs(delay: unknown): number | undefined {
  const match = typeof delay === 'string' ? /^(\d+(?:\.\d{1,9})?)s$/.exec(delay) : null
  return match === null ? undefined : Math.ceil(Number(match[1]) * 1000)
}

function indexes({ fields }: Details): readonly number[] | undefined {
  const found = fields.flatMap((field) => /\brequests\[(\d+)\]/.exec(String(field))?.[1] ?? []).map(Number)
  return found.length === 0 ? undefined : [...new Set(found)].sort((left, right) => left - right)
}

function listOf(value: unknown): readonly Fields[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : []
  return entries.filter(isFields)
}
