import { failureError } from '../failure/service-failure.ts'
import type { Fetch } from './fetch.ts'

export interface JsonRequest {
  readonly url: string
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  /** Usually a `guardedFetch`. */
  readonly fetch: Fetch
  readonly signal: AbortSignal
}

/**
 * One JSON POST with a JSON answer, for services without an SDK. Any other outcome throws in the form `defineEmbeddingProvider`
 * reads.
 */
export async function postJson(request: JsonRequest): Promise<unknown> {
  const response = await request.fetch(request.url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...request.headers },
    body: JSON.stringify(request.body),
    signal: request.signal,
  })
  const text = await response.text()
  const { status, headers } = response
  if (!response.ok) throw failureError({ status, headers, body: jsonOrText(text) })
  const body = jsonOrText(text)
  if (typeof body === 'string') throw failureError({ status, headers, code: 'bad-response', summary: notJson(text, headers) })
  return body
}

/** Parses a JSON text; returns any other text as it is. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function notJson(text: string, headers: Headers): string {
  if (text.trim() === '') return 'the answer is empty'
  const type = /^[\w.+/-]+/.exec(headers.get('content-type') ?? '')?.[0]
  return type === 'application/json' ? 'the answer is broken JSON' : `the answer is not JSON but ${type ?? 'of no known type'}`
}
