import { availableParallelism } from 'node:os'
import type { EmbeddingProvider } from '@mnemark/spec'
import {
  configError,
  defineEmbeddingProvider,
  freezeOptions,
  modelFamily,
  normaliseEndpoint,
  optionalCount,
  parseBaseUrl,
  type PromptPrefix,
  requireKey,
  requireText,
  secretsOf,
} from '@mnemark/provider-kit'
import type { LoadLibrary } from './library.ts'
import { LocalModel } from './local-model.ts'
import { type ModelReference, parseModel } from './model-reference.ts'
import type { LocalEmbeddingOptions, LocalInputType } from './options.ts'

const ID = 'local'
const HUGGING_FACE = 'https://huggingface.co'
/** Memory for a batch grows with its square, and notes are cut into far smaller pieces. */
const DEFAULT_CONTEXT = 2048
const NO_PREFIX: PromptPrefix = { query: '', document: '' }

/** As `createLocal`, with the library as an argument. */
export function createLocalWith(given: LocalEmbeddingOptions, loadLibrary: LoadLibrary): EmbeddingProvider & AsyncDisposable {
  const options = freezeOptions(given)
  const huggingFaceEndpoint = normaliseEndpoint(parseBaseUrl(ID, options.huggingFaceEndpoint ?? HUGGING_FACE))
  const reference = parseModel(ID, requireText(ID, 'model', options.model), huggingFaceEndpoint)
  const huggingFaceToken = options.huggingFaceToken === undefined ? undefined : requireKey(ID, options.huggingFaceToken)
  const prefix = prefixOf(reference.name, options.inputType)
  const contextSize = optionalCount(ID, 'contextSize', options.contextSize) ?? defaultContext(reference.name)
  const { modelCacheDir } = options
  const settings = { model: reference, modelCacheDir, huggingFaceEndpoint, huggingFaceToken, contextSize, ...machineOf(options) }
  const model = new LocalModel(settings, loadLibrary)
  const provider = defineEmbeddingProvider({
    space: {
      provider: ID,
      endpoint: null,
      model: reference.name,
      requestedDimensions: null,
      variant: prefix.document === '' ? {} : { prefix: prefix.document },
    },
    // An input must be shorter than the context.
    limits: { maxInputs: 32, concurrency: 1, maxInputTokens: Math.max(1, contextSize - 1), ...options.limits },
    traits: { ...options.traits, isLocal: true },
    secrets: [...secretsOf(huggingFaceToken), ...signatureOf(reference)],
    timeoutMs: options.timeoutMs,
    hasNullVectors: true,
    embed: async ({ texts, inputType, signal }) => {
      const { vectors, tokens } = await model.embed(
        texts.map((text) => prefix[inputType] + text),
        signal,
      )
      return { embeddings: vectors.map((values) => ({ values })), inputTokens: tokens }
    },
    close: () => model.close(),
  })
  // Not part of the definition, where it would refuse inputs by an estimate before the model is there to count.
  const countTokens = (text: string): number => model.countTokens(prefix.document + text) ?? estimated(prefix.document + text)
  return Object.freeze({ ...provider, countTokens })
}

/** Values in the query of a URL may grant access, so they are secrets. */
const signatureOf = (model: ModelReference): readonly string[] =>
  model.kind === 'remote' ? [...new URL(model.url).searchParams.values()] : []

/** A token is a few letters of Latin script, or about one sign of others; and there are marks around a text. */
const estimated = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3) + 2

function prefixOf(model: string, inputType: LocalInputType | undefined): PromptPrefix {
  if (inputType === undefined) return modelFamily(model)?.prefix ?? NO_PREFIX
  if (inputType === 'symmetric') return NO_PREFIX
  const { query, document }: Partial<PromptPrefix> = inputType?.prefix ?? {}
  if (typeof query === 'string' && typeof document === 'string') return { query, document }
  throw configError(ID, 'inputType has no known form', "Use 'symmetric' or { prefix: { query, document } }.")
}

const defaultContext = (model: string): number => Math.min(modelFamily(model)?.contextTokens ?? DEFAULT_CONTEXT, DEFAULT_CONTEXT)

function machineOf({ gpu = 'auto', threads }: LocalEmbeddingOptions): { readonly gpu: 'auto' | false; readonly threads: number } {
  if (gpu !== 'auto' && gpu !== false) throw configError(ID, "gpu is neither 'auto' nor false", 'Correct gpu.')
  return { gpu, threads: optionalCount(ID, 'threads', threads) ?? Math.max(1, Math.floor(availableParallelism() / 2)) }
}
