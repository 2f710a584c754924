import { failingFetch, type Fetch, guardedFetch, jsonOrText } from '@mnemark/provider-kit'
import type { EmbedRequest } from 'voyageai'
import { refineFailure } from './failure.ts'

export interface ClientSettings {
  readonly apiKey: string
  /** With `/v1`. */
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch | undefined
}

/** One request through the SDK: answers what the service did, as it came; rejects with what our own `fetch` threw. */
export type VoyageEmbed = (request: EmbedRequest, signal: AbortSignal) => Promise<unknown>

/** The longest a timer of Node can run, in whole seconds: time-outs are the caller's. */
const NO_TIMEOUT_SECONDS = Math.floor((2 ** 31 - 1) / 1000)

/** The SDK's embed, loaded with the first call and shared by calls made meanwhile. */
export function lazyEmbed(settings: ClientSettings): VoyageEmbed {
  let loading: Promise<VoyageEmbed> | undefined
  return async (request, signal) => (await (loading ??= load(settings)))(request, signal)
}

async function load({ apiKey, baseUrl, headers, fetch }: ClientSettings): Promise<VoyageEmbed> {
  // The generated client: the one around it runs some models itself, by way of packages of several hundred megabytes.
  const { GeneratedVoyageAIClient } = await import('voyageai')
  const send = failingFetch(guardedFetch(new URL(baseUrl).origin, fetch), refineFailure)
  return async (request, signal) => {
    const exchange = new Exchange(send)
    const client = new GeneratedVoyageAIClient({
      apiKey,
      baseUrl,
      headers: { ...headers },
      maxRetries: 0,
      timeoutInSeconds: NO_TIMEOUT_SECONDS,
      fetch: exchange.fetch,
    })
    await client.embed(request, { abortSignal: signal })
    return exchange.reply()
  }
}

/**
 * One request and its answer, beside the SDK. The SDK prints every number of an answer that it does not expect, keeps nothing of an
 * error but the message, and after one leaves its timer running, which keeps the process alive: so it gets to see an empty success.
 */
class Exchange {
  readonly fetch: Fetch
  #answer: Promise<unknown> = Promise.resolve(undefined)

  constructor(send: Fetch) {
    this.fetch = async (input, init) => {
      this.#answer = send(input, init).then(async (response) => jsonOrText(await response.text()))
      await this.#answer.catch(() => {})
      return new Response('{}')
    }
  }

  reply(): Promise<unknown> {
    return this.#answer
  }
}
