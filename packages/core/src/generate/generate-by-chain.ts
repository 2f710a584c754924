import {
  type Degradation,
  type GenerateReply,
  type GenerateRequest,
  ProviderError,
  type ProviderErrorCode,
  type TextGenerator,
} from '@mnemark/spec'
import { attempt } from '../calls/attempt.ts'
import { type CallEffects, type CheckedEffects, count, effectsOf, positive } from '../calls/call-effects.ts'
import { callWithRetries } from '../calls/call-with-retries.ts'
import { type CircuitBreaker, circuitBreaker } from '../calls/circuit-breaker.ts'
import { providerError } from '../calls/provider-errors.ts'
import { Throttle } from '../calls/throttle.ts'
import type { TokenAllowance } from '../calls/token-allowance.ts'
import { estimateTokens } from '../text/estimate-tokens.ts'
import { checkedReply, nameOf, requireGenerator, serviceOf } from './guard-generator.ts'

/** A generator of the chain with its health. */
export interface GeneratorLink {
  readonly generator: TextGenerator
  readonly breaker: CircuitBreaker
}

export interface GenerateOptions extends CallEffects {
  /** Tries of one link in all. Default 3. */
  readonly attempts?: number | undefined
  /** Milliseconds that one request may take. Default 120,000, or 600,000 for a local model. */
  readonly timeoutMs?: number | undefined
  /** How long one link is tried, waits included. Default 900,000 ms. */
  readonly totalMs?: number | undefined
  /** Longest single wait; if a service asks for more, the next link is tried. Default 120,000 ms. */
  readonly longestWaitMs?: number | undefined
  /** Limits the tokens of a day. Default: no limit. */
  readonly allowance?: TokenAllowance | undefined
}

/** The answer of the first link that gave one. */
export interface ChainedReply extends GenerateReply {
  readonly link: GeneratorLink
  /** `fallback-provider`, with the cause, for each link that was passed over, in order. */
  readonly degraded: readonly Degradation[]
}

const TIMEOUT_MS = { remote: 120_000, local: 600_000 }
const LATE = { what: 'answer', advice: 'allow generating more time' }

/**
 * Errors about the request itself, which any link would refuse. After any other the next link is tried: `auth`, `quota`, `not-found`,
 * `unavailable`, `rate-limit`, `bad-response`, and errors about an address or settings.
 */
const ABOUT_REQUEST: ReadonlySet<ProviderErrorCode> = new Set(['invalid-input', 'input-too-long'])

/** The links in order. Throws ProviderError `config` for a value that is no generator. */
export function createGeneratorChain(
  generators: readonly TextGenerator[],
  { now }: Pick<CallEffects, 'now'> = {},
): readonly GeneratorLink[] {
  for (const generator of generators) requireGenerator(generator)
  return generators.map((generator) => ({ generator, breaker: circuitBreaker({ now }) }))
}

/**
 * Asks the first link that is not resting, with retries, and the next one if it fails. With a schema, links that honour
 * none are passed over. `length`, `refused` and `filtered` are answers, which the caller judges. Rejects with the reason
 * of the caller's signal; with the first error that is about the request; with ProviderError `quota` if the day's tokens
 * are used up; and if no link answers, with the error of the first.
 */
export async function generateByChain(
  links: readonly GeneratorLink[],
  request: GenerateRequest,
  options: GenerateOptions = {},
): Promise<ChainedReply> {
  request.signal?.throwIfAborted()
  const effects = effectsOf(options)
  const taken = await takeTokens(links, request, options.allowance)
  let used = 0
  const count = (tokens: number): void => {
    used += tokens
  }
  try {
    const reply = await firstAnswer(links, request, { ...options, effects, count })
    count(tokensOf(reply.link.generator, request, reply))
    return reply
  } finally {
    options.allowance?.settle(taken, used)
  }
}

async function firstAnswer(links: readonly GeneratorLink[], request: GenerateRequest, options: Asking): Promise<ChainedReply> {
  const passed: PassedLink[] = []
  for (const link of links) {
    const reply = await answerOf(link, request, options)
    if (!ProviderError.isInstance(reply)) {
      const degraded = passed.map((each) => fallback(link, each))
      return { ...reply, link, degraded }
    }
    if (ABOUT_REQUEST.has(reply.code) && !hasNoSchema(link, request)) throw reply
    passed.push({ link, error: reply })
  }
  const [first] = passed
  throw first?.error ?? new ProviderError('config', 'no text generator is given. Give the chain one.', { provider: 'none' })
}

interface PassedLink {
  readonly link: GeneratorLink
  readonly error: ProviderError
}

const hasNoSchema = ({ generator }: GeneratorLink, { schema }: GenerateRequest): boolean =>
  schema !== undefined && generator.traits.hasSchema === false

function fallback({ generator }: GeneratorLink, { error }: PassedLink): Degradation {
  return { code: 'fallback-provider', message: `${nameOf(generator)} answered: ${error.message}` }
}

/** One limit for all links together. Resolves to the tokens that were taken. */
async function takeTokens(
  [first]: readonly GeneratorLink[],
  request: GenerateRequest,
  allowance: TokenAllowance | undefined,
): Promise<number> {
  if (first === undefined || allowance === undefined) return 0
  const tokens = inputTokens(first.generator, request) + (request.maxOutputTokens ?? 0)
  if (await allowance.take(tokens)) return tokens
  const words = `today's ${allowance.limit} tokens (\`dailyTokens\`) leave no room for this request. Raise the limit, or wait until tomorrow.`
  throw providerError(serviceOf(first.generator), 'quota', words)
}

function inputTokens(generator: TextGenerator, { system, prompt, schema }: GenerateRequest): number {
  const count = (text: string): number => generator.countTokens?.(text) ?? estimateTokens(text)
  return count(system) + count(prompt) + (schema === undefined ? 0 : count(JSON.stringify(schema)))
}

type Asking = GenerateOptions & { readonly effects: CheckedEffects; readonly count: (tokens: number) => void }

/** The answer, or why this link gives none. Rejects when the caller's signal ended the call. */
async function answerOf(link: GeneratorLink, request: GenerateRequest, options: Asking): Promise<GenerateReply | ProviderError> {
  const { generator, breaker } = link
  if (hasNoSchema(link, request))
    return providerError(serviceOf(generator), 'invalid-input', 'it honours no schema, and one is asked for.')
  if (!breaker.tryPass()) return resting(link)
  try {
    const reply = await ask(generator, request, options)
    breaker.succeeded()
    return reply
  } catch (error) {
    if (!ProviderError.isInstance(error) || request.signal?.aborted === true) {
      breaker.abandoned()
      throw request.signal?.aborted === true ? request.signal.reason : error
    }
    // An answer that cannot be used is billed all the same.
    if (error.code === 'bad-response') options.count(inputTokens(generator, request))
    breaker.failed(error)
    return error
  }
}

function ask(generator: TextGenerator, request: GenerateRequest, options: Asking): Promise<GenerateReply> {
  const { signal } = request
  const { effects } = options
  const timeoutMs = positive('timeoutMs', options.timeoutMs ?? TIMEOUT_MS[generator.traits.isLocal ? 'local' : 'remote'])
  const retry = {
    attempts: count('attempts', options.attempts ?? 3),
    totalMs: positive('totalMs', options.totalMs ?? 900_000),
    longestWaitMs: positive('longestWaitMs', options.longestWaitMs ?? 120_000),
  }
  const service = serviceOf(generator)
  return callWithRetries(
    (leftMs) =>
      attempt((both) => checkedReply(generator, { ...request, signal: both }), {
        service,
        timeoutMs: Math.min(timeoutMs, leftMs),
        sleep: effects.sleep,
        late: LATE,
        signal,
      }),
    { retry, effects, throttle: new Throttle(effects, 1), signal },
  )
}

function resting({ generator, breaker }: GeneratorLink): ProviderError {
  const cause = breaker.state.cause?.message ?? 'another call is trying it.'
  return providerError(serviceOf(generator), 'unavailable', `it rests after a failure and is tried again later. ${cause}`)
}

function tokensOf(generator: TextGenerator, request: GenerateRequest, { text, usage }: GenerateReply): number {
  if (usage !== undefined) return usage.inputTokens + usage.outputTokens
  return inputTokens(generator, request) + (generator.countTokens?.(text) ?? estimateTokens(text))
}
