import { failingFetch, failureError, type Fetch, type Fields, guardedFetch, isFields, jsonOrText } from '@mnemark/provider-kit'
import type { ClientSettings } from './client.ts'
import { refineFailure } from './failure.ts'

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** After `/v1`. */
  readonly path: string
  /** A form goes out as it is, an object as JSON. */
  readonly body?: FormData | Fields
  readonly signal: AbortSignal
}

/** The part of Voyage's service that its SDK does not have. */
export interface VoyageService {
  /** Answers a JSON object; anything else is a `bad-response`. */
  call(request: ServiceRequest): Promise<Fields>
  /** The bytes of a file as they arrive. */
  file(id: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
}

export function voyageService({ apiKey, baseUrl, headers, fetch }: ClientSettings): VoyageService {
  const send = failingFetch(guardedFetch(new URL(baseUrl).origin, fetch), refineFailure)
  const request = ({ method, path, body, signal }: ServiceRequest): ReturnType<Fetch> =>
    send(baseUrl + path, {
      method,
      signal,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
  return {
    call: async (given) => {
      const reply = jsonOrText(await (await request(given)).text())
      return isFields(reply) ? reply : notAnObject()
    },
    file: async (id, signal) => {
      const { body } = await request({ method: 'GET', path: `/files/${encodeURIComponent(id)}/content`, signal })
      return body ?? new Blob([]).stream()
    },
  }
}

function notAnObject(): never {
  throw failureError({ code: 'bad-response', summary: 'the answer is not a JSON object' })
}
