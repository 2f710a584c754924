import type { Fetch } from './fetch.ts'

/** A model on a slow machine may need longer for one request than the five minutes of Node's own `fetch`. */
export const PATIENCE_MS: number = 30 * 60_000

/**
 * A `fetch` that waits half an hour for an answer to begin, and for each next piece of it; Node's gives up after five minutes.
 * Callers who want less set signals and time-outs.
 */
export function patientFetch(patienceMs: number = PATIENCE_MS): Fetch {
  let loading: Promise<Fetch> | undefined
  return async (input, init) => {
    // The library does not know forms and requests of Node's own classes; embeddings send text.
    if (input instanceof Request || typeof init?.body !== 'string') return globalThis.fetch(input, init)
    loading ??= load(patienceMs)
    return (await loading)(input, init)
  }
}

async function load(patienceMs: number): Promise<Fetch> {
  const { Agent, fetch } = await import('undici')
  const dispatcher = new Agent({ headersTimeout: patienceMs, bodyTimeout: patienceMs })
  // Node's `fetch` is made of this library: the types are the same under other names.
  return (input, init) => fetch(input as string, { ...init, dispatcher } as object) as unknown as Promise<Response>
}
