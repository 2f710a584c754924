import type { WireRequest } from './exchange.ts'

/** A JSON object; undefined for anything else. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? // An object that is not an array has named members; they stay unknown.
      (value as Readonly<Record<string, unknown>>)
    : undefined
}

/** The JSON object of a request with that content type; undefined for anything else. */
export function jsonObjectOf(request: WireRequest): Readonly<Record<string, unknown>> | undefined {
  return request.headers['content-type']?.startsWith('application/json') ? recordOf(request.body) : undefined
}

/** The texts of `input: text | texts`; undefined for anything else. */
export function textsOf(input: unknown): readonly string[] | undefined {
  if (typeof input === 'string') return [input]
  return Array.isArray(input) && input.every((entry) => typeof entry === 'string') ? input : undefined
}

/** The first name that is not among the known ones. */
export function unknownField(record: Readonly<Record<string, unknown>>, known: readonly string[]): string | undefined {
  return Object.keys(record).find((name) => !known.includes(name))
}

/** RFC 9110 §5.6.7: a date this far ahead, in whole seconds. */
export function httpDate(aheadMs: number): string {
  return new Date(Date.now() + aheadMs).toUTCString()
}
