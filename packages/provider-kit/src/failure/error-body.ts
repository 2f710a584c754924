import { isFields } from '../json/fields.ts'

/** The content of an error body, whichever of the usual forms it has. */
export interface ErrorBody {
  /** Machine-readable words: `code`, `type`, `status`, `error_type`. */
  readonly codes: readonly string[]
  readonly text: string
  /** Positions in the request's inputs that the body names. */
  readonly inputIndexes: readonly number[]
}

/** Longer texts are cut: nothing shows more, and whole error pages are not searched. */
const MAX_TEXT = 4_000
const IDENTIFIER = /^[\w.-]{1,64}$/
/** Signs that drive a terminal or turn the direction of a text, and white space, which becomes one space. */
const UNSHOWN = /[\s\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu
/** `input.3`, `input[3]`, `$.input[3]`. */
const INPUT_POSITION = /^(?:\$\.|body\.)?inputs?(?:\.|\[)(\d+)\]?/

/**
 * Reads `{error: {message, type, code, param}}`, `{error: text}`, `{detail: text}`, `{detail: [{loc, msg, type}]}`, `{object:
 * 'error', message}`, `{message}`, `{message: {detail}}`, `[{error}]` and plain text. An HTML page yields nothing.
 */
export function readErrorBody(body: unknown): ErrorBody {
  const records = flatten(body)
  const codes = records.flatMap((record) => ['code', 'type', 'status', 'error_type'].flatMap((name) => identifier(record[name])))
  const texts = records.flatMap((record) => ['message', 'msg', 'error', 'detail'].flatMap((name) => plainText(record[name])))
  const positions = records.flatMap((record) => inputPosition(record['param']) ?? inputPosition(record['loc']) ?? [])
  const text = typeof body === 'string' ? (plainText(body)[0] ?? '') : texts.join('; ')
  return {
    codes: [...new Set(codes)],
    text: text.slice(0, MAX_TEXT),
    inputIndexes: [...new Set(positions)].sort((left, right) => left - right),
  }
}

/** The body and its nested records that describe the error. */
function flatten(body: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(body)) return body.flatMap(flatten)
  return isFields(body) ? [body, ...['error', 'detail', 'message'].flatMap((name) => flatten(body[name]))] : []
}

function identifier(value: unknown): readonly string[] {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && IDENTIFIER.test(text) ? [text] : []
}

function plainText(value: unknown): readonly string[] {
  if (typeof value !== 'string' || /^\s*<(?:!doctype|html|\?xml)/i.test(value)) return []
  const text = value.replace(UNSHOWN, ' ').trim()
  return text === '' ? [] : [text]
}

function inputPosition(place: unknown): number | undefined {
  const path = Array.isArray(place) ? place.join('.') : place
  const match = typeof path === 'string' ? INPUT_POSITION.exec(path) : null
  return match === null ? undefined : Number(match[1])
}
