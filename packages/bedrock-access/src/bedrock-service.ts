import { checkHeaders, isPrivateHost, normaliseEndpoint, parseBaseUrl, requireText, secretsOf } from '@mnemark/provider-kit'
import { type BedrockReply, converse, type ConverseRequest, invoke, type InvokeRequest } from './calls.ts'
import { lazyClient } from './client.ts'
import { accessOf } from './credentials.ts'
import type { BedrockAccessOptions } from './options.ts'
import { regionOf, regionOfHost } from './region.ts'

/** A model is the same in every region. */
const ENDPOINT = 'https://bedrock-runtime.amazonaws.com'

export interface BedrockModelPlace {
  /** The name of the model in next steps. */
  readonly name: string
  /** The one its ARN names. */
  readonly region: string | undefined
}

/** The way to one model: whoever asks adds what it asks. */
export interface BedrockService {
  /** Normalised: one for all endpoints of AWS's own, private ones too. */
  readonly endpoint: string
  readonly isLocal: boolean
  /** Whether the endpoint is AWS's own; a proxy may charge anything. */
  readonly isAws: boolean
  /** What no error may show: grows as keys become known, for the `secrets` of a definition. */
  readonly secrets: readonly string[]
  /** One request in the model's own JSON form. Rejects with what our own `fetch` threw. */
  invoke(request: InvokeRequest): Promise<BedrockReply>
  /** One request in the form that all chat models share. */
  converse(request: ConverseRequest): Promise<BedrockReply>
}

/**
 * Checks the options of an adapter and makes the way to its model. The SDK is loaded, and credentials and region are looked for, with the
 * first call. Throws a `config` error at once for regions that contradict each other, more than one way to authorise, and addresses,
 * keys and headers that cannot be.
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

/** Adds what has become known to `secrets`; of what was added, the oldest goes. */
function secretsKeeper(secrets: string[]): (found: readonly string[]) => void {
  const own = secrets.length
  return (found) => {
    secrets.push(...found.filter((secret) => !secrets.includes(secret)))
    secrets.splice(own, secrets.length - own - KEPT_SECRETS)
  }
}
