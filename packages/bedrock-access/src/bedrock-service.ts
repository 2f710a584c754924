import { checkHeaders, isPrivateHost, normaliseEndpoint, parseBaseUrl, requireText, secretsOf } from '@mnemark/provider-kit'
import { type BedrockReply, converse, type ConverseRequest, invoke, type InvokeRequest } from './calls.ts'
import { lazyClient } from './client.ts'
import { accessOf } from './credentials.ts'
import type { BedrockAccessOptions } from './options.ts'
import { regionOf, regionOfHost } from './region.ts'

/** One address for all regions, because a model is the same in each. */
const ENDPOINT = 'https://bedrock-runtime.amazonaws.com'

export interface BedrockModelPlace {
  /** The name of the model in next steps. */
  readonly name: string
  /** The region that its ARN names; undefined for other ids. */
  readonly region: string | undefined
}

/** Sends requests to one model; the adapter adds their content. */
export interface BedrockService {
  /** Normalised: one for all endpoints of AWS's own, private ones too. */
  readonly endpoint: string
  readonly isLocal: boolean
  /** Whether the endpoint is AWS's own; a proxy may charge anything. */
  readonly isAws: boolean
  /** Secrets that no error may show, for the `secrets` of a definition. The list changes as keys become known. */
  readonly secrets: readonly string[]
  /** One request in the model's own JSON form. Rejects with what our own `fetch` threw. */
  invoke(request: InvokeRequest): Promise<BedrockReply>
  /** One request in the form that all chat models share. */
  converse(request: ConverseRequest): Promise<BedrockReply>
}

/**
 * Checks the options of an adapter and returns the service for its model. The first call loads the SDK and looks for credentials and
 * region. Throws a `config` error at once for regions that contradict each other, for more than one way to authorise, and for invalid
 * addresses, keys and headers.
 */
export function bedrockService(provider: string, options: BedrockAccessOptions, model: BedrockModelPlace): BedrockService {
  const url =
    options.baseUrl === undefined ? undefined : parseBaseUrl(provider, requireText(provider, 'baseUrl', options.baseUrl))
  const headers = checkHeaders(provider, options.headers)
  const hostRegion = regionOfHost(url?.hostname ?? '')
  const isAws = url === undefined || hostRegion !== undefined
  const secrets: string[] = [...secretsOf(undefined, headers)]
  const send = lazyClient({
    access: accessOf(provider, options),
    region: regionOf(provider, { region: options.region, model: model.region, baseUrl: hostRegion }),
    baseUrl: url === undefined ? undefined : normaliseEndpoint(url),
    model: model.name,
    headers,
    fetch: options.fetch,
    learn: secretsKeeper(secrets),
  })
  return {
    endpoint: isAws ? ENDPOINT : normaliseEndpoint(url),
    isLocal: url !== undefined && isPrivateHost(url.hostname),
    isAws,
    secrets,
    invoke: (request) => send((client) => invoke(client, request)),
    converse: (request) => send((client) => converse(client, request)),
  }
}

/** How many temporary keys are kept for redaction: they change every hour, and a process may run for months. */
const KEPT_SECRETS = 12

/** Returns a function that adds secrets to the list, and of the added ones keeps only the newest. */
function secretsKeeper(secrets: string[]): (found: readonly string[]) => void {
  const own = secrets.length
  return (found) => {
    secrets.push(...found.filter((secret) => !secrets.includes(secret)))
    secrets.splice(own, secrets.length - own - KEPT_SECRETS)
  }
}
