/** Tests the batch cases: a small sound provider passes them, and each way of breaking it is caught by the case for it. */
import type { BatchHandle, BatchOutcome, BatchState, EmbeddingBatch, EmbeddingProvider, ProviderErrorCode } from '@mnemark/spec'
import { ProviderError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { openAIWire } from '../protocol-servers/vendors/openai-wire.ts'
import { recordOf } from '../protocol-servers/wire/read-fields.ts'
import { embeddingProviderCases } from './embedding-provider-cases.ts'
import type { ProviderSetup } from '../service-suite/service-target.ts'
import type { HttpProviderTarget } from './provider-target.ts'

type Fields = Readonly<Record<string, unknown>>
type Mutant = Partial<ReturnType<typeof soundParts>>

const CODES: Readonly<Record<number, ProviderErrorCode>> = { 401: 'auth', 404: 'not-found', 429: 'rate-limit' }
const failed = (code: ProviderErrorCode, details: object = {}): ProviderError =>
  new ProviderError(code, `sample (sample-embed): ${code}`, { provider: 'sample', ...details })

/** The decisions of a provider with jobs, each replaceable. */
function soundParts() {
  return {
    priceFactor: 0.5,
    provider: 'sample',
    checkId: (id: string, known: ReadonlySet<string>): void => {
      if (!/^[\w-]{1,64}$/.test(id) || known.has(id)) throw failed('invalid-input')
    },
    beforeJob: async (hook: (() => Promise<void>) | undefined): Promise<void> => hook?.(),
    creations: 1,
    isMarked: (job: Fields, marker: string): boolean => recordOf(job['metadata'])?.['marker'] === marker,
    isNamed: (file: Fields, marker: string): boolean => file['filename'] === `${marker}.jsonl`,
    running: ['validating', 'in_progress', 'finalizing', 'cancelling'] as readonly string[],
    done: ['completed', 'expired', 'cancelled'] as readonly string[],
    files: (job: Fields): readonly unknown[] => [job['output_file_id'], job['error_file_id']],
    ownFiles: (job: Fields): readonly unknown[] => [job['input_file_id'], job['output_file_id'], job['error_file_id']],
    parse: (line: string): unknown => {
      try {
        return JSON.parse(line)
      } catch {
        return undefined
      }
    },
    idOf: (line: Fields, _position: number, _ids: readonly string[]): unknown => line['custom_id'],
    vectorOf: (values: unknown, length: number | undefined): Float32Array => {
      const numbers = Array.isArray(values) ? values.map(Number) : []
      const norm = Math.hypot(...numbers)
      if (norm === 0 || (length !== undefined && numbers.length !== length)) throw failed('bad-response')
      return Float32Array.from(numbers, (value) => value / norm)
    },
    lineError: (code: ProviderErrorCode, _said: string): ProviderError => failed(code),
    lateCode: 'unavailable' as ProviderErrorCode,
    isGone: (status: number): boolean => [404, 409].includes(status),
    signal: (signal: AbortSignal | undefined): AbortSignal | undefined => signal,
    retries: 0,
  }
}

class SampleBatch {
  readonly #parts: ReturnType<typeof soundParts>
  readonly #setup: ProviderSetup
  #ids: readonly string[] = []
  length: number | undefined

  constructor(setup: ProviderSetup, mutant: Mutant) {
    this.#parts = { ...soundParts(), ...mutant }
    this.#setup = setup
  }

  get batch(): EmbeddingBatch {
    const { priceFactor } = this.#parts
    return {
      limits: { maxRequests: 100, maxBytes: 1_000_000, minRequests: 1, windowHours: 24 },
      priceFactor,
      submit: (items, options) => this.#submit(items, options),
      find: (marker, options) => this.#find(marker, options?.signal),
      poll: (handle, options) => this.#poll(handle, options?.signal),
      results: (handle, options) => this.#results(handle, options?.signal),
      cancel: async ({ jobId }, options) => void (await this.#lenient(`/batches/${jobId}/cancel`, 'POST', options?.signal)),
      cleanUp: (job, options) => this.#cleanUp(job, options?.signal),
    }
  }

  async json(path: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Fields> {
    return recordOf(JSON.parse(await this.#text(path, init, signal))) ?? {}
  }

  async #text(path: string, init: RequestInit, given: AbortSignal | undefined): Promise<string> {
    const signal = this.#parts.signal(given)
    signal?.throwIfAborted()
    const headers = { authorization: `Bearer ${this.#setup.apiKey}`, ...(init.headers as Record<string, string> | undefined) }
    for (let tries = 0; ; tries++) {
      try {
        const response = await this.#setup.fetch(this.#setup.baseUrl + path, { ...init, headers, signal: signal ?? null })
        const text = await response.text()
        if (response.ok) return text
        if (tries < this.#parts.retries) continue
        throw refusalOf(response, text)
      } catch (error) {
        signal?.throwIfAborted()
        throw ProviderError.isInstance(error) ? error : failed('unavailable')
      }
    }
  }

  async #submit(...[items, options]: Parameters<EmbeddingBatch['submit']>): Promise<BatchHandle> {
    const { marker, beforeJob, signal } = options
    const ids = new Set<string>()
    let text = ''
    for await (const { id, input } of items) {
      this.#parts.checkId(id, ids)
      ids.add(id)
      const body = { model: 'text-embedding-3-small', input: input.type === 'text' ? input.text : '', dimensions: 4 }
      text += `${JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/embeddings', body })}\n`
    }
    if (ids.size === 0) throw failed('invalid-input')
    this.#ids = [...ids]
    const form = new FormData()
    form.set('file', new File([text], `${marker}.jsonl`))
    form.set('purpose', 'batch')
    const { id } = await this.json('/files', { method: 'POST', body: form }, signal)
    await this.#parts.beforeJob(beforeJob)
    const job = { input_file_id: id, endpoint: '/v1/embeddings', completion_window: '24h', metadata: { marker } }
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(job) }
    for (let again = 1; again < this.#parts.creations; again++) await this.json('/batches', init, signal)
    return this.#handle(await this.json('/batches', init, signal))
  }

  #handle({ id, created_at: seconds }: Fields): BatchHandle {
    return { provider: this.#parts.provider, jobId: String(id), submittedAt: new Date(Number(seconds) * 1000).toISOString() }
  }

  async #find(marker: string, signal: AbortSignal | undefined): Promise<BatchHandle | null> {
    const { data } = await this.json('/batches', { method: 'GET' }, signal)
    const job = (Array.isArray(data) ? data : []).find((entry) => this.#parts.isMarked(recordOf(entry) ?? {}, marker))
    return job === undefined ? null : this.#handle(recordOf(job) ?? {})
  }

  async #poll({ jobId }: BatchHandle, signal: AbortSignal | undefined): Promise<BatchState> {
    const job = await this.json(`/batches/${jobId}`, { method: 'GET' }, signal)
    const { total, completed } = recordOf(job['request_counts']) ?? {}
    const status = String(job['status'])
    if (this.#parts.running.includes(status)) return { status: 'running', completed: Number(completed), total: Number(total) }
    if (this.#parts.done.includes(status)) return { status: 'done' }
    if (status === 'failed') return { status: 'failed', error: failed('invalid-input') }
    throw failed('error' in job ? 'not-found' : 'bad-response')
  }

  async *#results({ jobId }: BatchHandle, signal: AbortSignal | undefined): AsyncGenerator<BatchOutcome> {
    const job = await this.json(`/batches/${jobId}`, { method: 'GET' }, signal)
    for (const file of this.#parts.files(job)) {
      if (typeof file !== 'string') continue
      const text = await this.#text(`/files/${file}/content`, { method: 'GET' }, signal)
      const lines = text.split('\n').flatMap((line): readonly Fields[] => {
        const parsed = recordOf(this.#parts.parse(line))
        return parsed === undefined ? [] : [parsed]
      })
      for (const [position, line] of lines.entries()) {
        const id = this.#parts.idOf(line, position, this.#ids)
        if (typeof id === 'string') yield this.#outcome(id, line)
      }
    }
  }

  #outcome(id: string, { response, error }: Fields): BatchOutcome {
    const { status_code: status, body } = recordOf(response) ?? {}
    if (status !== 200) {
      const code = status === undefined ? this.#parts.lateCode : status === 400 ? 'invalid-input' : 'unavailable'
      return { id, error: this.#parts.lineError(code, JSON.stringify(body ?? error)) }
    }
    const data = recordOf(body)?.['data']
    try {
      const vector = this.#parts.vectorOf(recordOf(Array.isArray(data) ? data[0] : undefined)?.['embedding'], this.length)
      this.length ??= vector.length
      return { id, vector }
    } catch (thrown) {
      return { id, error: thrown instanceof Error ? thrown : failed('bad-response') }
    }
  }

  async #cleanUp(job: BatchHandle | { readonly marker: string }, signal: AbortSignal | undefined): Promise<void> {
    for (const id of 'jobId' in job ? await this.#filesOf(job, signal) : await this.#filesNamed(job.marker, signal))
      if (typeof id === 'string') await this.#lenient(`/files/${id}`, 'DELETE', signal)
  }

  async #filesOf({ jobId }: BatchHandle, signal: AbortSignal | undefined): Promise<readonly unknown[]> {
    const job = await this.#lenient(`/batches/${jobId}`, 'GET', signal)
    return job === undefined ? [] : this.#parts.ownFiles(job)
  }

  async #filesNamed(marker: string, signal: AbortSignal | undefined): Promise<readonly unknown[]> {
    const { data } = await this.json('/files', { method: 'GET' }, signal)
    const files = (Array.isArray(data) ? data : []).map((entry) => recordOf(entry) ?? {})
    return files.filter((file) => this.#parts.isNamed(file, marker)).map(({ id }) => id)
  }

  /** A finished or missing job is no error. */
  async #lenient(path: string, method: string, signal: AbortSignal | undefined): Promise<Fields | undefined> {
    try {
      return await this.json(path, { method }, signal)
    } catch (error) {
      if (ProviderError.isInstance(error) && this.#parts.isGone(error.status ?? 0)) return undefined
      throw error
    }
  }
}

function refusalOf({ status, headers }: Response, text: string): ProviderError {
  const isEmptyAccount = text.includes('insufficient_quota')
  const code = isEmptyAccount ? 'quota' : (CODES[status] ?? (status < 500 ? 'invalid-input' : 'unavailable'))
  const [exact, hint] = [headers.get('retry-after-ms'), headers.get('retry-after')]
  const waitMs = exact !== null ? Number(exact) : hint === null ? undefined : Number(hint) * 1000
  return failed(code, { status, ...(waitMs === undefined || isEmptyAccount ? {} : { retryAfterMs: waitMs }) })
}

function createSample(setup: ProviderSetup, mutant: Mutant): EmbeddingProvider {
  const jobs = new SampleBatch(setup, mutant)
  const model = 'text-embedding-3-small'
  return {
    specVersion: 'v1',
    space: { provider: 'sample', endpoint: setup.baseUrl, model, requestedDimensions: 4, variant: {} },
    limits: { maxInputs: 10, concurrency: 1 },
    modalities: ['text'],
    traits: { isLocal: true, vectorWeight: 0.5 },
    async embed({ inputs, signal }) {
      const input = inputs.map((each) => (each.type === 'text' ? each.text : ''))
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ model, input, dimensions: 4 })
      const { data } = await jobs.json('/embeddings', { method: 'POST', headers, body }, signal)
      const { vectorOf } = soundParts()
      const vectors = (Array.isArray(data) ? data : []).map((entry) => vectorOf(recordOf(entry)?.['embedding'], undefined))
      jobs.length ??= vectors[0]?.length
      return { vectors }
    },
    batch: jobs.batch,
  }
}

async function failing(mutant: Mutant, only: string = 'E16'): Promise<readonly string[]> {
  const target: HttpProviderTarget = { transport: 'http', create: (setup) => createSample(setup, mutant), wire: openAIWire }
  const failures: string[] = []
  for (const { id, run } of embeddingProviderCases(target)) if (id.startsWith(only)) await run().catch(() => failures.push(id))
  return failures
}

test('a sound provider without any of our code passes every batch case', async () => {
  expect(await failing({})).toEqual([])
})

const MUTANTS: Readonly<Record<string, { readonly mutant: Mutant; readonly caughtBy: string }>> = {
  'makes the job before it says so': { mutant: { beforeJob: async () => {} }, caughtBy: 'E16.intent' },
  'makes every job twice': { mutant: { creations: 2 }, caughtBy: 'E16.life' },
  'names another provider in its handles': { mutant: { provider: 'other' }, caughtBy: 'E16.life' },
  'has a price above its price': { mutant: { priceFactor: 2 }, caughtBy: 'E16.limits' },
  'takes any id': { mutant: { checkId: () => {} }, caughtBy: 'E16.ids' },
  'finds a job by the beginning of its marker': {
    mutant: { isMarked: (job, marker) => marker.startsWith(String(recordOf(job['metadata'])?.['marker'])) },
    caughtBy: 'E16.find',
  },
  'finds the newest job, whosever it is': { mutant: { isMarked: () => true }, caughtBy: 'E16.lag' },
  'removes every file': { mutant: { isNamed: () => true }, caughtBy: 'E16.orphan' },
  'removes no file of a marker': { mutant: { isNamed: () => false }, caughtBy: 'E16.orphan' },
  'leaves its results at the service': { mutant: { ownFiles: (job) => [job['input_file_id']] }, caughtBy: 'E16.life' },
  'takes an expired job for a failed one': { mutant: { done: ['completed', 'cancelled'] }, caughtBy: 'E16.expired' },
  'takes a cancelled job for a strange one': { mutant: { done: ['completed', 'expired'] }, caughtBy: 'E16.cancel' },
  'takes what stops for what is over': {
    mutant: { running: ['validating', 'in_progress'], done: ['completed', 'expired', 'cancelled', 'cancelling'] },
    caughtBy: 'E16.cancel',
  },
  'takes any state for a running one': {
    mutant: { running: ['validating', 'in_progress', 'finalizing', 'cancelling', 'UNKNOWN'] },
    caughtBy: 'E16.states',
  },
  'does not read the error file': { mutant: { files: (job) => [job['output_file_id']] }, caughtBy: 'E16.all-failed' },
  'joins results by position (B63)': { mutant: { idOf: (_, position, ids) => ids[position] }, caughtBy: 'E16.lines' },
  'dies of a broken line': { mutant: { parse: (line) => (line === '' ? undefined : JSON.parse(line)) }, caughtBy: 'E16.partial' },
  'keeps vectors of any length': {
    mutant: { vectorOf: (values) => soundParts().vectorOf(values, undefined) },
    caughtBy: 'E16.short',
  },
  'takes what was not reached for refused': { mutant: { lateCode: 'invalid-input' }, caughtBy: 'E16.expired' },
  'fails where a job is gone': { mutant: { isGone: () => false }, caughtBy: 'E16.cancel' },
  'repeats what a line said': {
    mutant: { lineError: (code, said) => new ProviderError(code, said, { provider: 'sample' }) },
    caughtBy: 'E16.silent',
  },
  'ignores the signal': { mutant: { signal: () => undefined }, caughtBy: 'E16.abort' },
  'asks again by itself': { mutant: { retries: 1 }, caughtBy: 'E16.codes' },
}

test.for(Object.entries(MUTANTS))('a provider that %s is caught', async ([, { mutant, caughtBy }]) => {
  expect(await failing(mutant, caughtBy)).toContain(caughtBy)
})
