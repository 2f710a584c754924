/** The common part of the sound samples of the mutant tests: plain fetch, and errors derived from status and body. */
import { ProviderError, type ProviderErrorCode } from '@mnemark/spec'
import { recordOf } from '../protocol-servers/wire/read-fields.ts'
import type { ProviderSetup } from './service-target.ts'

const CODES: Readonly<Record<number, ProviderErrorCode>> = {
  401: 'auth',
  403: 'auth',
  402: 'quota',
  404: 'not-found',
  413: 'input-too-long',
  429: 'rate-limit',
  408: 'unavailable',
}
const MAX_BYTES = 10 * 2 ** 20

export const failed = (code: ProviderErrorCode, details: object = {}): ProviderError =>
  new ProviderError(code, `sample (sample-model): ${code}`, { provider: 'sample', ...details })

/** The decisions of any adapter, each replaceable. */
export interface CallParts {
  readonly onCreate: (setup: ProviderSetup) => void
  readonly checkKey: (key: string) => void
  readonly text: (text: string) => string
  readonly retries: number
  readonly redirect: 'manual' | 'follow'
  readonly maxBytes: number
  readonly signal: (signal: AbortSignal | undefined) => AbortSignal | undefined
  readonly cancelled: (signal: AbortSignal) => unknown
  readonly code: (status: number, body: unknown) => ProviderErrorCode
  readonly waitMs: (headers: Headers) => number | undefined
  readonly error: (code: ProviderErrorCode, details: object, said: string) => ProviderError
}

export function soundCall(): CallParts {
  return {
    onCreate: () => {},
    checkKey: (key) => {
      if (key === '') throw failed('config')
    },
    text: (text) => text.toWellFormed(),
    retries: 0,
    redirect: 'manual',
    maxBytes: MAX_BYTES,
    signal: (signal) => signal,
    cancelled: (signal) => signal.reason,
    code: (status, body) => {
      const { code } = recordOf(recordOf(body)?.['error']) ?? {}
      if (status === 429 && code === 'insufficient_quota') return 'quota'
      if (status === 400 && code === 'context_length_exceeded') return 'input-too-long'
      return CODES[status] ?? (status < 400 ? 'refused-redirect' : status < 500 ? 'invalid-input' : 'unavailable')
    },
    waitMs: (headers) => {
      const [exact, hint] = [headers.get('retry-after-ms'), headers.get('retry-after')]
      if (exact !== null) return Number(exact)
      if (hint === null) return undefined
      return /^\d+$/.test(hint) ? Number(hint) * 1000 : Date.parse(hint) - Date.now()
    },
    error: (code, details) => failed(code, details),
  }
}

/** One POST, read within bounds; rejects with a ProviderError, or with the reason of the signal. */
export async function callOnce(
  { setup, path, parts }: { readonly setup: ProviderSetup; readonly path: string; readonly parts: CallParts },
  body: object,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (signal?.aborted) throw parts.cancelled(signal)
  const { promise, reject } = Promise.withResolvers<never>()
  signal?.addEventListener('abort', () => reject(parts.cancelled(signal)))
  return Promise.race([exchange({ setup, path, parts }, body, signal), promise]).catch((error: unknown) => {
    if (signal?.aborted || ProviderError.isInstance(error)) throw error
    throw failed(isTls(error) ? 'tls' : 'unavailable')
  })
}

async function exchange(
  { setup, path, parts }: { readonly setup: ProviderSetup; readonly path: string; readonly parts: CallParts },
  body: object,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${setup.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: parts.redirect,
    signal: parts.signal(signal) ?? null,
  }
  let response = await setup.fetch(setup.baseUrl + path, init)
  for (let retry = 0; retry < parts.retries && response.status >= 500; retry++)
    response = await setup.fetch(setup.baseUrl + path, init)
  const text = await boundedText(response, parts.maxBytes)
  const json = parsed(text)
  if (response.ok) return json ?? failing('bad-response')
  const code = parts.code(response.status, json)
  const waitMs = code === 'rate-limit' || code === 'unavailable' ? parts.waitMs(response.headers) : undefined
  throw parts.error(code, { status: response.status, ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }) }, text)
}

const failing = (code: ProviderErrorCode): never => {
  throw failed(code)
}

async function boundedText(response: Response, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > maxBytes) throw failed('bad-response')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

const isTls = (error: unknown): boolean =>
  String(Reflect.get(Object(Reflect.get(Object(error), 'cause')), 'code')).startsWith('ERR_SSL_')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
