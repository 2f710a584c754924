import { failingFetch, type Fetch, guardedFetch } from '@mnemark/provider-kit'
import type { MistralCore } from '@mistralai/mistralai/core.js'
import type { EmbeddingRequest } from '@mistralai/mistralai/models/components/embeddingrequest.js'
import { refineFailure } from './failure.ts'

export interface ClientSettings {
  readonly apiKey: string
  /** Without `/v1`, which the SDK adds. */
  readonly serverUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch | undefined
}

/** One request through the SDK: the service's answer as it came, or as the SDK read it. */
export type MistralEmbed = (request: EmbeddingRequest, signal: AbortSignal) => Promise<unknown>

/** The SDK's embeddings, loaded with the first call and shared by those that come meanwhile. */
export function lazyEmbed(settings: ClientSettings): MistralEmbed {
  let loading: Promise<MistralEmbed> | undefined
  return async (request, signal) => (await (loading ??= load(settings)))(request, signal)
}

async function load(settings: ClientSettings): Promise<MistralEmbed> {
  // The single function and not the client of all of them, which is twice the modules.
  const [client, { embeddingsCreate }, { ResponseValidationError }] = await Promise.all([
    createClient(settings),
    import('@mistralai/mistralai/funcs/embeddingsCreate.js'),
    import('@mistralai/mistralai/models/errors/responsevalidationerror.js'),
  ])
  return async (request, signal) => {
    const result = await embeddingsCreate(client, request, { signal, headers: { ...settings.headers } })
    if (result.ok) return result.value
    // It wants fields that nothing here needs.
    if (result.error instanceof ResponseValidationError) return result.error.rawValue
    throw result.error
  }
}

/** Where none is given and `MISTRAL_DEBUG` is set, the SDK prints all texts. This one stops it before it copies a body to print. */
const NO_LOGGER = {
  group: (): void => {
    throw new Error('nothing is logged')
  },
  groupEnd: (): void => {},
  log: (): void => {},
}

async function createClient({ apiKey, serverUrl, fetch }: ClientSettings): Promise<MistralCore> {
  const [core, { HTTPClient }, { SDKHooks }] = await Promise.all([
    import('@mistralai/mistralai/core.js'),
    import('@mistralai/mistralai/lib/http.js'),
    import('@mistralai/mistralai/hooks/hooks.js'),
  ])
  const fetcher = failingFetch(guardedFetch(new URL(serverUrl).origin, fetch), refineFailure)
  const options = {
    apiKey,
    serverURL: serverUrl,
    httpClient: new HTTPClient({ fetcher }),
    retryConfig: { strategy: 'none' } as const,
    debugLogger: NO_LOGGER,
    hooks: withoutHooks(new SDKHooks()),
  }
  return new core.MistralCore(options)
}

/** They print, and send records of requests to wherever `MISTRAL_SDK_TELEMETRY` and `MISTRAL_OTLP_TRACES_ENDPOINT` say. */
function withoutHooks<
  Hooks extends Record<'sdkInitHooks' | 'beforeRequestHooks' | 'afterSuccessHooks' | 'afterErrorHooks', unknown[]>,
>(hooks: Hooks): Hooks {
  return Object.assign(hooks, { sdkInitHooks: [], beforeRequestHooks: [], afterSuccessHooks: [], afterErrorHooks: [] })
}
