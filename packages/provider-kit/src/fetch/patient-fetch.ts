import type { Fetch } from './fetch.ts'

/** A model on a slow machine may take longer for one request than the five minutes of Node's own `fetch`. */
export const PATIENCE_MS: number = 30 * 60_000

/**
 * A `fetch` that waits half an hour for an answer to begin, and for each next piece of it, where Node's gives up after five minutes.
 * Which of the two limits a caller wants is set by signals and time-outs.
 */
export function patientFetch(patienceMs: number = PATIENCE_MS): Fetch {
  let loading: Promise<Fetch> | undefined
  return async (input, init) => {
    // Objects of Node's own classes, forms and requests, are not known to the library; embeddings send text.
    if (input instanceof Request || typeof init?.body !== 'string') return globalThis.fetch(input, init)
    loading ??= load(patienceMs)
    return (await loading)(input, init)
  }
}

async function load(patienceMs: number): Promise<Fetch> {
  const { Agent, fetch } = await import('undici')
  const dispatcher = new Agent({ headersTimeout: patienceMs, bodyTimeout: patienceMs })
  // The library is what Node's `fetch` is made of: the types say the same with other names.
  return (input, init) => fetch(input as string, { ...init, dispatcher } as object) as unknown as Promise<Response>
}
