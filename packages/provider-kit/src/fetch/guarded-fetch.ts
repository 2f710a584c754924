import { isPrivateHost } from './endpoint.ts'
import type { Fetch } from './fetch.ts'
import { PATIENCE_MS, patientFetch } from './patient-fetch.ts'
import { proxiedFetch } from './proxied-fetch.ts'
import { proxyFor } from './proxy-for.ts'
import { failureError, notedFailure, noteFailure, type ServiceFailure } from '../failure/service-failure.ts'
import { transportFailure } from '../failure/transport-failure.ts'

/**
 * A `fetch` for one service: it talks to its origin only, follows no redirect, and classifies failed connections. Give it to an
 * SDK in place of its own. Without a `fetch` beneath it uses Node's, through the proxy that the environment names for the origin
 * (see `proxyFor`), with longer time-outs for a service on this machine or network.
 */
export function guardedFetch(origin: string, fetch: Fetch = defaultFetch(origin)): Fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== origin) throw failureError(elsewhere(url))
    const response = await named(() => fetch(input, { ...init, redirect: 'manual' }))
    if (!isRedirect(response.status)) return response
    await response.body?.cancel()
    throw failureError(redirected(response, url))
  }
}

/** Reads the environment at the first request. */
function defaultFetch(origin: string): Fetch {
  let chosen: Fetch | undefined
  return (input, init) => (chosen ??= chooseFetch(origin))(input, init)
}

function chooseFetch(origin: string): Fetch {
  const isPrivate = isPrivateHost(new URL(origin).hostname)
  const proxy = proxyFor(origin)
  if (proxy !== null) return proxiedFetch(proxy, isPrivate ? PATIENCE_MS : USUAL_PATIENCE_MS)
  return isPrivate ? patientFetch() : globalThis.fetch
}

/** The time-out of Node's own `fetch`. */
const USUAL_PATIENCE_MS = 5 * 60_000

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

const elsewhere = (url: URL): ServiceFailure => ({
  code: 'refused-redirect',
  summary: `a request to ${url.origin} was not sent: it is not the configured host`,
})

/** The target goes into the body, whose text is shown only if it repeats no input and no secret: a path may hold either. */
function redirected(response: Response, from: URL): ServiceFailure {
  const location = response.headers.get('location') ?? ''
  const target = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined
  return {
    code: 'refused-redirect',
    status: response.status,
    body: target === undefined ? 'an address that cannot be read' : target.origin + target.pathname,
  }
}

/** Anything `fetch` throws except an abort is a failed connection, whether or not its code is known. */
async function named(send: () => Promise<Response>): Promise<Response> {
  try {
    return await send()
  } catch (error) {
    if (typeof error !== 'object' || error === null) throw failureError({ code: 'unavailable' }, error)
    // A failure attached by the `fetch` beneath is more precise than one derived here.
    if (Reflect.get(error, 'name') === 'AbortError' || notedFailure(error) !== undefined) throw error
    throw noteFailure(error, transportFailure(error) ?? { code: 'unavailable', summary: 'the connection failed' })
  }
}
