import type {
  EmbeddingInput,
  EmbeddingLimits,
  EmbeddingProvider,
  EmbeddingRequest,
  EmbeddingResult,
  InputType,
  Modality,
  VectorSpace,
} from '@mnemark/spec'
import { optionalCount, requireText } from './check-options.ts'
import type { EmbeddingBatchDefinition } from '../batch/embedding-batch-definition.ts'
import { checkRequest, requireInputs } from '../request/check-request.ts'
import { closeOnce } from './close-once.ts'
import { type BatchContext, defineEmbeddingBatch, type VectorLength } from './define-embedding-batch.ts'
import { freezeOptions } from './freeze-options.ts'
import { guardCall } from './guard-call.ts'
import type { FailureContext } from '../failure/provider-failure.ts'
import type { RawEmbeddingReply } from '../reply/raw-embedding.ts'
import { readVectors } from '../reply/read-vectors.ts'
import { tokenCount } from '../reply/token-count.ts'
import { failureError, type ServiceFailure } from '../failure/service-failure.ts'

/**
 * The request an adapter gets: checked, not empty, and well-formed (lone surrogates are already U+FFFD, since no service accepts
 * them).
 */
export interface RawEmbeddingRequest {
  readonly inputs: readonly EmbeddingInput[]
  /** The texts among the inputs: all of them, for a provider of text. */
  readonly texts: readonly string[]
  readonly inputType: InputType
  /** Aborts when the caller's signal does, or at the time-out. */
  readonly signal: AbortSignal
}

export interface EmbeddingProviderDefinition {
  readonly space: VectorSpace
  readonly limits: EmbeddingLimits
  /** Default: text. */
  readonly modalities?: readonly Modality[]
  /** `vectorWeight` defaults to 0.7. */
  readonly traits: Partial<EmbeddingProvider['traits']> & Pick<EmbeddingProvider['traits'], 'isLocal'>
  /** The model's vector length if known; requested dimensions take precedence. If unknown, the first answer fixes it. */
  readonly dimensions?: number | undefined
  /** Keys and header values that no error may show. The list may change; it is read when an error is made. */
  readonly secrets?: readonly string[]
  /** Ends a request as `unavailable` after this time. Default: only the caller's signal ends it. */
  readonly timeoutMs?: number | undefined
  /** True if null is a valid answer (the model knows nothing in the input). Default: a null is refused as a gap. */
  readonly hasNullVectors?: boolean
  /**
   * Sends at most one request, without retry; throws whatever its SDK throws. Takes from the reply only what it needs, untrusted.
   */
  embed(request: RawEmbeddingRequest): Promise<RawEmbeddingReply>
  /** Reads status, headers and body from an error of the SDK. Undefined for errors that are not the service's. */
  readFailure?(error: unknown): ServiceFailure | undefined
  countTokens?(text: string): number
  /** Present only if the service runs offline jobs. */
  readonly batch?: EmbeddingBatchDefinition | undefined
  /** Called once at most. */
  close?(): Promise<void>
}

const DEFAULT_VECTOR_WEIGHT = 0.7
/** Calls about a job are small and answered at once; transfers of files have no limit. */
const BATCH_CALL_TIMEOUT_MS = 120_000
const TEXT: readonly Modality[] = ['text']

/**
 * Makes a provider of an adapter: checks requests before anything is sent, puts vectors in input order, checks and scales them,
 * and turns anything thrown into a `ProviderError` without secrets. Throws a `config` error for invalid limits or names.
 */
export function defineEmbeddingProvider(definition: EmbeddingProviderDefinition): EmbeddingProvider & AsyncDisposable {
  const space = freezeOptions(definition.space)
  const modalities = freezeOptions(definition.modalities ?? TEXT)
  const limits = checkedLimits(space.provider, definition.limits)
  requireText(space.provider, 'model', space.model)
  optionalCount(space.provider, 'dimensions', space.requestedDimensions ?? undefined)
  optionalCount(space.provider, 'timeoutMs', definition.timeoutMs)
  const length: VectorLength = { dimensions: space.requestedDimensions ?? definition.dimensions }
  const attempt = createAttempt(definition, { limits, modalities, length })
  const close = definition.close && closeOnce(() => definition.close?.())
  return Object.freeze({
    specVersion: 'v1' as const,
    space,
    limits,
    modalities,
    traits: freezeOptions({ vectorWeight: DEFAULT_VECTOR_WEIGHT, ...definition.traits }),
    embed: async (request: EmbeddingRequest) => {
      requireInputs(request.inputs)
      const call = {
        context: contextOf(definition, request.inputs),
        signal: request.signal,
        timeoutMs: definition.timeoutMs,
        lateness: 'no embeddings',
      }
      return guardCall(call, (signal) => attempt(request, signal))
    },
    ...(definition.countTokens === undefined ? {} : { countTokens: (text: string) => definition.countTokens?.(text) ?? 0 }),
    ...(definition.batch === undefined
      ? {}
      : { batch: defineEmbeddingBatch(definition.batch, batchContext(definition, length)) }),
    ...(close === undefined ? {} : { close }),
    [Symbol.asyncDispose]: close ?? (async () => {}),
  })
}

type Attempt = (request: EmbeddingRequest, signal: AbortSignal) => Promise<EmbeddingResult>

function createAttempt(
  definition: EmbeddingProviderDefinition,
  { limits, modalities, length }: Pick<EmbeddingProvider, 'limits' | 'modalities'> & { readonly length: VectorLength },
): Attempt {
  const hasNullVectors = definition.hasNullVectors ?? false
  return async (request, signal) => {
    if (request.inputs.length === 0) return { vectors: [] }
    checkRequest(request, { limits, modalities, countTokens: definition.countTokens?.bind(definition) })
    const inputs = request.inputs.map(wellFormed)
    const reply = await definition.embed({ inputs, texts: textsOf(inputs), inputType: request.inputType, signal })
    const vectors = readVectors(reply.embeddings, { count: inputs.length, ...length, hasNullVectors })
    length.dimensions ??= vectors.find((vector) => vector !== null)?.length
    return { vectors, ...usageOf(reply.inputTokens), ...confidenceOf(reply.confidence, inputs.length) }
  }
}

const batchContext = (definition: EmbeddingProviderDefinition, length: VectorLength): BatchContext => ({
  failures: contextOf(definition, []),
  length,
  timeoutMs: definition.timeoutMs ?? BATCH_CALL_TIMEOUT_MS,
})

const contextOf = (definition: EmbeddingProviderDefinition, inputs: readonly EmbeddingInput[]): FailureContext => ({
  provider: definition.space.provider,
  model: definition.space.model,
  secrets: definition.secrets ?? [],
  texts: inputs.map((input) => (input.type === 'text' ? input.text : input.label)),
  readFailure: definition.readFailure?.bind(definition),
})

function checkedLimits(provider: string, limits: EmbeddingLimits): EmbeddingLimits {
  for (const name of ['maxInputs', 'maxInputTokens', 'maxRequestTokens', 'maxRequestBytes', 'concurrency'] as const)
    optionalCount(provider, `limits.${name}`, limits[name])
  return freezeOptions(limits)
}

const wellFormed = (input: EmbeddingInput): EmbeddingInput =>
  input.type === 'text' && !input.text.isWellFormed() ? { ...input, text: input.text.toWellFormed() } : input

const textsOf = (inputs: readonly EmbeddingInput[]): readonly string[] =>
  inputs.flatMap((input) => (input.type === 'text' ? [input.text] : []))

function usageOf(tokens: unknown): Pick<EmbeddingResult, 'usage'> {
  const inputTokens = tokenCount(tokens)
  return inputTokens === undefined ? {} : { usage: { inputTokens } }
}

function confidenceOf(confidence: readonly number[] | undefined, count: number): Pick<EmbeddingResult, 'confidence'> {
  if (confidence === undefined) return {}
  if (confidence.length !== count || !confidence.every((value) => value >= 0 && value <= 1))
    throw failureError({ code: 'bad-response', summary: 'the confidence of the answer is not one number from 0 to 1 per input' })
  return { confidence }
}
