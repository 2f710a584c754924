import type { EmbeddingProvider, InputType } from '@mnemark/spec'
import {
  checkHeaders,
  configError,
  defineEmbeddingProvider,
  failureError,
  freezeOptions,
  isFields,
  isPrivateHost,
  modelFamily,
  normaliseEndpoint,
  optionalCount,
  parseBaseUrl,
  type PromptPrefix,
  type RawEmbeddingReply,
  requireKey,
  requireText,
  secretsOf,
  serverUrl,
} from '@mnemark/provider-kit'
import { lazyClient } from './client.ts'
import type { OllamaEmbeddingOptions, OllamaInputType } from './options.ts'

const DEFAULT_ID = 'ollama'
const USUAL_PORT = 11_434
const BASE_URL = `http://127.0.0.1:${USUAL_PORT}`
/** The memory for a batch grows quadratically, and notes are cut into far smaller pieces. */
const DEFAULT_CONTEXT = 2048
const NO_PREFIX: PromptPrefix = { query: '', document: '' }

/**
 * A provider on an Ollama server, through its own SDK, which is loaded with the first call. Throws a `config` error at once for an
 * invalid address, an unknown form of input type, and sizes that are no whole numbers.
 */
export function createOllama(given: OllamaEmbeddingOptions = {}): EmbeddingProvider & AsyncDisposable {
  const options = freezeOptions(given)
  const id = requireText(DEFAULT_ID, 'id', options.id ?? DEFAULT_ID)
  const url = parseBaseUrl(id, serverUrl(requireText(id, 'baseUrl', options.baseUrl ?? BASE_URL), USUAL_PORT))
  const endpoint = ollamaBase(url)
  const model = requireText(id, 'model', options.model ?? 'nomic-embed-text')
  const prefix = prefixOf(id, model, options.inputType)
  const contextSize = optionalCount(id, 'contextSize', options.contextSize) ?? defaultContext(model)
  const headers = headersOf(id, options)
  const fields = { model, ...fixedFields(id, contextSize, options) }
  const client = lazyClient({ baseUrl: endpoint, model, headers, fetch: options.fetch })
  return defineEmbeddingProvider({
    space: {
      provider: id,
      endpoint,
      // The default tag, which may be omitted.
      model: model.replace(/:latest$/, ''),
      requestedDimensions: options.dimensions ?? null,
      variant: variantOf(prefix, contextSize, options),
    },
    limits: { maxInputs: 32, concurrency: 1, ...tokenLimit(contextSize, options), ...options.limits },
    traits: { isLocal: isPrivateHost(url.hostname), ...options.traits },
    secrets: secretsOf(undefined, headers),
    timeoutMs: options.timeoutMs,
    embed: async ({ texts, inputType, signal }) => {
      const ollama = await client(signal)
      return readReply(await ollama.embed({ ...fields, input: prefixed(texts, prefix, inputType) }))
    },
  })
}

/** The SDK adds `/api/embed`; the path that other clients need at the end of the URL is removed. */
const ollamaBase = (url: URL): string => normaliseEndpoint(url).replace(/\/(?:v1|api)(?:\/embed(?:dings)?)?$/, '')

function prefixOf(id: string, model: string, inputType: OllamaInputType | undefined): PromptPrefix {
  if (inputType === undefined) return modelFamily(model)?.prefix ?? NO_PREFIX
  if (inputType === 'symmetric') return NO_PREFIX
  const { query, document }: Partial<PromptPrefix> = inputType?.prefix ?? {}
  if (typeof query === 'string' && typeof document === 'string') return { query, document }
  throw configError(id, 'inputType has no known form', "Use 'symmetric' or { prefix: { query, document } }.")
}

function prefixed(texts: readonly string[], prefix: PromptPrefix, inputType: InputType): string[] {
  return texts.map((text) => prefix[inputType] + text)
}

function defaultContext(model: string): number | undefined {
  const family = modelFamily(model)
  return family === undefined ? undefined : Math.min(family.contextTokens, DEFAULT_CONTEXT)
}

function headersOf(id: string, { apiKey, headers }: OllamaEmbeddingOptions): Readonly<Record<string, string>> {
  const checked = checkHeaders(id, headers)
  return apiKey === undefined ? checked : { authorization: `Bearer ${requireKey(id, apiKey)}`, ...checked }
}

function fixedFields(id: string, contextSize: number | undefined, options: OllamaEmbeddingOptions) {
  const { dimensions, keepAlive, truncate = false } = options
  if (typeof truncate !== 'boolean') throw configError(id, 'truncate must be true or false', 'Correct truncate.')
  return {
    // If left out, it would be true.
    truncate,
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(keepAlive === undefined ? {} : { keep_alive: checkedKeepAlive(id, keepAlive) }),
    ...(contextSize === undefined ? {} : { options: { num_ctx: contextSize, num_batch: contextSize } }),
  }
}

/** Seconds, or a duration in Go's notation. */
function checkedKeepAlive(id: string, keepAlive: number | string): number | string {
  const isDuration = typeof keepAlive === 'string' && /^-?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(keepAlive)
  if (isDuration || Number.isFinite(keepAlive)) return keepAlive
  throw configError(id, 'keepAlive is neither a number of seconds nor a duration', "Use 300 or '5m', say.")
}

function variantOf(
  prefix: PromptPrefix,
  contextSize: number | undefined,
  { truncate }: OllamaEmbeddingOptions,
): Readonly<Record<string, string>> {
  return {
    ...(prefix.document === '' ? {} : { prefix: prefix.document }),
    ...(truncate === true ? { truncate: String(contextSize ?? 'server') } : {}),
  }
}

const tokenLimit = (
  contextSize: number | undefined,
  { truncate }: OllamaEmbeddingOptions,
): { readonly maxInputTokens?: number } => (contextSize === undefined || truncate === true ? {} : { maxInputTokens: contextSize })

/** Entries have no index: they are in the order of the request. */
function readReply(reply: unknown): RawEmbeddingReply {
  const { embeddings, prompt_eval_count: inputTokens } = isFields(reply) ? reply : {}
  if (!Array.isArray(embeddings)) throw failureError({ code: 'bad-response', summary: 'the answer has no list named embeddings' })
  return { embeddings: embeddings.map((values: unknown) => ({ values })), inputTokens }
}
