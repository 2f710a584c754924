import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbeddingProvider, EmbeddingResult } from '@mnemark/spec'
import { fingerprint, ProviderError } from '@mnemark/spec'
import { SECRET } from '@mnemark/testkit'
import { describeEmbeddingProvider } from '@mnemark/testkit/vitest'
import type { LlamaEmbeddingContext, LlamaEmbeddingContextOptions, LlamaOptions } from 'node-llama-cpp'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { ModelHost } from '../test/model-host.ts'
import { writeTinyModel } from '../test/tiny-model.ts'
import { createLocal } from './create.ts'
import { createLocalWith } from './create-with.ts'
import { importLibrary, type Library } from './library.ts'
import type { LocalEmbeddingOptions } from './options.ts'

const folder = mkdtempSync(join(tmpdir(), 'mnemark-local-'))
const model = writeTinyModel(join(folder, 'tiny.gguf'))
const other = writeTinyModel(join(folder, 'other.gguf'), { seed: 2 })
const prefix = { query: 'find: ', document: 'note: ' }
afterAll(() => rmSync(folder, { recursive: true }))

/** One thread and no graphics card: machines that run tests are busy. */
const quick = { model, gpu: false, threads: 1 } as const

for (const inputType of ['symmetric', { prefix }] as const) {
  const inputTypes = inputType === 'symmetric' ? 'symmetric' : 'distinct'
  describeEmbeddingProvider(`local, ${inputTypes}`, {
    transport: 'in-process',
    inputTypes,
    reportsUsage: true,
    create: ({ set }) => createLocal({ ...quick, inputType, ...set }),
    misconfigured: [
      { model: ' ' },
      { model: 'hf:nothing' },
      { model: 'http://models.example/tiny.gguf' },
      { model: 'https://user:secret@models.example/tiny.gguf' },
      { model: 'file://elsewhere/tiny.gguf' },
      { contextSize: 0 },
      { threads: 1.5 },
      { gpu: 'fast' },
      { inputType: null },
      { inputType: { prefix: { document: 'note: ' } } },
      { huggingFaceToken: '${HF_TOKEN}' },
      { huggingFaceEndpoint: 'http://huggingface.example' },
      { timeoutMs: 0 },
    ],
    variations: {
      model: { model: other },
      dimensions: null,
      variant: { inputType: { prefix: { query: '', document: 'text: ' } } },
    },
  })
}

const embed = (provider: EmbeddingProvider, ...texts: readonly string[]): Promise<EmbeddingResult> =>
  provider.embed({ inputs: texts.map((text) => ({ type: 'text', text })), inputType: 'document' })

/** Given back when the test ends. */
function opened(
  options: Partial<LocalEmbeddingOptions> = {},
  library: () => Promise<Library> = () => importLibrary(),
): EmbeddingProvider {
  const provider = createLocalWith({ ...quick, ...options }, library)
  onTestFinished(() => provider.close?.())
  return provider
}

async function errorOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown)
  if (!ProviderError.isInstance(error)) throw new Error(`expected a ProviderError, got ${String(error)}`)
  return error
}

interface Watched {
  readonly library: () => Promise<Library>
  readonly llamas: LlamaOptions[]
  readonly contexts: { readonly context: LlamaEmbeddingContext; readonly options: LlamaEmbeddingContextOptions | undefined }[]
}

/** The real library, with its contexts in reach of the test; `onContext` sees each before it is used. */
function watched(onContext: (context: LlamaEmbeddingContext) => void = () => {}): Watched {
  const llamas: Watched['llamas'] = []
  const contexts: Watched['contexts'] = []
  const getLlama = (async (options?: LlamaOptions) => {
    if (options !== undefined) llamas.push(options)
    const llama = await (await importLibrary()).getLlama(options)
    const loadModel = llama.loadModel.bind(llama)
    llama.loadModel = async (modelOptions) => {
      const loaded = await loadModel(modelOptions)
      const createContext = loaded.createEmbeddingContext.bind(loaded)
      loaded.createEmbeddingContext = async (contextOptions) => {
        const context = await createContext(contextOptions)
        contexts.push({ context, options: contextOptions })
        onContext(context)
        return context
      }
      return loaded
    }
    return llama
    // The overload for the type of the last build is not used.
  }) as Library['getLlama']
  return { llamas, contexts, library: async () => ({ ...(await importLibrary()), getLlama }) }
}

/** Straight from the library. */
async function vectorOf(text: string, batchSize: number): Promise<readonly number[]> {
  const { getLlama, LlamaLogLevel } = await importLibrary()
  await using llama = await getLlama({ gpu: false, build: 'never', maxThreads: 1, logLevel: LlamaLogLevel.disabled })
  await using loaded = await llama.loadModel({ modelPath: model })
  await using context = await loaded.createEmbeddingContext({ contextSize: 1024, batchSize, threads: 1 })
  return (await context.getEmbeddingFor(text)).vector
}

function cosine(left: ArrayLike<number>, right: ArrayLike<number>): number {
  const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
    Array.from(a).reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
  return dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right))
}

describe('lengths', () => {
  test('an input of 600 tokens has the vector of one whole batch, whatever the context size (B58)', async () => {
    const long = 'a'.repeat(598)
    const expected = await vectorOf(long, 1024)
    for (const contextSize of [601, 1024]) {
      const { vectors, usage } = await embed(opened({ contextSize }), long)
      expect(usage).toEqual({ inputTokens: 600 })
      expect(cosine(vectors[0] ?? [], expected)).toBeCloseTo(1, 6)
    }
    expect(cosine(await vectorOf(long, 128), expected), 'the model is one that minds').toBeLessThan(0.9999)
  })

  test('what does not fit is refused by name, counted as the model counts', async () => {
    const provider = opened({ contextSize: 64 })
    const error = await errorOf(embed(provider, 'short', 'b'.repeat(62), 'short', 'c'.repeat(100)))
    expect(error).toMatchObject({ code: 'input-too-long', inputIndexes: [1, 3] })
    expect((await embed(provider, 'b'.repeat(61))).vectors).toHaveLength(1)
    expect(provider.limits.maxInputTokens).toBe(63)
  })

  test("a context beyond the model's own is cut down to it", async () => {
    const provider = opened({ contextSize: 4096 })
    expect(await errorOf(embed(provider, 'a'.repeat(1100)))).toMatchObject({ code: 'input-too-long', inputIndexes: [0] })
  })

  test('tokens are counted by the model once it is loaded, its marks and the prefix included', async () => {
    const [plain, prefixed] = [opened(), opened({ inputType: { prefix } })]
    expect(plain.countTokens?.('hello world')).toBeGreaterThan(2)
    await Promise.all([embed(plain, 'x'), embed(prefixed, 'x')])
    expect(plain.countTokens?.('hello world')).toBe(12)
    expect(prefixed.countTokens?.('hello world')).toBe(17)
    expect((await embed(prefixed, 'hello world')).usage).toEqual({ inputTokens: 17 })
  })

  test('a text without tokens has no vector', async () => {
    const { vectors } = await embed(opened(), '', 'a')
    expect(vectors[0]).toBeNull()
    expect(vectors[1]).toHaveLength(32)
  })
})

describe('loading', () => {
  test('the batch is as long as the context, and a thread serves two cores', async () => {
    const { library, llamas, contexts } = watched()
    await embed(opened({ threads: undefined, contextSize: 300 }, library), 'a')
    const threads = Math.max(1, Math.floor(availableParallelism() / 2))
    expect(llamas).toMatchObject([{ maxThreads: threads, build: 'never', skipDownload: true, gpu: false }])
    expect(contexts.map(({ options }) => options)).toMatchObject([{ contextSize: 300, batchSize: 300, threads }])
  })

  test('ten calls at once load one model, wait for each other, and get each its own answer (B58)', async () => {
    let [running, most] = [0, 0]
    const { library, contexts } = watched((context) => {
      const original = context.getEmbeddingFor.bind(context)
      context.getEmbeddingFor = (input) => {
        most = Math.max(most, ++running)
        return original(input).finally(() => running--)
      }
    })
    const provider = opened({}, library)
    const words = Array.from({ length: 10 }, (_, index) => `call ${index}`)
    const together = await Promise.all(words.map((word) => embed(provider, word)))
    expect(most).toBe(1)
    const alone = await embed(provider, ...words)
    expect(together.map(({ vectors }) => vectors[0])).toEqual(alone.vectors)
    expect(contexts).toHaveLength(1)
  })

  test('a context that was disposed of is made anew, once, and the call goes on (B58)', async () => {
    const { library, contexts } = watched()
    const provider = opened({}, library)
    const before = await embed(provider, 'a', 'b')
    await contexts[0]?.context.dispose()
    expect((await embed(provider, 'a', 'b')).vectors).toEqual(before.vectors)
    expect(contexts).toHaveLength(2)
    expect(provider.countTokens?.('a')).toBe(3)
  })

  test('a context that is disposed of in the middle of a call is made anew too', async () => {
    const { library, contexts } = watched()
    const provider = opened({}, library)
    const texts = Array.from({ length: 32 }, (_, index) => 'word '.repeat(100 + index))
    const calm = await embed(provider, ...texts)
    const call = embed(provider, ...texts)
    await embedStarted(contexts[0]?.context)
    await contexts[0]?.context.dispose()
    expect((await call).vectors).toEqual(calm.vectors)
    expect(contexts).toHaveLength(2)
  })

  test('a context that never lasts is unavailable after the second try', async () => {
    const { library, contexts } = watched((context) => void context.dispose())
    expect(await errorOf(embed(opened({}, library), 'a'))).toMatchObject({ code: 'unavailable', isRetryable: true })
    expect(contexts).toHaveLength(2)
  })

  test('a missing file is a config error that names the model, and is found once it is there', async () => {
    const late = join(folder, 'late.gguf')
    const provider = opened({ model: late })
    const error = await errorOf(embed(provider, 'a'))
    expect(error).toMatchObject({ code: 'config', isRetryable: false })
    expect(error.message).toMatch(/late\.gguf.*no such file/)
    writeTinyModel(late)
    expect((await embed(provider, 'a')).vectors).toHaveLength(1)
  })

  test.each([
    ['text', () => 'not a model'],
    ['nothing', () => ''],
    ['half a model', () => readFileSync(model).subarray(0, 90_000)],
  ])('a file with %s in it is a config error', async (name, content) => {
    const path = join(folder, `${name}.gguf`)
    writeFileSync(path, content())
    const error = await errorOf(embed(opened({ model: path }), 'a'))
    expect(error).toMatchObject({ code: 'config' })
    expect(error.message).toContain('cannot be loaded')
  })

  test('a missing library is a config error that says how to get it', async () => {
    const missing = Object.assign(new Error("Cannot find package 'node-llama-cpp'"), { code: 'ERR_MODULE_NOT_FOUND' })
    const library = (): Promise<Library> =>
      importLibrary(() => {
        throw missing
      })
    const error = await errorOf(embed(opened({}, library), 'a'))
    expect(error).toMatchObject({ code: 'config' })
    expect(error.message).toContain('npm install node-llama-cpp')
  })

  test('a closed provider says so, closes twice, and lets go of what waits', async () => {
    const provider = opened()
    const waiting = [embed(provider, 'a'), embed(provider, 'b')]
    const outcomes = Promise.all(waiting.map(errorOf))
    await provider.close?.()
    await provider.close?.()
    for (const error of [...(await outcomes), await errorOf(embed(provider, 'a'))]) {
      expect(error.code).toBe('config')
      expect(error.message).toContain('closed')
    }
  })
})

/** Resolves while a text is in work. */
async function embedStarted(context: LlamaEmbeddingContext | undefined): Promise<void> {
  if (context === undefined) throw new Error('no context')
  const original = context.getEmbeddingFor.bind(context)
  await new Promise<void>((resolve) => {
    context.getEmbeddingFor = (input) => {
      const result = original(input)
      resolve()
      return result
    }
  })
}

describe('references', () => {
  const file = readFileSync(model)
  const cache = (): string => mkdtempSync(join(folder, 'cache-'))

  test('a URL is fetched once, into the cache folder, and needs its host no more', async () => {
    const host = await new ModelHost(file).listen()
    const options = { model: `${host.origin}/some/tiny.gguf?signature=${SECRET}`, modelCacheDir: cache() }
    const provider = opened(options)
    const fetched = await embed(provider, 'a')
    expect(fetched.vectors).toEqual((await embed(opened(), 'a')).vectors)
    expect(provider.space.model).toBe(`${host.origin}/some/tiny.gguf`)
    expect(readdirSync(options.modelCacheDir)).toEqual([expect.stringMatching(/^[0-9a-f]{8}-tiny\.gguf$/)])
    await host[Symbol.asyncDispose]()
    expect((await embed(opened(options), 'a')).vectors).toEqual(fetched.vectors)
  })

  test('a file of a closed repository is fetched once, from the mirror, with the token', async () => {
    await using host = await new ModelHost(file, { token: SECRET }).listen()
    const options = { model: 'hf:someone/tiny-GGUF/tiny.gguf', huggingFaceEndpoint: host.origin, modelCacheDir: cache() }
    expect((await embed(opened({ ...options, huggingFaceToken: SECRET }), 'a')).vectors).toHaveLength(1)
    expect(host.requests.some(({ url }) => url?.startsWith('/someone/tiny-GGUF/resolve/main/tiny.gguf'))).toBe(true)
    const requests = host.requests.length
    await embed(opened(options), 'a')
    expect(host.requests).toHaveLength(requests)
  })

  test('a token of the environment is not sent (B72)', async () => {
    process.env['HF_TOKEN'] = 'not-for-this'
    onTestFinished(() => void delete process.env['HF_TOKEN'])
    await using host = await new ModelHost(file, { token: SECRET }).listen()
    const options = { model: 'hf:someone/tiny-GGUF/tiny.gguf', huggingFaceEndpoint: host.origin, modelCacheDir: cache() }
    expect(await errorOf(embed(opened(options), 'a'))).toMatchObject({ code: 'auth', status: 401 })
    expect(host.requests.map(({ headers }) => headers.authorization)).toEqual(host.requests.map(() => undefined))
  })

  test('the ways to write a reference to Hugging Face are one space', () => {
    const spaceOf = (reference: string): string => fingerprint(opened({ model: reference }).space)
    const plain = spaceOf('hf:someone/tiny/tiny.gguf')
    for (const form of ['hf://', 'huggingface:', 'hf.co/', 'huggingface.co/'])
      expect(spaceOf(`${form}someone/tiny/tiny.gguf`)).toBe(plain)
  })

  test('a path is named by its file, so that a moved folder keeps its vectors', () => {
    const nameOf = (path: string): string => opened({ model: path }).space.model
    expect(['/a/tiny.gguf', '~/b/tiny.gguf', 'tiny.gguf', 'file:///c/tiny.gguf'].map(nameOf)).toEqual(Array(4).fill('tiny.gguf'))
  })

  test('the words of a family come with its name', () => {
    expect(opened({ model: 'nomic-embed-text-v1.5.Q8_0.gguf' }).space.variant).toEqual({ prefix: 'search_document: ' })
    expect(opened({ model: 'hf:CompendiumLabs/bge-small-en-v1.5-gguf/bge-small-en-v1.5-q8_0.gguf' }).limits.maxInputTokens).toBe(
      511,
    )
  })

  test.each([
    [404, 'not-found'],
    [401, 'auth'],
    [503, 'unavailable'],
  ])('a host that answers %i is %s, without a token in the error', async (status, code) => {
    await using host = await new ModelHost(file, { statuses: { [`/x.gguf?key=${SECRET}`]: status } }).listen()
    const error = await errorOf(embed(opened({ model: `${host.origin}/x.gguf?key=${SECRET}`, modelCacheDir: cache() }), 'a'))
    expect(error).toMatchObject({ code, status })
    expect(JSON.stringify([error.message, String(error.cause)])).not.toContain(SECRET)
  })

  test('a host that is not there is unavailable at once', async () => {
    const host = await new ModelHost(file).listen()
    const { origin } = host
    await host[Symbol.asyncDispose]()
    const error = await errorOf(embed(opened({ model: `${origin}/tiny.gguf`, modelCacheDir: cache() }), 'a'))
    expect(error).toMatchObject({ code: 'unavailable' })
  })
})
