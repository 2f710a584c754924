import type { FinishReason, GenerateReply, GenerateRequest, JsonSchema, TextGenerator } from '@mnemark/spec'
import type { FailureContext } from '../failure/provider-failure.ts'
import { failureError, type ServiceFailure } from '../failure/service-failure.ts'
import { MAX_REPLY_BYTES } from '../fetch/limited-fetch.ts'
import { schemaCheck } from '../reply/schema-check.ts'
import { tokenCount } from '../reply/token-count.ts'
import { checkGenerateRequest, requireTexts } from '../request/check-generate-request.ts'
import { checkPrices, optionalCount, requireText } from './check-options.ts'
import { closeOnce } from './close-once.ts'
import { freezeOptions } from './freeze-options.ts'
import { guardCall } from './guard-call.ts'

/** The request an adapter gets: checked, and well-formed (lone surrogates are already U+FFFD, since no service accepts them). */
export interface RawGenerateRequest {
  /** If empty, adapters leave it out. */
  readonly system: string
  readonly prompt: string
  /** The service should enforce it; an adapter asks for it in words only if the service cannot. */
  readonly schema?: JsonSchema
  /** The lower of the request's limit and the generator's. */
  readonly maxOutputTokens?: number
  /** Aborts when the caller's signal does, or at the time-out. */
  readonly signal: AbortSignal
}

/** An answer as the service gave it. Nothing of it is trusted. */
export interface RawGenerateReply {
  /** Null or undefined if there is none, which is allowed unless `finishReason` is `stop`. */
  readonly text: unknown
  /** Undefined for a word that the adapter does not know: a `bad-response`. */
  readonly finishReason: FinishReason | undefined
  /** Reported only where both are whole numbers from 1, or the output 0. */
  readonly inputTokens?: unknown
  readonly outputTokens?: unknown
}

export interface TextGeneratorDefinition {
  readonly provider: string
  /** Normalised; null for models of this process. */
  readonly endpoint: string | null
  readonly model: string
  readonly traits: TextGenerator['traits']
  /** With `countTokens`, requests that leave no room in it are refused as `input-too-long` before they are sent. */
  readonly contextWindow?: number | undefined
  readonly maxOutputTokens?: number | undefined
  /** Keys and header values that no error may show. The list may change; it is read when an error is made. */
  readonly secrets?: readonly string[]
  /** Ends one request as `unavailable`. Default: only the caller's signal ends it. */
  readonly timeoutMs?: number | undefined
  /** Sends at most one request, without retry; throws whatever its SDK throws. Takes from the reply only what it needs, untrusted. */
  generate(request: RawGenerateRequest): Promise<RawGenerateReply>
  /** Reads status, headers and body from an error of the SDK. Undefined for errors that are not the service's. */
  readFailure?(error: unknown): ServiceFailure | undefined
  countTokens?(text: string): number
  /** Called once at most. */
  close?(): Promise<void>
}

/**
 * Makes a generator of an adapter: checks requests before anything is sent, checks answers against their schema, and turns anything
 * thrown into a `ProviderError` without secrets and texts. Throws a `config` error for invalid settings.
 */
export function defineTextGenerator(definition: TextGeneratorDefinition): TextGenerator & AsyncDisposable {
  const { provider, endpoint, model, contextWindow, maxOutputTokens, timeoutMs } = definition
  requireText(provider, 'model', model)
  optionalCount(provider, 'contextWindow', contextWindow)
  optionalCount(provider, 'maxOutputTokens', maxOutputTokens)
  optionalCount(provider, 'timeoutMs', timeoutMs)
  const { usdPerMillionInput, usdPerMillionOutput } = definition.traits
  checkPrices(provider, { usdPerMillionInput, usdPerMillionOutput })
  const close = definition.close && closeOnce(() => definition.close?.())
  return Object.freeze({
    specVersion: 'v1' as const,
    provider,
    endpoint,
    model,
    traits: freezeOptions(definition.traits),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    generate: async (request: GenerateRequest) => {
      requireTexts(request)
      const call = { context: contextOf(definition, request), signal: request.signal, timeoutMs, lateness: 'no answer' }
      return guardCall(call, (signal) => attempt(definition, request, signal))
    },
    ...(definition.countTokens === undefined ? {} : { countTokens: (text: string) => definition.countTokens?.(text) ?? 0 }),
    ...(close === undefined ? {} : { close }),
    [Symbol.asyncDispose]: close ?? (async () => {}),
  })
}

async function attempt(
  definition: TextGeneratorDefinition,
  request: GenerateRequest,
  signal: AbortSignal,
): Promise<GenerateReply> {
  const { traits, contextWindow } = definition
  checkGenerateRequest(request, {
    traits,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(definition.countTokens === undefined ? {} : { countTokens: definition.countTokens.bind(definition) }),
  })
  const { system, prompt, schema } = request
  const checkAnswer = schema === undefined ? undefined : await schemaCheck(schema)
  // Loading the check may have taken a moment, in which the caller gave up.
  signal.throwIfAborted()
  const limit = Math.min(request.maxOutputTokens ?? Infinity, definition.maxOutputTokens ?? Infinity)
  const reply = await definition.generate({
    system: system.toWellFormed(),
    prompt: prompt.toWellFormed(),
    ...(schema === undefined ? {} : { schema }),
    ...(limit === Infinity ? {} : { maxOutputTokens: limit }),
    signal,
  })
  const finishReason = checkedReason(reply.finishReason)
  const text = checkedText(reply.text, finishReason)
  if (finishReason === 'stop') checkAnswer?.(text)
  return { text, finishReason, ...usageOf(reply) }
}

const contextOf = (definition: TextGeneratorDefinition, { system, prompt }: GenerateRequest): FailureContext => ({
  provider: definition.provider,
  model: definition.model,
  secrets: definition.secrets ?? [],
  texts: [system, prompt],
  readFailure: definition.readFailure?.bind(definition),
  nextSteps: {
    'invalid-input': 'Check the model, and whether it takes a schema and so long an answer.',
    'input-too-long': 'Send a shorter prompt.',
    'bad-response': 'Check that the base URL leads to a chat service, and the model.',
  },
})

const bad = (summary: string): Error => failureError({ code: 'bad-response', summary })

const REASONS: readonly unknown[] = ['stop', 'length', 'refused', 'filtered'] satisfies readonly FinishReason[]

function checkedReason(reason: FinishReason | undefined): FinishReason {
  if (reason === undefined || !REASONS.includes(reason)) throw bad('the answer gives no known reason for its end')
  return reason
}

function checkedText(text: unknown, reason: FinishReason): string {
  if (reason !== 'stop' && (text === null || text === undefined)) return ''
  if (typeof text !== 'string') throw bad('the answer has no text')
  if (Buffer.byteLength(text) > MAX_REPLY_BYTES) throw bad(`the answer is longer than ${MAX_REPLY_BYTES} bytes`)
  if (reason === 'stop' && text.trim() === '') throw bad('the answer is empty')
  // An answer may be cut within a character.
  return text.toWellFormed()
}

function usageOf(reply: RawGenerateReply): Pick<GenerateReply, 'usage'> {
  const inputTokens = tokenCount(reply.inputTokens)
  // An answer that was refused or held back may have none.
  const outputTokens = reply.outputTokens === 0 ? 0 : tokenCount(reply.outputTokens)
  return inputTokens === undefined || outputTokens === undefined ? {} : { usage: { inputTokens, outputTokens } }
}
