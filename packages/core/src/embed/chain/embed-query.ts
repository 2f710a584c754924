import { type CallOptions, type EmbeddingProvider, type EmbeddingResult, ProviderError } from '@mnemark/spec'
import { estimateTokens } from '../../text/estimate-tokens.ts'
import { endOfText } from '../input/cut-text.ts'
import { type CallEffects, count, effectsOf } from '../../calls/call-effects.ts'
import { type EmbedTimeouts, timeoutMsFor } from '../embed-settings.ts'
import { type InputMeasure, measureFor } from '../input/measure-input.ts'
import { providerError } from '../../calls/provider-errors.ts'
import { send } from '../request/send.ts'
import { Throttle } from '../../calls/throttle.ts'

export interface EmbedQueryOptions extends CallOptions, CallEffects {
  /** `queryMs` bounds the whole call, retries and waits included. */
  readonly timeouts?: EmbedTimeouts | undefined
  /** Total tries of one request. Default 3. */
  readonly attempts?: number | undefined
}
export interface QueryEmbedding {
  /** Null where there is nothing to search for: a blank query, or one that the model knows nothing of. */
  readonly vector: Float32Array | null
  /** How much of the query the model knows, 0..1; scales the vector part of fusion. */
  readonly confidence: number
  /** True where the beginning of the query was left out. */
  readonly isShortened: boolean
  readonly usage?: { readonly inputTokens: number }
}

/** Someone waits for the answer: a service that asks for a longer pause is not waited for. */
const LONGEST_WAIT_MS = 5_000
const LEAST_TOKENS = 16

/**
 * Embeds a query. A query over the limit keeps its end, from a sentence or word on: a long prompt ends with its question.
 * Where the service takes less than it states, the query is halved until it fits. Rejects with the reason of the
 * caller's signal, or with a ProviderError: `unavailable` when the time is up.
 */
export async function embedQuery(
  provider: EmbeddingProvider,
  text: string,
  options: EmbedQueryOptions = {},
): Promise<QueryEmbedding> {
  options.signal?.throwIfAborted()
  if (text.trim() === '') return { vector: null, confidence: 1, isShortened: false }
  const ask = createAsk(provider, options)
  const measure = measureFor(provider)
  let sent = endWithin(text, measure, measure.limits.inputTokens)
  for (;;) {
    if (sent.trim() === '')
      throw providerError(provider.space, 'input-too-long', 'the end of the query is larger than a request may be.')
    try {
      return answerOf(await ask(sent), sent.length < text.length)
    } catch (error) {
      const fewer = Math.floor(measure.tokens(sent) / 2)
      if (!ProviderError.isInstance(error) || error.code !== 'input-too-long' || fewer < LEAST_TOKENS) throw error
      sent = endWithin(sent, measure, fewer)
    }
  }
}

function endWithin(text: string, { limits, tokens, bytes }: InputMeasure, maxTokens: number): string {
  const bytesOf = (part: string): number => bytes({ type: 'text', text: part })
  const fits = (part: string): boolean => tokens(part) <= maxTokens && bytesOf(part) <= limits.requestBytes
  if (fits(text)) return text
  const share = Math.min(1, maxTokens / Math.max(1, tokens(text)), limits.requestBytes / Math.max(1, bytesOf(text)))
  return endOfText(text, { fits, guessTokens: estimateTokens(text) * share })
}

/** All requests of one query share its time. */
function createAsk(
  provider: EmbeddingProvider,
  { signal, timeouts, attempts = 3, ...own }: EmbedQueryOptions,
): (text: string) => Promise<EmbeddingResult> {
  const effects = effectsOf(own)
  const timeoutMs = timeoutMsFor(provider, 'query', timeouts)
  let startedMs: number | undefined
  const retry = { attempts: count('attempts', attempts), longestWaitMs: LONGEST_WAIT_MS }
  const throttle = new Throttle(effects, 1)
  return (text) => {
    const nowMs = effects.now()
    startedMs ??= nowMs
    const totalMs = Math.max(1, startedMs + timeoutMs - nowMs)
    const context = { provider, inputType: 'query' as const, timeoutMs, retry: { ...retry, totalMs }, effects, throttle, signal }
    return send([{ type: 'text', text }], context)
  }
}

function answerOf({ vectors, confidence, usage }: EmbeddingResult, isShortened: boolean): QueryEmbedding {
  const [vector = null] = vectors
  return { vector, confidence: confidence?.[0] ?? 1, isShortened, ...(usage !== undefined && { usage }) }
}
