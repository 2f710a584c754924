import { BlockList, isIP } from 'node:net'
import { failureError } from '../failure/service-failure.ts'

export interface ChosenProxy {
  /** May hold a password: only `host` may be shown. */
  readonly url: URL
  readonly host: string
  /** The environment variable that names it. */
  readonly variable: string
}

type Environment = Readonly<Record<string, string | undefined>>

const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
}
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks:'])

/**
 * The proxy that the environment names for a URL, by curl's rules: `HTTPS_PROXY` or `HTTP_PROXY` by scheme, else `ALL_PROXY`,
 * lower-case names first; null if none is set or `NO_PROXY` names the host. Throws a `config` failure for an unusable one.
 */
export function proxyFor(address: string, environment: Environment = process.env): ChosenProxy | null {
  const { protocol, hostname, port } = new URL(address)
  const variable = VARIABLES[protocol]?.find((name) => filled(environment[name]) !== '')
  if (variable === undefined || isExcepted(hostname, port || defaultPort(protocol), exceptions(environment))) return null
  const written = filled(environment[variable])
  const text = written.includes('://') ? written : `http://${written}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && SCHEMES.has(url.protocol) && url.hostname !== '') return { url, host: url.host, variable }
  throw failureError({
    code: 'config',
    summary: `${variable} names no proxy that can be used`,
    nextStep: `Set ${variable} to an address such as http://proxy.example:3128 or socks5://proxy.example:1080, or unset it.`,
  })
}

const filled = (value: string | undefined): string => value?.trim() ?? ''
const defaultPort = (protocol: string): string => (protocol === 'https:' ? '443' : '80')

function exceptions(environment: Environment): readonly string[] {
  const text = filled(environment['no_proxy']) || filled(environment['NO_PROXY'])
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
}

/** `*`; a name with all below it, with or without a dot or `*.` before it; an address; a network such as `10.0.0.0/8`; each with a port or without. */
function isExcepted(hostname: string, port: string, entries: readonly string[]): boolean {
  const host = withoutBrackets(hostname.toLowerCase()).replace(/\.$/, '')
  return entries.some((entry) => {
    if (entry === '*') return true
    const { name, port: only } = split(entry)
    if (only !== undefined && only !== port) return false
    if (isIP(host) !== 0) return isWithin(host, name)
    const domain = name.replace(/^\*?\./, '').replace(/\.$/, '')
    return domain !== '' && (host === domain || host.endsWith(`.${domain}`))
  })
}

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')

function split(entry: string): { readonly name: string; readonly port?: string } {
  // Outside brackets, the colons of an IPv6 address do not start a port.
  const [, name = entry, port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? []
  return { name: withoutBrackets(name), ...(port === undefined ? {} : { port }) }
}

function isWithin(address: string, name: string): boolean {
  const [network = '', bits] = name.split('/')
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(network) === 0) return false
  const list = new BlockList()
  if (bits === undefined) list.addAddress(network, family)
  else if (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv6' ? 128 : 32)) list.addSubnet(network, Number(bits), family)
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
