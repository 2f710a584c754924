import { failingFetch, type Fetch, guardedFetch, limitedFetch } from '@mnemark/provider-kit'
import type { MistralCore } from '@mistralai/mistralai/core.js'
import type { RequestOptions } from '@mistralai/mistralai/lib/sdks.js'
import { refineFailure } from './failure.ts'

export interface ClientSettings {
  readonly apiKey: string
  /** Without `/v1`, which the SDK adds. */
  readonly serverUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch | undefined
}

/** The first argument of the SDK's functions. */
export interface MistralClient {
  readonly core: MistralCore
  options(signal: AbortSignal): RequestOptions
}

/** The SDK's client, loaded with the first call and shared by calls made meanwhile. */
export function lazyClient(settings: ClientSettings): () => Promise<MistralClient> {
  let loading: Promise<MistralClient> | undefined
  return () => (loading ??= load(settings))
}

/**
 * Without a logger, and with `MISTRAL_DEBUG` set, the SDK prints all texts. This one stops it before it copies a body to print.
 */
const NO_LOGGER = {
  group: (): void => {
    throw new Error('nothing is logged')
  },
  groupEnd: (): void => {},
  log: (): void => {},
}

async function load({ apiKey, serverUrl, headers, fetch }: ClientSettings): Promise<MistralClient> {
  // The parts alone: the whole client loads twice the modules.
  const [{ MistralCore: Core }, { HTTPClient }, { SDKHooks }] = await Promise.all([
    import('@mistralai/mistralai/core.js'),
    import('@mistralai/mistralai/lib/http.js'),
    import('@mistralai/mistralai/hooks/hooks.js'),
  ])
  const fetcher = failingFetch(limitedFetch(guardedFetch(new URL(serverUrl).origin, fetch)), refineFailure)
  const options = {
    apiKey,
    serverURL: serverUrl,
    httpClient: new HTTPClient({ fetcher }),
    retryConfig: { strategy: 'none' } as const,
    debugLogger: NO_LOGGER,
    hooks: withoutHooks(new SDKHooks()),
  }
  return { core: new Core(options), options: (signal) => ({ signal, headers: { ...headers } }) }
}

type Hooks = Record<'sdkInitHooks' | 'beforeRequestHooks' | 'afterSuccessHooks' | 'afterErrorHooks', unknown[]>

/**
 * The SDK's hooks print, and send records of requests to the targets of `MISTRAL_SDK_TELEMETRY` and
 * `MISTRAL_OTLP_TRACES_ENDPOINT`.
 */
function withoutHooks<Given extends Hooks>(hooks: Given): Given {
  return Object.assign(hooks, { sdkInitHooks: [], beforeRequestHooks: [], afterSuccessHooks: [], afterErrorHooks: [] })
}
