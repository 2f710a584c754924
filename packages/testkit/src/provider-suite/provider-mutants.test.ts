/** Tests the suite: a small sound provider passes, and each way of breaking it is caught by the case for it. */
import { expect, onTestFinished, test } from 'vitest'
import type { EmbeddingProvider, EmbeddingRequest, ProviderErrorCode } from '@mnemark/spec'
import { ProviderError } from '@mnemark/spec'
import { openaiCompatibleWire } from '../protocol-servers/vendors/openai-compatible-wire.ts'
import { recordOf } from '../protocol-servers/wire/read-fields.ts'
import { embeddingProviderCases } from './embedding-provider-cases.ts'
import { type ProviderSetup } from '../service-suite/service-target.ts'
import { type HttpProviderTarget, type InProcessProviderTarget, undeclaredCases } from './provider-target.ts'

/** Parts of the sound provider that a mutant replaces. */
type Mutant = Partial<ReturnType<typeof soundParts>>

interface Options {
  readonly model: string
  readonly dimensions?: number
  readonly truncate?: string
}

const MAX_INPUTS = 10
const CODES: Readonly<Record<number, ProviderErrorCode>> = {
  401: 'auth',
  403: 'auth',
  402: 'quota',
  404: 'not-found',
  413: 'input-too-long',
  429: 'rate-limit',
  408: 'unavailable',
  424: 'unavailable',
}

const failed = (code: ProviderErrorCode, details: object = {}): ProviderError =>
  new ProviderError(code, `sample (sample-embed): ${code}`, { provider: 'sample', ...details })

/** The decisions of a provider, each replaceable. */
function soundParts() {
  return {
    onCreate: (_setup: ProviderSetup): void => {},
    checkKey: (key: string): void => {
      if (key === '') throw failed('config')
    },
    endpoint: (baseUrl: string): string => baseUrl,
    variant: ({ truncate }: Options, _setup: ProviderSetup): Record<string, string> =>
      truncate === undefined ? {} : { truncate },
    answersEmpty: true,
    maxInputs: MAX_INPUTS,
    inputType: (inputType: string): string => (inputType === 'query' ? 'query' : 'passage'),
    text: (text: string): string => text.toWellFormed(),
    fields: ({ dimensions, truncate }: Options): object => ({
      ...(dimensions === undefined ? {} : { dimensions }),
      ...(truncate === undefined ? {} : { truncate }),
    }),
    redirect: 'manual' as 'manual' | 'follow',
    retries: 0,
    retryable: (status: number): boolean => status === 429 || status >= 500,
    signal: (signal: AbortSignal | undefined): AbortSignal | undefined => signal,
    cancelled: (signal: AbortSignal): unknown => signal.reason,
    code: (status: number, body: unknown): ProviderErrorCode => {
      const { type } = recordOf(recordOf(body)?.['error']) ?? {}
      if (status === 429 && type === 'insufficient_quota') return 'quota'
      if (status === 400 && type === 'max_tokens_per_request') return 'input-too-long'
      return CODES[status] ?? (status < 400 ? 'refused-redirect' : status < 500 ? 'invalid-input' : 'unavailable')
    },
    waitMs: (headers: Headers): number | undefined => {
      const [exact, hint] = [headers.get('retry-after-ms'), headers.get('retry-after')]
      if (exact !== null) return Number(exact)
      if (hint === null) return undefined
      return /^\d+$/.test(hint) ? Number(hint) * 1000 : Date.parse(hint) - Date.now()
    },
    fetchFailure: (error: unknown): ProviderErrorCode => (isTls(error) ? 'tls' : 'unavailable'),
    error: (code: ProviderErrorCode, details: object, _reply: string, _request: object): ProviderError => failed(code, details),
    order: (entries: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] => {
      if (entries.every(({ index }) => index === undefined)) return entries
      return entries.map((_, position) => entries.find(({ index }) => index === position) ?? {})
    },
    checkCount: (got: number, wanted: number): void => {
      if (got !== wanted) throw failed('bad-response')
    },
    checkVector: (values: unknown): readonly number[] => {
      const isSound =
        Array.isArray(values) &&
        values.every((value) => typeof value === 'number' && Number.isFinite(value)) &&
        values.some((value) => value !== 0)
      if (!isSound) throw failed('bad-response')
      return values
    },
    checkLength: (length: number, wanted: number | undefined): void => {
      if (wanted !== undefined && length !== wanted) throw failed('bad-response')
    },
    scale: (values: readonly number[]): Float32Array => {
      const norm = Math.hypot(...values)
      return Float32Array.from(values, (value) => value / norm)
    },
    usage: (tokens: unknown): object => (typeof tokens === 'number' ? { usage: { inputTokens: tokens } } : {}),
  }
}

/** A provider of plain fetch, the contract, and the parts above. */
function createSample(setup: ProviderSetup, mutant: Mutant): EmbeddingProvider {
  const parts = { ...soundParts(), ...mutant }
  const options: Options = { model: 'sample-embed', ...setup.set }
  const key = String(setup.set['apiKey'] ?? setup.apiKey)
  parts.checkKey(key)
  parts.onCreate(setup)
  let length = options.dimensions
  const post = async (request: EmbeddingRequest): Promise<Response> => {
    const { dimensions: _, truncate: __, model } = options
    const input = request.inputs.map((each) => (each.type === 'text' ? parts.text(each.text) : ''))
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, input, input_type: parts.inputType(request.inputType), ...parts.fields(options) }),
      redirect: parts.redirect,
      signal: parts.signal(request.signal) ?? null,
    }
    let response = await setup.fetch(`${setup.baseUrl}/embeddings`, init)
    for (let retry = 0; retry < parts.retries && parts.retryable(response.status); retry++) {
      response = await setup.fetch(`${setup.baseUrl}/embeddings`, init)
    }
    return response
  }
  const read = async (request: EmbeddingRequest): Promise<{ vectors: Float32Array[] }> => {
    const response = await post(request)
    const text = await response.text()
    const waitMs = parts.waitMs(response.headers)
    const body = parsed(text)
    if (!response.ok) {
      const code = parts.code(response.status, body)
      const isRetryable = code === 'rate-limit' || code === 'unavailable'
      const detail = recordOf(body)?.['detail']
      const isNamed = Array.isArray(detail) && code === 'invalid-input'
      const details = {
        status: response.status,
        ...(isRetryable && waitMs !== undefined ? { retryAfterMs: waitMs } : {}),
        ...(isNamed ? { inputIndexes: [1] } : {}),
      }
      throw parts.error(code, details, text, { key })
    }
    const data = recordOf(body)?.['data']
    if (!Array.isArray(data)) throw failed('bad-response')
    parts.checkCount(data.length, request.inputs.length)
    const vectors = parts.order(data).map(({ embedding }) => {
      const values = parts.checkVector(embedding)
      parts.checkLength(values.length, length)
      length ??= values.length
      return parts.scale(values)
    })
    return { vectors, ...parts.usage(recordOf(recordOf(body)?.['usage'])?.['prompt_tokens']) }
  }
  return {
    specVersion: 'v1',
    space: {
      provider: 'sample',
      endpoint: parts.endpoint(setup.baseUrl),
      model: options.model,
      requestedDimensions: options.dimensions ?? null,
      variant: parts.variant(options, setup),
    },
    limits: { maxInputs: MAX_INPUTS, concurrency: 1 },
    modalities: ['text'],
    traits: { isLocal: true, vectorWeight: 0.5 },
    async embed(request) {
      const { signal, inputs } = request
      if (signal?.aborted) throw parts.cancelled(signal)
      if (parts.answersEmpty && inputs.length === 0) return { vectors: [] }
      if (inputs.length > parts.maxInputs) throw failed('invalid-input')
      const { promise, reject } = Promise.withResolvers<never>()
      signal?.addEventListener('abort', () => reject(parts.cancelled(signal)))
      return Promise.race([read(request), promise]).catch((error: unknown) => {
        if (signal?.aborted) throw error
        throw ProviderError.isInstance(error) ? error : failed(parts.fetchFailure(error))
      })
    },
  }
}

const isTls = (error: unknown): boolean =>
  String(Reflect.get(Object(Reflect.get(Object(error), 'cause')), 'code')).startsWith('ERR_SSL_')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const targetOf = (mutant: Mutant): HttpProviderTarget => ({
  transport: 'http',
  create: (setup) => createSample(setup, mutant),
  wire: openaiCompatibleWire({ fields: ['truncate'], inputType: { field: 'input_type', query: 'query', document: 'passage' } }),
  misconfigured: [{ apiKey: '' }],
  variations: { model: { model: 'other' }, dimensions: { dimensions: 4 }, variant: { truncate: 'NONE' } },
  options: [{ set: { truncate: 'NONE' }, expect: (body) => body['truncate'] === 'NONE' }],
})

async function failing(
  target: HttpProviderTarget | InProcessProviderTarget,
  ids?: readonly string[],
): Promise<readonly string[]> {
  const failures: string[] = []
  for (const { id, run } of embeddingProviderCases(target)) {
    if (ids === undefined || ids.includes(id)) await run().catch(() => failures.push(id))
  }
  return failures
}

test('a sound provider without any of our code passes every case', async () => {
  expect(await failing(targetOf({}))).toEqual([])
})

const MUTANTS: Readonly<Record<string, { readonly mutant: Mutant; readonly caughtBy: readonly string[] }>> = {
  'asks the service while it is made': {
    mutant: { onCreate: ({ fetch, baseUrl }) => void fetch(`${baseUrl}/models`).catch(() => {}) },
    caughtBy: ['E1.quiet'],
  },
  'takes any key': { mutant: { checkKey: () => {} }, caughtBy: ['E1.config'] },
  'puts the key into the space': { mutant: { variant: (_, { apiKey }) => ({ apiKey }) }, caughtBy: ['E2.stable'] },
  'leaves the variant out of the space': { mutant: { variant: () => ({}) }, caughtBy: ['E2.moves'] },
  'leaves the address out of the space': { mutant: { endpoint: () => 'https://embeddings.example' }, caughtBy: ['E2.endpoint'] },
  'trusts positions': { mutant: { order: (entries) => entries }, caughtBy: ['E3.shuffled', 'E3.doubled'] },
  'trusts a short reply': { mutant: { checkCount: () => {} }, caughtBy: ['E4.short', 'E4.long', 'E4.none', 'E4.fused'] },
  'fills gaps with nothing': {
    mutant: { checkVector: (values) => (Array.isArray(values) ? values : [1]) },
    caughtBy: ['E4.empty', 'E4.zeros', 'E4.null-number', 'E4.infinite'],
  },
  'takes equal positions for the order': {
    mutant: {
      order: (entries) => (entries.every(({ index }) => index === 0) ? entries : soundParts().order(entries)),
    },
    caughtBy: ['E3.unclear'],
  },
  'fills missing positions by the order': {
    mutant: {
      order: (entries) => soundParts().order(entries.map((entry, at) => ({ ...entry, index: entry['index'] ?? at }))),
    },
    caughtBy: ['E3.unclear'],
  },
  'takes any length': { mutant: { checkLength: () => {} }, caughtBy: ['E4.ragged', 'E4.learnt', 'E4.requested'] },
  'skips normalising': {
    mutant: { scale: (values) => Float32Array.from(values) },
    caughtBy: ['E5.unit', 'E5.scaled', 'E5.three-four'],
  },
  'swaps input types': { mutant: { inputType: (inputType) => (inputType === 'query' ? 'passage' : 'query') }, caughtBy: ['E6'] },
  'embeds everything as a document': { mutant: { inputType: () => 'passage' }, caughtBy: ['E6'] },
  'asks for nothing': { mutant: { answersEmpty: false }, caughtBy: ['E7'] },
  'lets the service count': { mutant: { maxInputs: Number.POSITIVE_INFINITY }, caughtBy: ['E8'] },
  'ignores the abort': { mutant: { signal: () => undefined }, caughtBy: ['E9.silence', 'E9.stall'] },
  'loses the reason of an abort': { mutant: { cancelled: () => failed('cancelled') }, caughtBy: ['E9.before', 'E9.silence'] },
  'calls an abort an outage': { mutant: { cancelled: () => failed('unavailable') }, caughtBy: ['E9.before'] },
  'reports 0 tokens for unknown': {
    mutant: { usage: (tokens) => ({ usage: { inputTokens: Number(tokens ?? 0) } }) },
    caughtBy: ['E10'],
  },
  'retries an empty account': {
    mutant: { code: (status) => CODES[status] ?? (status < 500 ? 'invalid-input' : 'unavailable') },
    caughtBy: ['E11.quota', 'E11.input-too-long', 'E11.redirect'],
  },
  'reads no date': { mutant: { waitMs: (headers) => Number(headers.get('retry-after')) * 1000 }, caughtBy: ['E11.rate-limit'] },
  'follows redirects': { mutant: { redirect: 'follow' }, caughtBy: ['E11.redirect'] },
  'calls a certificate an outage': { mutant: { fetchFailure: () => 'unavailable' as const }, caughtBy: ['E11.tls'] },
  'retries inside': { mutant: { retries: 2 }, caughtBy: ['E12'] },
  'says what the service said': {
    mutant: {
      error: (code, details, reply) =>
        new ProviderError(code, `sample (sample-embed): ${reply}`, { provider: 'sample', ...details }),
    },
    caughtBy: ['E13.echo'],
  },
  'keeps the request as the cause': {
    mutant: {
      error: (code, details, _, request) =>
        new ProviderError(code, 'sample (sample-embed)', { provider: 'sample', ...details, cause: request }),
    },
    caughtBy: ['E13.echo'],
  },
  'prints what the service said': {
    mutant: {
      error: (code, details, reply) => {
        console.warn(reply)
        return failed(code, details)
      },
    },
    caughtBy: ['E13.echo'],
  },
  'drops an option': {
    mutant: { fields: ({ dimensions }) => (dimensions === undefined ? {} : { dimensions }) },
    caughtBy: ['E14'],
  },
  'drops the dimensions': {
    mutant: { fields: ({ truncate }) => (truncate === undefined ? {} : { truncate }) },
    caughtBy: ['E14.dimensions'],
  },
  'sends half an emoji': { mutant: { text: (text) => text }, caughtBy: ['E15'] },
}

test.for(Object.entries(MUTANTS))('a provider that %s is caught', async ([, { mutant, caughtBy }]) => {
  expect(await failing(targetOf(mutant), caughtBy)).toEqual(expect.arrayContaining([...caughtBy]))
})

/** An in-process model that counts letters. */
function createLetters({
  isUnit = true,
  isListening = true,
  isSteady = true,
  endpoint = null as string | null,
  size = 16,
}): EmbeddingProvider {
  let calls = 0
  const vectorOf = (text: string): Float32Array => {
    const counts = new Float32Array(size).fill(1)
    for (const letter of text) counts[(letter.codePointAt(0) ?? 0) % size]! += 1
    const norm = isUnit ? Math.hypot(...counts) : 1
    return counts.map((count) => count / norm)
  }
  return {
    specVersion: 'v1',
    space: { provider: 'letters', endpoint, model: 'letters', requestedDimensions: size === 16 ? null : size, variant: {} },
    limits: { maxInputs: 100, concurrency: 1 },
    modalities: ['text'],
    traits: { isLocal: true, vectorWeight: 0.2 },
    async embed({ inputs, signal }) {
      const check = (): void => {
        if (isListening) signal?.throwIfAborted()
      }
      check()
      if (inputs.length > 100) throw new ProviderError('invalid-input', 'letters: at most 100', { provider: 'letters' })
      calls += isSteady ? 0 : 1
      await Promise.resolve()
      check()
      return { vectors: inputs.map((input) => vectorOf(input.type === 'text' ? input.text + 'x'.repeat(calls) : '')) }
    },
  }
}

const lettersOf = (settings: Parameters<typeof createLetters>[0]): InProcessProviderTarget => ({
  transport: 'in-process',
  create: ({ set }) => {
    if (set['size'] === 0) throw new ProviderError('config', 'letters: size', { provider: 'letters' })
    return createLetters({ ...settings, ...set })
  },
  inputTypes: 'symmetric',
  reportsUsage: false,
  misconfigured: [{ size: 0 }],
  variations: { model: { size: 8 }, dimensions: { size: 8 }, variant: null },
})

test('a sound model in this process passes every case', async () => {
  expect(await failing(lettersOf({}))).toEqual([])
})

test.for([
  { name: 'skips normalising', settings: { isUnit: false }, caughtBy: ['E5.unit'] },
  { name: 'ignores the abort', settings: { isListening: false }, caughtBy: ['E9.before', 'E9.during'] },
  { name: 'mixes calls', settings: { isSteady: false }, caughtBy: ['E3.alone', 'E6', 'E9.parallel'] },
  { name: 'claims an address', settings: { endpoint: 'http://localhost' }, caughtBy: ['E2.local'] },
])('a model in this process that $name is caught', async ({ settings, caughtBy }) => {
  expect(await failing(lettersOf(settings))).toEqual(expect.arrayContaining(caughtBy))
})

test('what a target leaves undeclared is left out and named', () => {
  const { misconfigured: _, variations: __, options: ___, ...least } = targetOf({})
  expect([...undeclaredCases(least)]).toEqual([
    ['misconfigured', ['E1.config']],
    ['variations', ['E2.moves', 'E14.dimensions']],
    ['options', ['E14']],
  ])
  const ids = (target: HttpProviderTarget): readonly string[] => embeddingProviderCases(target).map(({ id }) => id)
  const missing = ids(targetOf({})).filter((id) => !ids({ ...least, wire: openaiCompatibleWire }).includes(id))
  expect(missing).toEqual(['E1.config', 'E2.moves', 'E14', 'E14.dimensions'])
  expect(undeclaredCases(targetOf({})).size).toBe(0)
})

const caseOf = (target: HttpProviderTarget, wanted: string): Promise<unknown> =>
  embeddingProviderCases(target)
    .find(({ id }) => id === wanted)
    ?.run()
    .catch((error: unknown) => error) ?? Promise.resolve()

test.each(['E9.silence', 'E9.stall'])('%s leaves no rejection unhandled when the call ends before its request', async (id) => {
  const unhandled: unknown[] = []
  const note = (error: unknown): unknown => unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const own = new TypeError('model is not a function')
  const target = { ...targetOf({}), create: () => ({ ...createLetters({}), embed: () => Promise.reject(own) }) }
  expect(await caseOf(target, id)).toMatchObject({
    message: expect.stringContaining('no request came: the call rejects with TypeError: model is not a function before'),
    cause: { cause: own },
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(unhandled).toEqual([])
})

test("a failed expectation shows the adapter's own error", async () => {
  const own = new TypeError('data.map is not a function')
  const throwing = { ...targetOf({}), create: () => ({ ...createLetters({}), embed: () => Promise.reject(own) }) }
  expect(await caseOf(throwing, 'E11.auth')).toMatchObject({
    message: expect.stringMatching(/: rejects with a ProviderError, not with TypeError: data\.map is not a function$/),
    cause: { cause: own },
  })
  expect(await caseOf(targetOf({ code: () => 'unavailable' }), 'E11.auth')).toMatchObject({
    message: expect.stringMatching(/: rejects with the code auth, not with unavailable \(sample/),
    cause: { cause: expect.objectContaining({ code: 'unavailable' }) },
  })
})

test('every case has an id of its own, and a deviation fails once its case passes', async () => {
  const ids = embeddingProviderCases(targetOf({})).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const deviating = embeddingProviderCases(targetOf({}), [{ id: 'E10', reason: 'the service counts nothing' }])
  await expect(deviating.find(({ id }) => id === 'E10')?.run()).rejects.toThrow('E10 passes now')
})
