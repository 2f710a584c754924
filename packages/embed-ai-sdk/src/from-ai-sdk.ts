import { canonicalJson, type EmbeddingLimits, type EmbeddingProvider, type InputType } from '@mnemark/spec'
import {
  aiSDKFailure,
  configError,
  defineEmbeddingProvider,
  failureError,
  freezeOptions,
  type RawEmbeddingReply,
  requireText,
} from '@mnemark/provider-kit'
import {
  AI_SDK_VERSIONS,
  type AISDKEmbeddingCall,
  type AISDKEmbeddingModel,
  type AISDKEmbeddingReply,
  type AISDKProviderOptions,
  MAX_INPUT_BYTES,
} from './ai-sdk-model.ts'

export interface FromAISDKOptions {
  /**
   * How the model tells a query from a document: not at all, or by provider options, as in
   * ``(inputType) => ({ voyage: { inputType } })``.
   */
  readonly inputType: 'symmetric' | ((inputType: InputType) => AISDKProviderOptions)
  /**
   * The vector length to request; another length in the answer is an error. Models of specification v4 are asked for it; older ones
   * need it among the provider options too. Default: not sent, and learnt from the first answer.
   */
  readonly dimensions?: number | undefined
  /** Sent with every call. Those for documents are part of the vector space. */
  readonly providerOptions?: AISDKProviderOptions | undefined
  /** Anything else that changes the vectors, such as settings of the model that do not show in the options. */
  readonly variant?: Readonly<Record<string, string>> | undefined
  /** The URL the model uses, which no model states: one model at two URLs is two vector spaces. Default: none. */
  readonly endpoint?: string | undefined
  /**
   * Default: the model's own `maxEmbeddingsPerCall` and bytes a call, 32 inputs if it states none; 2 requests at a time, or 1.
   */
  readonly limits?: Partial<EmbeddingLimits> | undefined
  /** Default: remote; vector weight 0.7; no price. */
  readonly traits?: Partial<EmbeddingProvider['traits']> | undefined
  /**
   * The keys that the model sends. With them, errors show the service's message, without the keys; otherwise only its status and
   * codes, since a key in the message could not be recognised.
   */
  readonly secrets?: readonly string[] | undefined
  /** Ends a request as `unavailable`. Default: only the caller's signal and the model end it. */
  readonly timeoutMs?: number | undefined
}

const DEFAULT_MAX_INPUTS = 32

/**
 * A provider on an embedding model of the AI SDK. Rejects with a `config` error for an invalid model, for invalid options, and
 * for a model without a limit if `limits.maxInputs` sets none.
 */
export async function fromAISDK(
  model: AISDKEmbeddingModel,
  options: FromAISDKOptions,
): Promise<EmbeddingProvider & AsyncDisposable> {
  const id = providerId(model)
  const limits = await modelLimits(id, model)
  return providerFrom(model, options, limits)
}

/** Makes the provider once the model has stated its limits. */
export function providerFrom(
  model: AISDKEmbeddingModel,
  given: FromAISDKOptions,
  modelLimits: Partial<EmbeddingLimits>,
): EmbeddingProvider & AsyncDisposable {
  const id = providerId(model)
  const options = freezeOptions(given)
  const { dimensions, secrets } = options
  const callOptions = {
    query: providerOptions(id, options, 'query'),
    document: providerOptions(id, options, 'document'),
  }
  return defineEmbeddingProvider({
    space: {
      provider: id,
      endpoint: options.endpoint ?? null,
      model: requireText(id, 'modelId', model.modelId),
      requestedDimensions: dimensions ?? null,
      variant: variantOf(callOptions.document, options.variant),
    },
    limits: checkedLimits(id, { maxInputs: DEFAULT_MAX_INPUTS, concurrency: 2, ...modelLimits, ...options.limits }),
    traits: { isLocal: false, ...options.traits },
    ...(secrets === undefined ? {} : { secrets }),
    timeoutMs: options.timeoutMs,
    embed: async ({ texts, inputType, signal }) => {
      const call: AISDKEmbeddingCall = {
        values: [...texts],
        abortSignal: signal,
        ...(dimensions === undefined ? {} : { dimensions }),
        ...(callOptions[inputType] === undefined ? {} : { providerOptions: callOptions[inputType] }),
      }
      try {
        return readReply(await model.doEmbed(call))
      } catch (error) {
        throw aiSDKFailure(error, { canShowWords: secrets !== undefined })
      }
    },
  })
}

/** Throws for an invalid model: callers without types may pass anything, such as its name. */
function providerId(model: AISDKEmbeddingModel): string {
  const { specificationVersion: version, provider, doEmbed } = Object(model)
  if (typeof doEmbed !== 'function')
    throw configError('ai-sdk', 'this is no embedding model', "Pass what the provider's package makes, not a name.")
  if (!AI_SDK_VERSIONS.includes(version))
    throw configError(
      'ai-sdk',
      `embedding models of specification ${JSON.stringify(version)} are not known`,
      `Use one of ${AI_SDK_VERSIONS.join(', ')}, or a newer version of this package.`,
    )
  return `ai-sdk:${requireText('ai-sdk', 'provider', provider)}`
}

async function modelLimits(id: string, model: AISDKEmbeddingModel): Promise<Partial<EmbeddingLimits>> {
  try {
    const bytes: unknown = await Reflect.get(model, MAX_INPUT_BYTES)
    const maxInputs = await model.maxEmbeddingsPerCall
    const isParallel = await model.supportsParallelCalls
    return {
      ...(maxInputs === undefined || maxInputs === null ? {} : { maxInputs }),
      ...(typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 1 ? { maxRequestBytes: bytes } : {}),
      ...(isParallel ? {} : { concurrency: 1 }),
    }
  } catch {
    // The message comes from the model and may hold a key.
    throw configError(id, 'the model failed to say how much it takes at a time', 'Check the settings of the model.')
  }
}

function checkedLimits(id: string, limits: EmbeddingLimits): EmbeddingLimits {
  if (limits.maxInputs === Number.POSITIVE_INFINITY)
    throw configError(id, 'the model takes any number of inputs', 'Set limits.maxInputs to what one request may hold.')
  return limits
}

function providerOptions(
  id: string,
  { inputType, providerOptions: common }: FromAISDKOptions,
  type: InputType,
): AISDKProviderOptions | undefined {
  if (inputType !== 'symmetric' && typeof inputType !== 'function')
    throw configError(
      id,
      'inputType is missing or has no known form',
      "Set it to 'symmetric', or to a function from the input type to provider options.",
    )
  const own = inputType === 'symmetric' ? {} : inputType(type)
  const names = [...new Set([...Object.keys(common ?? {}), ...Object.keys(own)])]
  if (names.length === 0) return undefined
  return freezeOptions(Object.fromEntries(names.map((name) => [name, { ...common?.[name], ...own[name] }])))
}

const variantOf = (
  document: AISDKProviderOptions | undefined,
  variant: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => ({
  ...(document === undefined ? {} : { providerOptions: canonicalJson(document) }),
  ...variant,
})

/** Models return vectors in the service's order (B51); if they pass on the service's reply, its positions count. */
function readReply(reply: AISDKEmbeddingReply): RawEmbeddingReply {
  const { embeddings, usage, response } = Object(reply)
  if (!Array.isArray(embeddings)) throw failureError({ code: 'bad-response', summary: 'the model answers without embeddings' })
  const data: unknown = Object(Object(response).body).data
  const entries: readonly unknown[] = Array.isArray(data) && data.length === embeddings.length ? data : []
  return {
    embeddings: embeddings.map((values: unknown, position) => ({ values, index: Object(entries[position]).index })),
    inputTokens: Object(usage).tokens,
  }
}
