import { type CallOptions, type Degradation, ProviderError, type Reranker } from '@mnemark/spec'
import { attempt } from '../calls/attempt.ts'
import { type CallEffects, effectsOf } from '../calls/call-effects.ts'
import { callWithRetries } from '../calls/call-with-retries.ts'
import { type BreakerState, circuitBreaker } from '../calls/circuit-breaker.ts'
import { Throttle } from '../calls/throttle.ts'
import type { TokenAllowance } from '../calls/token-allowance.ts'
import { estimateTokens } from '../text/estimate-tokens.ts'
import { checkedScores, requireReranker, serviceOf } from './guard-reranker.ts'

export interface AskRerankerOptions extends CallEffects {
  /** Milliseconds for one answer, the retry included. */
  readonly timeoutMs: number
  /** Undefined = no limit of tokens a day. */
  readonly allowance?: TokenAllowance | undefined
}
export interface RerankQuestion extends CallOptions {
  readonly query: string
  readonly passages: readonly string[]
}
/** One score per passage, or the reason why there is none. */
export type RerankAnswer = { readonly scores: readonly number[] } | { readonly skipped: Degradation }

/** Rejects only with the reason of the caller's signal. */
export type AskReranker = (question: RerankQuestion) => Promise<RerankAnswer>

export interface AskedReranker {
  readonly ask: AskReranker
  readonly health: BreakerState
}

/** One retry, after at most half of the time. */
const ATTEMPTS = 2
const LATE = { what: 'scores', advice: 'allow reranking more time (`reranking.timeoutMs`)' }

/**
 * Wraps one reranker, with one retry inside the time limit. After a failure it rests, for 30 seconds at first and then longer;
 * questions asked meanwhile are skipped at once. Throws ProviderError `config` for a value that is no reranker.
 */
export function askedReranker(reranker: Reranker, { timeoutMs, allowance, ...own }: AskRerankerOptions): AskedReranker {
  requireReranker(reranker)
  const effects = effectsOf(own)
  const service = serviceOf(reranker)
  const name = `${service.provider} (${service.model})`
  const breaker = circuitBreaker({ now: effects.now })
  const retry = { attempts: ATTEMPTS, totalMs: timeoutMs, longestWaitMs: timeoutMs / 2 }

  const request = ({ query, passages, signal }: RerankQuestion) =>
    callWithRetries(
      (leftMs) =>
        attempt((both) => checkedScores(reranker, { query, passages, signal: both }), {
          service,
          timeoutMs: leftMs,
          sleep: effects.sleep,
          late: LATE,
          signal,
        }),
      { retry, effects, throttle: new Throttle(effects, 1), signal },
    )

  const ask: AskReranker = async (question) => {
    question.signal?.throwIfAborted()
    const tokens = estimateOf(question)
    if (allowance !== undefined && !(await allowance.take(tokens))) return { skipped: overBudget(name, allowance.limit) }
    let used = 0
    try {
      if (!breaker.tryPass()) return { skipped: skipped(breaker.state.cause?.message ?? `${name} does not answer.`, true) }
      const { scores, usage } = await request(question)
      breaker.succeeded()
      used = usage?.inputTokens ?? tokens
      return { scores }
    } catch (error) {
      if (question.signal?.aborted === true || !ProviderError.isInstance(error)) {
        breaker.abandoned()
        throw question.signal?.aborted === true ? question.signal.reason : error
      }
      if (error.code === 'cancelled') breaker.abandoned()
      else breaker.failed(error)
      // An answer that cannot be used is billed all the same.
      if (error.code === 'bad-response') used = tokens
      return { skipped: skipped(error.message, false) }
    } finally {
      allowance?.settle(tokens, used)
    }
  }
  return {
    ask,
    get health() {
      return breaker.state
    },
  }
}

/** Services count the query once for each passage. */
function estimateOf({ query, passages }: RerankQuestion): number {
  const each = estimateTokens(query)
  return passages.reduce((sum, passage) => sum + each + estimateTokens(passage), 0)
}

function skipped(cause: string, isResting: boolean): Degradation {
  const rest = isResting ? ' It rests after that and is tried again later.' : ''
  return { code: 'rerank-skipped', message: `the hits are not reranked: ${cause}${rest}` }
}

function overBudget(name: string, limit: number): Degradation {
  const message = `the hits are not reranked: ${name} may get ${limit} tokens a day (\`reranking.dailyTokens\`), and these passages are over it. Raise it, or wait until tomorrow.`
  return { code: 'budget-reached', message }
}
