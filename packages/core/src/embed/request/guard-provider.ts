import type { BatchOutcome, EmbeddingBatch, EmbeddingProvider, EmbeddingResult } from '@mnemark/spec'
import { asProviderError, providerError } from '../../calls/provider-errors.ts'

/** Includes guarded providers, so that none is guarded twice. */
const GUARDED = new WeakMap<EmbeddingProvider, EmbeddingProvider>()

/**
 * Makes any provider keep its contract: as many vectors as inputs, finite, of one length and of unit length; it rejects
 * with a ProviderError, or the reason of the caller's signal. Throws ProviderError `config` for a value that is no
 * provider.
 */
export function guardProvider(provider: EmbeddingProvider): EmbeddingProvider {
  const known = GUARDED.get(provider)
  if (known !== undefined) return known
  requireShape(provider)
  const { specVersion, space, limits, modalities, traits, batch } = provider
  const length: LearntLength = { dimensions: space.requestedDimensions ?? undefined }
  const guarded: EmbeddingProvider = {
    specVersion,
    space,
    limits,
    modalities,
    traits,
    embed: async (request) => {
      const result = await guardedCall(provider, () => provider.embed(request), request.signal)
      return checkedResult(provider, result, { count: request.inputs.length, length })
    },
    ...(provider.countTokens !== undefined && { countTokens: (text: string) => checkedCount(provider, text) }),
    ...(batch !== undefined && { batch: guardBatch(provider, batch, length) }),
    ...(provider.close !== undefined && { close: () => guardedCall(provider, async () => provider.close?.()) }),
  }
  GUARDED.set(provider, guarded)
  GUARDED.set(guarded, guarded)
  return guarded
}

/** Set by the first vector where no length was requested. */
interface LearntLength {
  dimensions: number | undefined
}

/**
 * Rejects with the reason of the signal, or with a ProviderError; the cause of any other error is dropped, since its
 * message may hold anything.
 */
async function guardedCall<Value>(
  provider: EmbeddingProvider,
  call: () => Promise<Value>,
  signal?: AbortSignal | undefined,
): Promise<Value> {
  try {
    return await call()
  } catch (error) {
    throw signal?.aborted ? signal.reason : asProviderError(provider.space, error)
  }
}

/** Callers without types may pass anything. */
function requireShape(provider: EmbeddingProvider): void {
  const { space, limits, traits, embed }: Partial<EmbeddingProvider> = Object(provider)
  const problem =
    typeof space?.provider !== 'string' || typeof space.model !== 'string'
      ? 'space.provider and space.model must be texts'
      : !Number.isSafeInteger(limits?.maxInputs) || (limits?.maxInputs ?? 0) < 1
        ? 'limits.maxInputs must be a whole number from 1'
        : typeof traits?.vectorWeight !== 'number' || typeof traits.isLocal !== 'boolean'
          ? 'traits.vectorWeight must be a number, traits.isLocal true or false'
          : typeof embed === 'function'
            ? undefined
            : 'embed must be a function'
  if (problem === undefined) return
  const named = { provider: space?.provider ?? 'a provider', model: space?.model ?? 'unknown' }
  throw providerError(named, 'config', `${problem}. Make providers with defineEmbeddingProvider of @mnemark/provider-kit.`)
}

interface Expected {
  readonly count: number
  readonly length: LearntLength
}

function checkedResult(provider: EmbeddingProvider, result: EmbeddingResult, { count, length }: Expected): EmbeddingResult {
  const { vectors, confidence, usage }: Partial<EmbeddingResult> = Object(result)
  if (!Array.isArray(vectors))
    throw providerError(provider.space, 'bad-response', 'the answer has no list of vectors. Check the adapter.')
  if (vectors.length !== count)
    throw providerError(provider.space, 'bad-response', `${vectors.length} vectors for ${count} inputs. Check the adapter.`, {
      isUnordered: true,
    })
  const unit = vectors.map((vector: unknown) => (vector === null ? null : unitVector(provider, vector)))
  const lengths = new Set(unit.flatMap((vector) => vector?.length ?? []))
  const [first] = lengths
  const expected = length.dimensions ?? first
  const odd = [...lengths].find((each) => each !== expected)
  if (odd !== undefined)
    throw providerError(
      provider.space,
      'bad-response',
      `a vector of ${odd} numbers where ${expected} were expected. Check the model.`,
    )
  length.dimensions = expected
  return { vectors: unit, ...confidenceOf(provider, confidence, count), ...usageOf(usage) }
}

/** Tolerance for rounding in single precision. */
const UNIT_TOLERANCE = 1e-4

function unitVector(provider: EmbeddingProvider, given: unknown): Float32Array {
  const isList = Array.isArray(given) || given instanceof Float32Array || given instanceof Float64Array
  if (!isList || given.length === 0)
    throw providerError(provider.space, 'bad-response', 'a vector is no list of numbers. Check the adapter.')
  let squares = 0
  for (let at = 0; at < given.length; at++) {
    const value: unknown = given[at]
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw providerError(provider.space, 'bad-response', 'a vector has an entry that is no finite number. Check the model.')
    squares += value * value
  }
  const norm = Math.sqrt(squares)
  if (!(norm > 0 && norm < Number.POSITIVE_INFINITY))
    throw providerError(provider.space, 'bad-response', 'a vector has no direction: all zeros, or too large. Check the model.')
  if (given instanceof Float32Array && Math.abs(norm - 1) < UNIT_TOLERANCE) return given
  return Float32Array.from(given, (value) => Number(value) / norm)
}

function confidenceOf(provider: EmbeddingProvider, confidence: unknown, count: number): Pick<EmbeddingResult, 'confidence'> {
  if (confidence === undefined) return {}
  const isSound = Array.isArray(confidence) && confidence.length === count && confidence.every((each) => each >= 0 && each <= 1)
  if (!isSound) throw providerError(provider.space, 'bad-response', 'confidence is not one number from 0 to 1 for each input.')
  return { confidence }
}

/** An impossible usage is not reported. */
function usageOf(usage: EmbeddingResult['usage']): Pick<EmbeddingResult, 'usage'> {
  return Number.isFinite(usage?.inputTokens) && usage !== undefined && usage.inputTokens > 0 ? { usage } : {}
}

function checkedCount(provider: EmbeddingProvider, text: string): number {
  let count: unknown
  try {
    count = provider.countTokens?.(text)
  } catch (error) {
    throw asProviderError(provider.space, error)
  }
  if (typeof count === 'number' && count >= 0 && count < Number.POSITIVE_INFINITY) return count
  throw providerError(provider.space, 'bad-response', 'countTokens must answer a number from 0. Check the adapter.')
}

function guardBatch(provider: EmbeddingProvider, batch: EmbeddingBatch, length: LearntLength): EmbeddingBatch {
  const { limits, priceFactor } = batch
  return {
    limits,
    ...(priceFactor !== undefined && { priceFactor }),
    // Errors of the caller's own items and steps pass unchanged.
    submit: (...request) => batch.submit(...request),
    find: (marker, options) => guardedCall(provider, () => batch.find(marker, options), options?.signal),
    poll: (handle, options) => guardedCall(provider, () => batch.poll(handle, options), options?.signal),
    results: (handle, options) =>
      checkedOutcomes(provider, () => batch.results(handle, options), { length, signal: options?.signal }),
    cancel: (handle, options) => guardedCall(provider, () => batch.cancel(handle, options), options?.signal),
    cleanUp: (job, options) => guardedCall(provider, () => batch.cleanUp(job, options), options?.signal),
  }
}

async function* checkedOutcomes(
  provider: EmbeddingProvider,
  outcomes: () => AsyncIterable<BatchOutcome>,
  { length, signal }: { readonly length: LearntLength; readonly signal: AbortSignal | undefined },
): AsyncGenerator<BatchOutcome> {
  try {
    for await (const outcome of outcomes()) yield checkedOutcome(provider, outcome, length)
  } catch (error) {
    throw signal?.aborted ? signal.reason : asProviderError(provider.space, error)
  }
}

function checkedOutcome(provider: EmbeddingProvider, outcome: BatchOutcome, length: LearntLength): BatchOutcome {
  if (!('vector' in outcome)) return { id: outcome.id, error: asProviderError(provider.space, outcome.error) }
  try {
    const [vector = null] = checkedResult(provider, { vectors: [outcome.vector] }, { count: 1, length }).vectors
    if (vector === null) throw providerError(provider.space, 'bad-response', 'a line of a job has no vector.')
    return { id: outcome.id, vector }
  } catch (error) {
    return { id: outcome.id, error: asProviderError(provider.space, error) }
  }
}
