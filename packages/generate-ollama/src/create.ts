import type { TextGenerator } from '@mnemark/spec'
import {
  checkHeaders,
  configError,
  defineTextGenerator,
  freezeOptions,
  isPrivateHost,
  normaliseEndpoint,
  optionalCount,
  parseBaseUrl,
  type RawGenerateRequest,
  requireKey,
  requireText,
  secretsOf,
  serverUrl,
} from '@mnemark/provider-kit'
import type { ChatRequest } from 'ollama'
import { lazyClient } from './client.ts'
import type { OllamaGeneratorOptions, OllamaThinking } from './options.ts'
import { readReply } from './read-reply.ts'

const DEFAULT_ID = 'ollama'
const USUAL_PORT = 11_434
const BASE_URL = `http://127.0.0.1:${USUAL_PORT}`
const THINKING: readonly OllamaThinking[] = [true, false, 'low', 'medium', 'high']

/** If left out, `truncate` and `shift` would be true, and the prompt cut without a word. The SDK's types lack them, 2026-11. */
interface UncutRequest extends ChatRequest {
  readonly truncate: false
  readonly shift: false
  readonly stream: false
}

/**
 * A generator on an Ollama server, through its own SDK, which is loaded with the first call. Throws a `config` error at once for invalid
 * settings.
 */
export function createOllamaGenerator(given: OllamaGeneratorOptions): TextGenerator & AsyncDisposable {
  const options = freezeOptions(given)
  const id = requireText(DEFAULT_ID, 'id', options.id ?? DEFAULT_ID)
  const url = parseBaseUrl(id, serverUrl(requireText(id, 'baseUrl', options.baseUrl ?? BASE_URL), USUAL_PORT))
  const endpoint = ollamaBase(url)
  const model = requireText(id, 'model', options.model)
  const headers = headersOf(id, options)
  const contextSize = optionalCount(id, 'contextSize', options.contextSize)
  const requestOf = requestsOf(id, model, options)
  const client = lazyClient({ baseUrl: endpoint, model, headers, fetch: options.fetch })
  return defineTextGenerator({
    provider: id,
    endpoint,
    model,
    traits: { isLocal: isPrivateHost(url.hostname), ...options.traits },
    contextWindow: contextSize,
    maxOutputTokens: options.maxOutputTokens,
    secrets: secretsOf(undefined, headers),
    timeoutMs: options.timeoutMs,
    ...(options.countTokens === undefined ? {} : { countTokens: options.countTokens }),
    generate: async (request) => {
      const ollama = await client(request.signal)
      return readReply(await ollama.chat(requestOf(request)), contextSize)
    },
  })
}

/** The SDK adds `/api/chat`; the path that other clients need at the end of the URL is removed. */
const ollamaBase = (url: URL): string => normaliseEndpoint(url).replace(/\/(?:v1|api)(?:\/chat(?:\/completions)?)?$/, '')

function headersOf(id: string, { apiKey, headers }: OllamaGeneratorOptions): Readonly<Record<string, string>> {
  const checked = checkHeaders(id, headers)
  return apiKey === undefined ? checked : { authorization: `Bearer ${requireKey(id, apiKey)}`, ...checked }
}

/** Returns the function that turns requests into bodies. Throws `config` for invalid options. */
function requestsOf(
  id: string,
  model: string,
  { contextSize, keepAlive, temperature, think = false }: OllamaGeneratorOptions,
): (request: RawGenerateRequest) => UncutRequest {
  checkTemperature(id, temperature)
  const fixed = {
    model,
    stream: false,
    truncate: false,
    shift: false,
    think: checkedThinking(id, think),
    ...(keepAlive === undefined ? {} : { keep_alive: checkedKeepAlive(id, keepAlive) }),
  } as const
  const fixedOptions = {
    ...(contextSize === undefined ? {} : { num_ctx: contextSize }),
    ...(temperature === undefined ? {} : { temperature }),
  }
  return ({ system, prompt, schema, maxOutputTokens }) => ({
    ...fixed,
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), { role: 'user', content: prompt }],
    ...(schema === undefined ? {} : { format: schema }),
    options: { ...fixedOptions, ...(maxOutputTokens === undefined ? {} : { num_predict: maxOutputTokens }) },
  })
}

function checkTemperature(id: string, temperature: number | undefined): void {
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2))
    throw configError(id, 'temperature must be a number from 0 to 2', 'Correct temperature.')
}

/** Checked at run time, because configurations have no types. */
function checkedThinking(id: string, think: OllamaThinking): OllamaThinking {
  if (THINKING.includes(think)) return think
  throw configError(id, 'think has no known form', "Set it to true, false, 'low', 'medium' or 'high'.")
}

/** Seconds, or a duration in Go's notation. */
function checkedKeepAlive(id: string, keepAlive: number | string): number | string {
  const isDuration = typeof keepAlive === 'string' && /^-?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(keepAlive)
  if (isDuration || Number.isFinite(keepAlive)) return keepAlive
  throw configError(id, 'keepAlive is neither a number of seconds nor a duration', "Use 300 or '5m', say.")
}
