import type { BatchHandle, BatchOutcome, BatchState, CallOptions, EmbeddingBatch } from '@mnemark/spec'
import { batchFile } from '../batch/batch-file.ts'
import type { EmbeddingBatchDefinition, RawBatchHandle, RawBatchState } from '../batch/embedding-batch-definition.ts'
import { errorChain } from '../failure/error-chain.ts'
import { freezeOptions } from './freeze-options.ts'
import { guardCall } from './guard-call.ts'
import { LineWords } from '../batch/line-words.ts'
import { type FailureContext, toProviderError } from '../failure/provider-failure.ts'
import type { RawEmbedding } from '../reply/raw-embedding.ts'
import { readVectors } from '../reply/read-vectors.ts'
import { failureError } from '../failure/service-failure.ts'

/** The length of a provider's vectors, shared by its requests and its jobs: the first answer fixes it. */
export interface VectorLength {
  dimensions: number | undefined
}

export interface BatchContext {
  readonly failures: FailureContext
  readonly length: VectorLength
  readonly timeoutMs: number
}

/** The batch part of `defineEmbeddingProvider`: checks requests and replies, and turns anything thrown into a `ProviderError`. */
export function defineEmbeddingBatch(definition: EmbeddingBatchDefinition, context: BatchContext): EmbeddingBatch {
  const limits = freezeOptions(definition.limits)
  const { priceFactor } = definition
  const call = <Value>(options: CallOptions | undefined, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> => {
    const { failures, timeoutMs } = context
    return guardCall({ context: failures, signal: options?.signal, timeoutMs, lateness: 'no answer about a job' }, work)
  }
  return Object.freeze({
    limits,
    ...(priceFactor === undefined ? {} : { priceFactor }),
    submit: (...[items, options]: Parameters<EmbeddingBatch['submit']>) => submit(definition, context, { items, options }),
    find: (marker: string, options?: CallOptions) =>
      call(options, async (signal) => {
        const found = await definition.find(marker, signal)
        return found === null ? null : handleOf(found, context)
      }),
    poll: (handle: BatchHandle, options?: CallOptions) =>
      call(options, async (signal) => stateOf(await definition.poll(handle, signal), context)),
    results: (handle: BatchHandle, options?: CallOptions) =>
      outcomes(definition, handle, { ...context, signal: options?.signal }),
    cancel: (handle: BatchHandle, options?: CallOptions) => call(options, (signal) => definition.cancel(handle, signal)),
    cleanUp: (job: BatchHandle | { readonly marker: string }, options?: CallOptions) =>
      call(options, (signal) => definition.cleanUp(job, signal)),
  })
}

/** A submission has no time-out: uploading a large file over a slow line takes long. */
function submit(
  definition: EmbeddingBatchDefinition,
  context: BatchContext,
  { items, options }: { items: Parameters<EmbeddingBatch['submit']>[0]; options: Parameters<EmbeddingBatch['submit']>[1] },
): Promise<BatchHandle> {
  const { inputType, marker, beforeJob } = options
  // The caller's own errors are not the service's and are rethrown unchanged.
  const own = new Set<unknown>()
  const noting = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work()
    } catch (error) {
      own.add(error)
      throw error
    }
  }
  const work = async (signal: AbortSignal): Promise<BatchHandle> => {
    const line = (item: { readonly id: string; readonly text: string }): unknown => definition.line({ ...item, inputType })
    const file = await batchFile(notingItems(items, noting), { limits: definition.limits, line })
    signal.throwIfAborted()
    const raw = await definition.submit({
      file,
      marker,
      inputType,
      signal,
      beforeJob: () => noting(async () => beforeJob?.()),
    })
    return handleOf(raw, context)
  }
  const guarded = { context: context.failures, signal: options.signal, timeoutMs: undefined, lateness: '' }
  let thrown: unknown
  const passing = (signal: AbortSignal): Promise<BatchHandle> =>
    work(signal).catch((error: unknown) => {
      thrown = errorChain(error).find((link) => own.has(link)) ?? (own.has(error) ? error : undefined)
      throw error
    })
  return guardCall(guarded, passing).catch((error: unknown) => {
    throw thrown ?? error
  })
}

async function* notingItems<Item>(
  items: AsyncIterable<Item>,
  noting: <Value>(work: () => Promise<Value>) => Promise<Value>,
): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await noting(() => iterator.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    await iterator.return?.()
  }
}

function handleOf({ jobId, submittedAtMs, extra }: RawBatchHandle, { failures }: BatchContext): BatchHandle {
  if (typeof jobId !== 'string' || jobId === '')
    throw failureError({ code: 'bad-response', summary: 'the service names no job it made' })
  const atMs = submittedAtMs !== undefined && Number.isFinite(submittedAtMs) ? submittedAtMs : Date.now()
  const submittedAt = new Date(atMs).toISOString()
  return { provider: failures.provider, jobId, submittedAt, ...(extra === undefined ? {} : { extra }) }
}

const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

function stateOf(state: RawBatchState, { failures }: BatchContext): BatchState {
  switch (state.status) {
    case 'failed':
      return { status: 'failed', error: toProviderError(failureError(state.failure), failures) }
    case 'done':
      return { status: 'done' }
    case 'running': {
      const [completed, total] = [amount(state.completed), amount(state.total)]
      return {
        status: 'running',
        ...(completed === undefined ? {} : { completed }),
        ...(total === undefined ? {} : { total }),
      }
    }
  }
}

async function* outcomes(
  definition: EmbeddingBatchDefinition,
  handle: BatchHandle,
  { failures, length, signal = new AbortController().signal }: BatchContext & { readonly signal?: AbortSignal | undefined },
): AsyncGenerator<BatchOutcome> {
  const words = new LineWords()
  try {
    signal.throwIfAborted()
    for await (const { id, embedding, failure } of definition.results(handle, signal)) {
      // A line without an id cannot be matched to an input.
      if (typeof id !== 'string') continue
      yield failure === undefined
        ? vectorOutcome(id, embedding ?? { values: undefined }, { failures, length })
        : { id, error: toProviderError(failureError(words.fitToShow(failure)), failures) }
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : toProviderError(error, failures)
  }
}

function vectorOutcome(
  id: string,
  embedding: RawEmbedding,
  { failures, length }: Pick<BatchContext, 'failures' | 'length'>,
): BatchOutcome {
  try {
    // Each line holds one vector, whatever position it states.
    const [vector] = readVectors([{ values: embedding.values }], { count: 1, ...length, hasNullVectors: false })
    if (vector === null || vector === undefined) throw failureError({ code: 'bad-response' })
    length.dimensions ??= vector.length
    return { id, vector }
  } catch (error) {
    return { id, error: toProviderError(error, failures) }
  }
}
