import type { Dispatcher } from 'undici'
import type { Fetch } from './fetch.ts'
import type { ChosenProxy } from './proxy-for.ts'
import { failureError, notedFailure } from '../failure/service-failure.ts'
import { transportFailure } from '../failure/transport-failure.ts'

/** One connection pool for each proxy of the process. */
const agents = new Map<string, Promise<Dispatcher>>()

/**
 * A `fetch` through a proxy: a tunnel for https, plain requests for http, as other programs do. Errors name the proxy, never its
 * password.
 */
export function proxiedFetch(proxy: ChosenProxy, patienceMs: number): Fetch {
  return async (input, init) => {
    const { fetch } = await import('undici')
    const dispatcher = await agentOf(proxy, patienceMs)
    const { url, ...request } = await plainRequest(input, init)
    try {
      // Node's `fetch` is made of this library: the types are the same under other names.
      const response = (await fetch(url, { ...request, dispatcher } as object)) as unknown as Response
      if (response.status !== 407) return response
      await response.body?.cancel()
    } catch (error) {
      throw named(error, proxy)
    }
    throw failureError({
      code: 'auth',
      status: 407,
      summary: `the proxy ${proxy.host} wants a user and a password`,
      nextStep: `Write them into ${proxy.variable}, as in http://user:password@host:port.`,
    })
  }
}

function agentOf({ url }: ChosenProxy, patienceMs: number): Promise<Dispatcher> {
  const key = `${url.href} ${patienceMs}`
  const known = agents.get(key) ?? openAgent(url, patienceMs)
  agents.set(key, known)
  return known
}

async function openAgent(url: URL, patienceMs: number): Promise<Dispatcher> {
  const { ProxyAgent } = await import('undici')
  const times = { headersTimeout: patienceMs, bodyTimeout: patienceMs }
  return new ProxyAgent({ uri: url.href.replace(/^socks:/, 'socks5:'), proxyTunnel: false, ...times })
}

/** The library does not know forms and requests of Node's own classes, so their parts are read out here. */
async function plainRequest(input: Parameters<Fetch>[0], init: Parameters<Fetch>[1]) {
  const isPlain = !(input instanceof Request) && (init?.body === undefined || init.body === null || typeof init.body === 'string')
  if (isPlain) return { ...init, url: String(input) }
  const request = new Request(input, init)
  const { method, headers, redirect, signal } = request
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
  return { url: request.url, method, headers: Object.fromEntries(headers), redirect, signal: init?.signal ?? signal, body }
}

function named(error: unknown, { host, variable }: ChosenProxy): unknown {
  if (typeof error !== 'object' || error === null || Reflect.get(error, 'name') === 'AbortError') return error
  const failure = notedFailure(error) ?? transportFailure(error) ?? { code: 'unavailable', summary: 'the connection failed' }
  const summary = `${failure.summary ?? 'the connection failed'} through the proxy ${host}`
  const nextStep = `Check the proxy that ${variable} names, or name the service's host in NO_PROXY.`
  return failureError({ ...failure, summary, nextStep }, error)
}
