import { isPrivateHost, notedFailure, proxyFor } from '@mnemark/provider-kit'
import type { EmbeddingProvider } from '@mnemark/spec'
import type { Check } from './check.ts'
import { withoutUndefined } from '../config/without-undefined.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Lists the proxy of each provider, from the environment, without its password; empty if there is none. */
export function checkProxies(providers: readonly EmbeddingProvider[], environment: Environment): readonly Check[] {
  const endpoints = new Set(providers.flatMap(({ space }) => space.endpoint ?? []))
  return [...endpoints].flatMap((endpoint) => checkProxy(new URL(endpoint), environment) ?? [])
}

function checkProxy(endpoint: URL, environment: Environment): Check | null {
  try {
    const proxy = proxyFor(endpoint.href, environment)
    if (proxy === null) return null
    const message = `${endpoint.host} is asked through ${proxy.host} (${proxy.variable})`
    if (!isPrivateHost(endpoint.hostname)) return { name: 'proxy', status: 'ok', message }
    const next = `Name ${endpoint.hostname} in NO_PROXY, unless notes for it are to pass through the proxy.`
    return { name: 'proxy', status: 'warning', message: `${message}, though it is on this machine or network`, next }
  } catch (error) {
    const failure = typeof error === 'object' && error !== null ? notedFailure(error) : undefined
    if (failure === undefined) throw error
    return {
      name: 'proxy',
      status: 'failed',
      message: failure.summary ?? 'the proxy cannot be used',
      ...withoutUndefined({ next: failure.nextStep }),
    }
  }
}
