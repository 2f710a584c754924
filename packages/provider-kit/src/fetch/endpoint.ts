import { isIP } from 'node:net'
import { configError } from '../failure/config-error.ts'

/** Names that only resolve inside a machine or a local network (RFC 6761, 6762, 8375, and ICANN's `internal`). */
const PRIVATE_NAME = /^(?:[^.]+|.*\.(?:localhost|local|lan|internal|home\.arpa))$/
/** Loopback, RFC 1918, and the carrier range that overlay networks use. */
const PRIVATE_V4 = /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|0\.0\.0\.0$)/
const PRIVATE_V6 = /^(?:::1?$|f[cd][\da-f]{2}:)/
/** An IPv4 address inside an IPv6 address: mapped, compatible, or translated (RFC 6052). */
const MAPPED_V4 = /^(?:::(?:ffff:(?:0:)?)?|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})$/
/** The same at the front of the address: 6to4. */
const SIX_TO_FOUR = /^2002:([\da-f]{1,4}):([\da-f]{1,4})(?::|$)/
/** Link-local addresses, and those where clouds serve a machine's own credentials. */
const METADATA_V4 = /^(?:169\.254\.|100\.100\.100\.200$|192\.0\.0\.192$|168\.63\.129\.16$)/
const METADATA_V6 = /^(?:fe[89ab][\da-f]:|fd00:ec2::254$|fd20:ce::254$)/
const METADATA_NAME = /^(?:metadata|metadata\.google\.internal|metadata\.goog|instance-data|instance-data\.ec2\.internal)$/

/** True for a host on this machine or network, by its name or address; nothing is resolved. */
export function isPrivateHost(hostname: string): boolean {
  const host = bareHost(hostname)
  if (isMetadataHost(host)) return false
  if (isIP(host) === 4) return PRIVATE_V4.test(host)
  if (isIP(host) === 6) return PRIVATE_V6.test(host) || PRIVATE_V4.test(mappedV4(host))
  return PRIVATE_NAME.test(host)
}

function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

/** True for link-local addresses and cloud metadata names; no provider runs there. */
function isMetadataHost(host: string): boolean {
  if (isIP(host) === 4) return METADATA_V4.test(host)
  if (isIP(host) === 6) return METADATA_V6.test(host) || METADATA_V4.test(mappedV4(host))
  return METADATA_NAME.test(host)
}

/** `::ffff:7f00:1` is `127.0.0.1`. */
function mappedV4(host: string): string {
  const match = MAPPED_V4.exec(host) ?? SIX_TO_FOUR.exec(host)
  if (match === null) return ''
  const [high, low] = [Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * Checks and parses the base URL of a service: https, or plain http on this machine or network only; without credentials, query
 * or fragment. Throws a `config` error that shows no part of what might be a secret.
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
  // The message omits the host name: it may hold a key from a replaced variable.
  if (isMetadataHost(bareHost(url.hostname)))
    throw configError(provider, 'the base URL is a link-local or metadata address', 'Give the address of the service.')
  if (url.protocol === 'http:' && !isPrivateHost(url.hostname))
    throw configError(provider, 'plain http to a host that is not on this machine or network', 'Use https.')
  return url
}

/**
 * Turns the address of a local server as people write it, `host:8080` or `host` with the usual port, into a URL. An address with
 * a scheme stays as it is.
 */
export function serverUrl(address: string, usualPort: number): string {
  const given = address.trim()
  if (given.includes('://')) return given
  const [host = ''] = /^(?:\[[^\]]*\]|[^/:?#]*)(?::\d*)?/.exec(given) ?? []
  return `http://${/:\d+$/.test(host) ? host : `${host.replace(/:$/, '')}:${usualPort}`}${given.slice(host.length)}`
}

/** One spelling per URL, for a vector space: scheme and host in lower case, no default port, no trailing slash. */
export function normaliseEndpoint(url: URL): string {
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/{2,}/g, '/')
}

/**
 * The base URL of an OpenAI-style service: `http://h`, `http://h/`, `http://h/v1` and `http://h/v1/` are the same. `/v1` is added
 * if no part of the path is a version; a URL that ends in `/embeddings` stays as it is.
 */
export function openAIStyleBase(url: URL): string {
  const endpoint = normaliseEndpoint(url)
  if (endpoint.endsWith('/embeddings')) return endpoint.slice(0, -'/embeddings'.length)
  return /\/v\d[^/]*(?:\/|$)/.test(url.pathname) ? endpoint : `${endpoint}/v1`
}
