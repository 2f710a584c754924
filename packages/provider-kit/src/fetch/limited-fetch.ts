import { failureError } from '../failure/service-failure.ts'
import type { Fetch } from './fetch.ts'

/** More than any model writes in one answer: 10 MiB. */
export const MAX_REPLY_BYTES: number = 10 * 2 ** 20

/** A `fetch` whose answers end as `bad-response` once they are longer than a limit, so that an endless one is not kept in memory. */
export function limitedFetch(fetch: Fetch, maxBytes: number = MAX_REPLY_BYTES): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.body === null) return response
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(limit(maxBytes)), { status, statusText, headers })
  }
}

function limit(maxBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0
  return new TransformStream({
    transform(piece, controller) {
      bytes += piece.byteLength
      if (bytes > maxBytes)
        controller.error(failureError({ code: 'bad-response', summary: `the answer is longer than ${maxBytes} bytes` }))
      else controller.enqueue(piece)
    },
  })
}
