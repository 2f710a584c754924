import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ToolFailure } from '@mnemark/tools'

/** The common form of errors, the same as with `--json`. */
export function failed(context: Context, status: ContentfulStatusCode, { code, message, next }: ToolFailure): Response {
  return context.json({ error: { code, message, next } }, status)
}

const STATUS: Readonly<Record<string, ContentfulStatusCode>> = {
  'bad-input': 400,
  'invalid-value': 400,
  'read-only': 403,
  refused: 403,
  denied: 403,
  'not-found': 404,
  conflict: 409,
  unreadable: 422,
  'timed-out': 504,
  'unknown-entity': 404,
  'same-name': 400,
  'unfit-name': 400,
  differs: 409,
  'page-taken': 409,
  'two-pages': 409,
  'joined-by-page': 409,
  'unreadable-page': 422,
}

/** The HTTP status of a failure: the caller's own fault by its code, else 503. */
export function statusOf({ code }: ToolFailure): ContentfulStatusCode {
  return STATUS[code] ?? 503
}
