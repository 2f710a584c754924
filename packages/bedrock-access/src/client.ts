import { failingFetch, failureError, type Fetch, guardedFetch, limitedFetch, type ServiceFailure } from '@mnemark/provider-kit'
import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { type BedrockAccess, credentialsOf, bearerKey } from './credentials.ts'
import { refineFailure } from './failure.ts'
import { isRegion } from './region.ts'

export interface ClientSettings {
  readonly access: BedrockAccess
  /** Undefined = determined with the first request. */
  readonly region: string | undefined
  /** Undefined = the service's own in the region. */
  readonly baseUrl: string | undefined
  /** The model's name for the error's next step. */
  readonly model: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch | undefined
  /** Receives secrets that no error may show, as soon as they are known. */
  readonly learn: (secrets: readonly string[]) => void
}

/** Runs one call of the SDK with the client. */
export type Send = <Reply>(call: (client: BedrockRuntimeClient) => Promise<Reply>) => Promise<Reply>

/**
 * Makes the client with the first call. After refused credentials or a missing region the next call makes a new one, because somebody
 * may have signed in to the profile meanwhile.
 */
export function lazyClient(settings: ClientSettings): Send {
  let opening: Promise<BedrockRuntimeClient> | undefined
  const forget = (): void => void (opening = undefined)
  return async <Reply>(call: (client: BedrockRuntimeClient) => Promise<Reply>): Promise<Reply> => {
    opening ??= open(settings, forget).catch((error: unknown) => {
      forget()
      throw error
    })
    return call(await opening)
  }
}

async function open(settings: ClientSettings, onRefusal: () => void): Promise<BedrockRuntimeClient> {
  const client = await create(settings, onRefusal)
  const region = await client.config.region().catch(() => undefined)
  if (region !== undefined && isRegion(region)) return client
  const fallback = process.env['AWS_DEFAULT_REGION']?.trim() ?? ''
  if (region === undefined && isRegion(fallback)) return create({ ...settings, region: fallback }, onRefusal)
  throw failureError({
    code: 'config',
    summary: region === undefined ? 'no AWS region is set' : 'the AWS region of the environment or the profile is none',
    nextStep: 'Set region, AWS_REGION, or the region of the profile, to one where the model is offered, such as us-east-1.',
  })
}

async function create(settings: ClientSettings, onRefusal: () => void): Promise<BedrockRuntimeClient> {
  const { access, region, baseUrl, learn } = settings
  const sdk = await import('@aws-sdk/client-bedrock-runtime')
  const key = bearerKey(access)
  if (key !== undefined) learn([key])
  return new sdk.BedrockRuntimeClient({
    ...(key === undefined && access.kind !== 'key'
      ? { credentials: credentialsOf(access, learn), authSchemePreference: ['sigv4'] }
      : { token: { token: key ?? '' }, authSchemePreference: ['httpBearerAuth'] }),
    ...(region === undefined ? {} : { region }),
    ...(access.kind === 'found' && access.profile !== undefined ? { profile: access.profile } : {}),
    ...(baseUrl === undefined ? { ignoreConfiguredEndpointUrls: true } : { endpoint: baseUrl }),
    // `auto`, which the environment may set, asks the machine's metadata service.
    defaultsMode: 'standard',
    maxAttempts: 1,
    // `adaptive`, which it may also set, makes requests wait.
    retryMode: 'standard',
    requestHandler: handlerOf(settings, onRefusal),
  })
}

/** The used part of the SDK's own type; the request is signed, so signed parts must not change. */
interface SignedRequest {
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

/** `fetch` sets them itself, to the same values. */
const OWN_HEADERS = ['host', 'content-length']

/** Sends the SDK's signed requests through `fetch`, over HTTP/1.1: one way to the network for all providers, with its checks. */
function handlerOf({ model, headers, fetch }: ClientSettings, onRefusal: () => void) {
  const refine = (failure: ServiceFailure): ServiceFailure => {
    const refined = refineFailure(failure, model)
    if (refined.code === 'auth' || refined.status === 403) onRefusal()
    return refined
  }
  return {
    async handle(request: SignedRequest, { abortSignal }: { readonly abortSignal?: AbortSignal } = {}) {
      const { protocol, hostname, port, path, method, body = '' } = request
      const origin = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`
      const send = failingFetch(limitedFetch(guardedFetch(new URL(origin).origin, fetch)), refine)
      const signed = Object.entries(request.headers).filter(([name]) => !OWN_HEADERS.includes(name.toLowerCase()))
      const response = await send(origin + path, {
        method,
        headers: { ...headers, ...Object.fromEntries(signed) },
        // By its memory: asked for its value, the SDK's own kind of bytes prints a warning.
        body: typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(),
        ...(abortSignal === undefined ? {} : { signal: abortSignal }),
      })
      const bytes = new Uint8Array(await response.arrayBuffer())
      return { response: { statusCode: response.status, headers: Object.fromEntries(response.headers), body: bytes } }
    },
  }
}
