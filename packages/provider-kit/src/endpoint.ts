import { isIP } from 'node:net'
import { configError } from './config-error.ts'

/** Names that only resolve inside a machine or a local network (RFC 6761, 6762, 8375, and ICANN's `internal`). */
const PRIVATE_NAME = /^(?:[^.]+|.*\.(?:localhost|local|lan|internal|home\.arpa))$/
/** Loopback, link-local, RFC 1918, and the carrier range that overlay networks use. */
const PRIVATE_V4 =
  /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|0\.0\.0\.0$)/
const PRIVATE_V6 = /^(?:::1?$|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/
const MAPPED_V4 = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/

/** True for a host on this machine or network, by its name or address alone. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
  if (isIP(host) === 4) return PRIVATE_V4.test(host)
  if (isIP(host) === 6) return PRIVATE_V6.test(host) || PRIVATE_V4.test(mappedV4(host))
  return PRIVATE_NAME.test(host)
}

/** `::ffff:7f00:1` is `127.0.0.1`. */
function mappedV4(host: string): string {
  const match = MAPPED_V4.exec(host)
  if (match === null) return ''
  const [high, low] = [Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * The address of a service, checked: https, or plain http on this machine or network only; without credentials, query or fragment.
 * Throws a `config` error that names no part of what might be a secret.
 */
export function parseBaseUrl(provider: string, baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !['https:', 'http:'].includes(url.protocol))
    throw configError(provider, 'the base URL is not an http or https address', 'Give one such as https://host/v1.')
  if (url.username !== '' || url.password !== '')
    throw configError(provider, 'the base URL holds credentials', 'Give the key as an option or a header.')
  if (url.search !== '' || url.hash !== '')
    throw configError(
      provider,
      'the base URL has a query or a fragment',
      'Give the address only; keys belong in options or headers.',
    )
  if (url.protocol === 'http:' && !isPrivateHost(url.hostname))
    throw configError(provider, `plain http to ${url.hostname}, which is not on this machine or network`, 'Use https.')
  return url
}

/**
 * The URL of a local server's address as people write it for the server itself: `host:8080`, or `host` alone, which means the server's
 * usual port. An address with a scheme stays as it is.
 */
export function serverUrl(address: string, usualPort: number): string {
  const given = address.trim()
  if (given.includes('://')) return given
  const [host = ''] = /^(?:\[[^\]]*\]|[^/:?#]*)(?::\d*)?/.exec(given) ?? []
  return `http://${/:\d+$/.test(host) ? host : `${host.replace(/:$/, '')}:${usualPort}`}${given.slice(host.length)}`
}

/** One spelling per address, for a vector space: scheme and host in lower case, no default port, no trailing slash. */
export function normaliseEndpoint(url: URL): string {
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/{2,}/g, '/')
}

/**
 * The base of an OpenAI-style service: `http://h`, `http://h/`, `http://h/v1` and `http://h/v1/` are one. `/v1` is added where no
 * part of the path is a version; an address that ends in `/embeddings` is taken as it is.
 */
export function openAIStyleBase(url: URL): string {
  const endpoint = normaliseEndpoint(url)
  if (endpoint.endsWith('/embeddings')) return endpoint.slice(0, -'/embeddings'.length)
  return /\/v\d[^/]*(?:\/|$)/.test(url.pathname) ? endpoint : `${endpoint}/v1`
}
