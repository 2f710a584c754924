import { failureError, type ServiceFailure } from '@mnemark/provider-kit'
import type { Llama, LlamaEmbeddingContext, LlamaModel } from 'node-llama-cpp'
import { type FetchSettings, fetchModel } from './fetch-model.ts'
import type { Library, LoadLibrary } from './library.ts'
import type { ModelReference } from './model-reference.ts'

export interface LocalModelSettings extends FetchSettings {
  readonly model: ModelReference
  readonly contextSize: number
  readonly gpu: 'auto' | false
  readonly threads: number
}

interface Loaded {
  readonly llama: Llama
  readonly model: LlamaModel
  readonly context: LlamaEmbeddingContext
  /** An input must be shorter than this. */
  readonly contextSize: number
}

export interface LocalVectors {
  /** null for a text without tokens. */
  readonly vectors: readonly (readonly number[] | null)[]
  readonly tokens: number
}

/** One model in memory: loaded with the first call, one text at a time, loaded again where it was put away meanwhile. */
export class LocalModel {
  readonly #settings: LocalModelSettings
  readonly #loadLibrary: LoadLibrary
  readonly #closing = new AbortController()
  #loading: Promise<Loaded> | undefined
  #loaded: Loaded | undefined
  #tail: Promise<unknown> = Promise.resolve()

  constructor(settings: LocalModelSettings, loadLibrary: LoadLibrary) {
    this.#settings = settings
    this.#loadLibrary = loadLibrary
  }

  /** Waits for earlier calls: a context works on one input, and hangs on several. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<LocalVectors> {
    const turn = this.#tail.then(() => this.#embed(texts, signal))
    this.#tail = turn.catch(() => {})
    return turn
  }

  /** Counts a text's tokens as the model does, with its begin and end tokens; undefined until the model is loaded. */
  countTokens(text: string): number | undefined {
    const context = this.#loaded?.context
    return context === undefined || context.disposed ? undefined : countIn(context, text)
  }

  /** Ends loading, waits for the text in work, frees the memory. */
  async close(): Promise<void> {
    this.#closing.abort(failureError(CLOSED))
    await this.#tail
    await this.#putAway()
  }

  async #embed(texts: readonly string[], signal: AbortSignal): Promise<LocalVectors> {
    signal.throwIfAborted()
    const counts = await this.#attempt((loaded) => Promise.resolve(checkedCounts(loaded, texts)))
    const vectors: (readonly number[] | null)[] = []
    for (const text of texts) {
      signal.throwIfAborted()
      this.#closing.signal.throwIfAborted()
      const { vector } = await this.#attempt(({ context }) => context.getEmbeddingFor(text))
      // The library answers so to a text without tokens.
      vectors.push(vector.length === 0 ? null : vector)
    }
    return { vectors, tokens: counts.reduce((sum, count) => sum + count, 0) }
  }

  /** Once more, with the model loaded anew, where it was disposed of in between: by the host, or to free memory. */
  async #attempt<Result>(action: (loaded: Loaded) => Promise<Result>): Promise<Result> {
    const loaded = await this.#load()
    try {
      return await action(loaded)
    } catch (error) {
      if (!loaded.context.disposed) throw error
    }
    await this.#putAway()
    const again = await this.#load()
    return action(again).catch((error: unknown) => {
      throw again.context.disposed ? failureError(PUT_AWAY, error) : error
    })
  }

  /** One load for all that wait; a failed one is forgotten, since the file may come, or the network. */
  async #load(): Promise<Loaded> {
    this.#closing.signal.throwIfAborted()
    const loading = (this.#loading ??= this.#open())
    try {
      this.#loaded = await loading
      return this.#loaded
    } catch (error) {
      this.#loading = undefined
      throw error
    }
  }

  async #open(): Promise<Loaded> {
    const { signal } = this.#closing
    const library = await this.#loadLibrary()
    const modelPath = await fetchModel(library, this.#settings.model, { settings: this.#settings, signal })
    const { gpu, threads } = this.#settings
    const llama = await startLlama(library, { gpu, threads })
    try {
      const model = await llama.loadModel({ modelPath, loadSignal: signal })
      const contextSize = Math.min(this.#settings.contextSize, model.trainContextSize)
      // A batch shorter than the context would cut a longer input into pieces, which gives another vector and no error.
      const sizes = { contextSize, batchSize: contextSize }
      return {
        llama,
        model,
        contextSize,
        context: await model.createEmbeddingContext({ ...sizes, threads, createSignal: signal }),
      }
    } catch (error) {
      await llama.dispose()
      signal.throwIfAborted()
      throw loadFailure(library, error)
    }
  }

  async #putAway(): Promise<void> {
    const loaded = await this.#loading?.catch(() => undefined)
    this.#loading = undefined
    this.#loaded = undefined
    await loaded?.context.dispose()
    await loaded?.model.dispose()
    await loaded?.llama.dispose()
  }
}

const CLOSED: ServiceFailure = { code: 'config', summary: 'the provider was closed', nextStep: 'Make a new one.' }
const PUT_AWAY: ServiceFailure = {
  code: 'unavailable',
  summary: 'the model was put away while it worked, twice',
  nextStep: 'Try again later; check what else in this process disposes of models.',
}

const countIn = (context: LlamaEmbeddingContext, text: string): number => context.calculateInputLength(text)

function checkedCounts({ context, contextSize }: Loaded, texts: readonly string[]): readonly number[] {
  const counts = texts.map((text) => countIn(context, text))
  const inputIndexes = counts.flatMap((count, index) => (count >= contextSize ? [index] : []))
  if (inputIndexes.length === 0) return counts
  throw failureError({
    code: 'input-too-long',
    summary: `an input has ${Math.max(...counts)} tokens where at most ${contextSize - 1} fit`,
    nextStep: 'Send shorter inputs, or raise contextSize as far as the model allows.',
    inputIndexes,
  })
}

async function startLlama(library: Library, { gpu, threads }: { gpu: 'auto' | false; threads: number }): Promise<Llama> {
  try {
    return await library.getLlama({
      gpu,
      maxThreads: threads,
      // Prebuilt binaries only: nobody expects a compiler to start because a note is searched.
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: library.LlamaLogLevel.disabled,
    })
  } catch (error) {
    if (!(error instanceof library.NoBinaryFoundError)) throw error
    const summary = 'node-llama-cpp has no program for this machine'
    throw failureError({ code: 'config', summary, nextStep: 'Build it: npx node-llama-cpp source download' }, error)
  }
}

/** Every failure to load is one of file, model or memory: trying again does not help. */
function loadFailure(library: Library, error: unknown): Error {
  if (error instanceof library.InsufficientMemoryError) {
    const nextStep = 'Lower contextSize, or choose a smaller model.'
    return failureError({ code: 'config', summary: 'the model does not fit into memory', nextStep }, error)
  }
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  const summary = isMissing ? 'there is no such file' : 'the file cannot be loaded as an embedding model'
  return failureError(
    { code: 'config', summary, nextStep: 'Check that model leads to a whole GGUF file of an embedding model.' },
    error,
  )
}
