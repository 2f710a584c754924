import { type EmbeddingProvider, type InputType, ProviderError, type ProviderErrorCode } from '@mnemark/spec'
import { knownToAISDK } from '@mnemark/provider-kit'
import {
  type AISDKEmbeddingCall,
  type AISDKEmbeddingModel,
  type AISDKSpecificationVersion,
  MAX_INPUT_BYTES,
} from './ai-sdk-model.ts'

export interface ToAISDKOptions<Version extends AISDKSpecificationVersion = AISDKSpecificationVersion> {
  /** The input type, which the AI SDK does not know. A call may override it: `providerOptions: { mnemark: { inputType } }`. */
  readonly inputType: InputType
  /** `v2` for `ai` 5, `v3` for `ai` 6. Default `v4`, for `ai` 7. */
  readonly specificationVersion?: Version | undefined
}

/** An embedding model in the form `embed` and `embedMany` of the AI SDK accept. */
export interface AISDKModelOf<Version extends AISDKSpecificationVersion> extends AISDKEmbeddingModel {
  readonly specificationVersion: Version
  readonly maxEmbeddingsPerCall: number
  readonly supportsParallelCalls: boolean
  doEmbed(options: AISDKEmbeddingCall): Promise<{ embeddings: number[][]; usage?: { tokens: number }; warnings: [] }>
}

/**
 * An embedding model of the AI SDK on a provider. The AI SDK recognises its `ProviderError`s as its own errors, so it retries
 * those that may be retried, after the requested wait. A text without a vector is an error there.
 */
export function toAISDK<const Version extends AISDKSpecificationVersion = 'v4'>(
  provider: EmbeddingProvider,
  options: ToAISDKOptions<Version>,
): AISDKModelOf<Version> {
  const { inputType } = options
  // If none is given, the type parameter has its default.
  const specificationVersion = options.specificationVersion ?? ('v4' as Version)
  const { space, limits } = provider
  const maxBytes = Math.min(
    limits.maxRequestBytes ?? Number.POSITIVE_INFINITY,
    limits.maxRequestTokens ?? Number.POSITIVE_INFINITY,
  )
  return {
    specificationVersion,
    provider: `mnemark.${space.provider}`,
    modelId: space.model,
    maxEmbeddingsPerCall: limits.maxInputs,
    supportsParallelCalls: limits.concurrency > 1,
    // A token has at least one byte, so a limit in tokens is also safe as a limit in bytes.
    ...(Number.isFinite(maxBytes) ? { [MAX_INPUT_BYTES]: maxBytes } : {}),
    doEmbed: (call) =>
      embedded(provider, { ...call, inputType: inputTypeOf(call) ?? inputType }).catch((error: unknown) => {
        throw knownToAISDK(error, space.endpoint)
      }),
  }
}

const inputTypeOf = ({ providerOptions }: AISDKEmbeddingCall): InputType | undefined =>
  // The provider refuses a wrong one before anything is sent.
  providerOptions?.['mnemark']?.['inputType'] as InputType | undefined

const dimensionsOf = ({ dimensions, providerOptions }: AISDKEmbeddingCall): unknown =>
  dimensions ?? providerOptions?.['mnemark']?.['dimensions']

interface Call extends AISDKEmbeddingCall {
  readonly inputType: InputType
}

async function embedded(
  provider: EmbeddingProvider,
  call: Call,
): Promise<{ embeddings: number[][]; usage?: { tokens: number }; warnings: [] }> {
  const wanted = dimensionsOf(call)
  const { requestedDimensions } = provider.space
  if (requestedDimensions !== null) checkLength(provider, wanted, requestedDimensions)
  const { vectors, usage } = await provider.embed({
    inputs: call.values.map((text) => ({ type: 'text', text })),
    inputType: call.inputType,
    signal: call.abortSignal,
  })
  const unknown = vectors.flatMap((vector, index) => (vector === null ? [index] : []))
  if (unknown.length > 0) throw refused(provider, 'invalid-input', 'the model has nothing to say about an input', unknown)
  const embeddings = vectors.map((vector) => Array.from(vector ?? []))
  if (embeddings[0] !== undefined) checkLength(provider, wanted, embeddings[0].length)
  return { embeddings, warnings: [], ...(usage === undefined ? {} : { usage: { tokens: usage.inputTokens } }) }
}

/** The length is set when the provider is made, since it is part of the vector space. */
function checkLength(provider: EmbeddingProvider, wanted: unknown, given: number): void {
  if (wanted !== undefined && wanted !== given)
    throw refused(provider, 'invalid-input', `${String(wanted)} dimensions were asked for, but the provider is made for ${given}`)
}

function refused(
  { space }: EmbeddingProvider,
  code: ProviderErrorCode,
  what: string,
  inputIndexes: readonly number[] = [],
): ProviderError {
  return new ProviderError(code, `${space.provider} (${space.model}): ${what}.`, {
    provider: space.provider,
    ...(inputIndexes.length === 0 ? {} : { inputIndexes }),
  })
}
