import type { EmbeddingProvider } from '@mnemark/spec'
import { createOpenAICompatible, type InputTypeMapping } from '@mnemark/embed-openai-compatible'
import {
  configError,
  failingFetch,
  freezeOptions,
  guardedFetch,
  modelFamily,
  optionalCount,
  requireText,
} from '@mnemark/provider-kit'
import { refineFailure } from './failure.ts'
import type { LMStudioEmbeddingOptions, LMStudioInputType } from './options.ts'
import { serverAddress } from './server-address.ts'

const DEFAULT_ID = 'lmstudio'
/** The context length, in tokens, with which the app loads embedding models by default. */
const DEFAULT_CONTEXT = 2048

/**
 * A provider on an LM Studio server. Throws a `config` error at once for a missing model, an invalid address, an input type of no
 * known form, and sizes that are no whole numbers. The first call may load the model, which can take minutes.
 */
export function createLMStudio(given: LMStudioEmbeddingOptions): EmbeddingProvider & AsyncDisposable {
  const options = freezeOptions(given)
  const id = requireText(DEFAULT_ID, 'id', options.id ?? DEFAULT_ID)
  const model = requireText(id, 'model', options.model)
  const address = serverAddress(id, options.baseUrl)
  const idleSeconds = optionalCount(id, 'idleSeconds', options.idleSeconds)
  const { dimensions, apiKey, headers, traits, timeoutMs, fetch } = options
  return createOpenAICompatible({
    id,
    baseUrl: `${address}/v1`,
    model,
    inputType: inputTypeOf(id, model, options.inputType),
    dimensions,
    // It would not look at it.
    dimensionsField: null,
    ...(idleSeconds === undefined ? {} : { callBody: { ttl: idleSeconds } }),
    limits: { ...tokenLimit(id, model, options.contextTokens), ...options.limits },
    apiKey,
    headers,
    traits,
    timeoutMs,
    fetch: failingFetch(guardedFetch(new URL(address).origin, fetch), (failure) => refineFailure(failure, model)),
  })
}

function inputTypeOf(id: string, model: string, inputType: LMStudioInputType | undefined): InputTypeMapping {
  if (inputType === undefined) {
    const prefix = modelFamily(model)?.prefix
    return prefix === undefined ? 'symmetric' : { prefix }
  }
  // A caller without types may pass anything; fields of the body are not read by the server.
  const prefix: unknown = Reflect.get(Object(inputType), 'prefix')
  if (inputType === 'symmetric' || typeof prefix === 'object') return inputType
  throw configError(id, 'inputType has no known form', "Use 'symmetric' or { prefix: { query, document } }.")
}

function tokenLimit(id: string, model: string, contextTokens: number | undefined): { readonly maxInputTokens?: number } {
  const given = optionalCount(id, 'contextTokens', contextTokens)
  const family = modelFamily(model)
  const tokens = given ?? (family === undefined ? undefined : Math.min(family.contextTokens, DEFAULT_CONTEXT))
  return tokens === undefined ? {} : { maxInputTokens: tokens }
}
