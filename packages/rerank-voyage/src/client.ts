import { failingFetch, type Fetch, guardedFetch, jsonOrText, limitedFetch } from '@mnemark/provider-kit'
import type { RerankRequest } from 'voyageai'
import { refineFailure } from './failure.ts'

export interface ClientSettings {
  readonly apiKey: string
  /** With `/v1`. */
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch | undefined
}

/** Makes one request through the SDK. Returns the service's answer unchecked; rejects with what our own `fetch` threw. */
export type VoyageRerank = (request: RerankRequest, signal: AbortSignal) => Promise<unknown>

/** The longest a timer of Node can run, in whole seconds: time-outs are the caller's. */
const NO_TIMEOUT_SECONDS = Math.floor((2 ** 31 - 1) / 1000)

/** The SDK's rerank, loaded with the first call and shared by calls made meanwhile. */
export function lazyRerank(settings: ClientSettings): VoyageRerank {
  let loading: Promise<VoyageRerank> | undefined
  return async (request, signal) => (await (loading ??= load(settings)))(request, signal)
}

async function load({ apiKey, baseUrl, headers, fetch }: ClientSettings): Promise<VoyageRerank> {
  // The generated client: the one around it runs some models itself, by way of packages of several hundred megabytes.
  const { GeneratedVoyageAIClient } = await import('voyageai')
  const send = failingFetch(limitedFetch(guardedFetch(new URL(baseUrl).origin, fetch)), refineFailure)
  return async (request, signal) => {
    let answer: Promise<unknown> = Promise.resolve(undefined)
    const client = new GeneratedVoyageAIClient({
      apiKey,
      baseUrl,
      headers: { ...headers },
      maxRetries: 0,
      timeoutInSeconds: NO_TIMEOUT_SECONDS,
      // The SDK gets an empty success instead, because it prints unexpected parts of an answer, keeps only the message of an error,
      // and leaves its timer running after one.
      fetch: async (input, init) => {
        answer = send(input, init).then(async (response) => jsonOrText(await response.text()))
        await answer.catch(() => {})
        return new Response('{}')
      },
    })
    await client.rerank(request, { abortSignal: signal })
    return answer
  }
}
