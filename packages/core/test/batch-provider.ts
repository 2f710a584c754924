import type { BatchHandle, BatchOutcome, BatchState, EmbeddingBatch, EmbeddingProvider } from '@mnemark/spec'
import { ProviderError } from '@mnemark/spec'
import { type BatchForm, BatchService, type ServiceFile, type ServiceJob } from '@mnemark/testkit'
import { createFakeEmbedder, type FakeEmbedder, vectorOf } from './fake-embedder.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** Points of failure: before the service does its part, or after, when its answer is lost. */
export type BatchStage = 'upload' | 'uploaded' | 'create' | 'created' | 'find' | 'poll' | 'results' | 'cancel' | 'cleanUp'

export interface BatchProviderOptions {
  readonly limits?: Partial<EmbeddingBatch['limits']>
  readonly maxInputTokens?: number
  /** Throws the error that the call fails with. Calls are counted by stage, from 1. */
  readonly at?: (stage: BatchStage, call: number) => void | Promise<void>
}

export interface BatchProvider extends FakeEmbedder {
  readonly batch: EmbeddingBatch
  readonly service: BatchService
  readonly polledAtMs: number[]
}

const DIMENSIONS = 4

const FORM: BatchForm = {
  deletesJobs: false,
  hasErrorFile: true,
  handle: () => undefined,
  resultLine: ({ id, call }) => ({ id, text: call.texts[0] }),
  errorLine: ({ id }, failure) => ({ id, failure }),
}

const failed = (code: ProviderError['code'], words: string): ProviderError =>
  new ProviderError(code, `fake (sample): ${words}`, { provider: 'fake' })

/** A provider on the testkit's job service, in this process and on the clock of the test: core sees only the contract. */
export function createBatchProvider(clock: Pick<VirtualClock, 'now'>, options: BatchProviderOptions = {}): BatchProvider {
  const service = new BatchService(FORM)
  const startMs = service.clock.nowMs - clock.now()
  const counts = new Map<string, number>()
  const polledAtMs: number[] = []
  const at = async (stage: BatchStage): Promise<void> => {
    service.clock.advance(clock.now() + startMs - service.clock.nowMs)
    counts.set(stage, (counts.get(stage) ?? 0) + 1)
    await options.at?.(stage, counts.get(stage) ?? 0)
  }
  const jobOf = ({ jobId }: BatchHandle): ServiceJob => {
    const job = service.job(jobId)
    if (job === undefined) throw failed('not-found', 'no such job')
    return job
  }
  const handleOf = (job: ServiceJob): BatchHandle => ({
    provider: 'fake',
    jobId: job.id,
    submittedAt: new Date(job.createdAtMs - startMs).toISOString(),
  })
  const filesOf = (job: ServiceJob): readonly (string | null)[] => [
    job.inputFile,
    service.outputOf(job, 'results'),
    service.outputOf(job, 'errors'),
  ]
  const batch: EmbeddingBatch = {
    limits: { maxRequests: 1_000, maxBytes: 1_000_000, minRequests: 1, windowHours: 24, ...options.limits },
    priceFactor: 0.5,
    async submit(items, { marker, beforeJob }) {
      const lines: ServiceJob['lines'][number][] = []
      for await (const { id, input } of items) {
        const text = input.type === 'text' ? input.text : ''
        lines.push({ id, call: { texts: [text], model: 'sample', dimensions: DIMENSIONS } })
      }
      await at('upload')
      const file = service.upload(marker, 'batch', '')
      await at('uploaded')
      await beforeJob?.()
      await at('create')
      const job = service.create({ inputFile: file.id, metadata: { marker }, request: {}, lines })
      if (job === null) throw failed('rate-limit', 'too many jobs')
      await at('created')
      return handleOf(job)
    },
    async find(marker) {
      await at('find')
      const job = service.listed(service.jobs).find(({ metadata }) => metadata['marker'] === marker)
      return job === undefined ? null : handleOf(job)
    },
    async poll(handle): Promise<BatchState> {
      await at('poll')
      polledAtMs.push(clock.now())
      const job = jobOf(handle)
      const state = service.stateOf(job)
      if (job.plan.word !== undefined) throw failed('bad-response', 'a state that is not known')
      if (state.name === 'failed') return { status: 'failed', error: failed('invalid-input', 'the file is not fit') }
      return state.isOver ? { status: 'done' } : { status: 'running', completed: state.done, total: job.lines.length }
    },
    async *results(handle) {
      await at('results')
      const job = jobOf(handle)
      for (const id of [service.outputOf(job, 'results'), service.outputOf(job, 'errors')]) {
        const file = id === null ? undefined : service.file(id)
        if (id !== null && file === undefined) throw failed('not-found', 'the file is gone')
        if (file !== undefined) yield* outcomesOf(service, file)
      }
    },
    async cancel(handle) {
      await at('cancel')
      const job = service.job(handle.jobId)
      if (job !== undefined) service.cancel(job)
    },
    async cleanUp(job) {
      await at('cleanUp')
      const own = 'jobId' in job ? service.job(job.jobId) : undefined
      const named = 'marker' in job ? service.listed(service.files).filter(({ name }) => name === job.marker) : []
      const ids = own === undefined ? named.map(({ id }) => id) : filesOf(own)
      for (const id of ids) if (id !== null) service.deleteFile(id)
    },
  }
  const embedder = createFakeEmbedder({ dimensions: DIMENSIONS, limits: limitsOf(options) })
  return Object.assign(embedder, { batch, service, polledAtMs })
}

const limitsOf = ({ maxInputTokens }: BatchProviderOptions): Partial<EmbeddingProvider['limits']> =>
  maxInputTokens === undefined ? {} : { maxInputTokens }

function* outcomesOf(service: BatchService, file: ServiceFile): Generator<BatchOutcome> {
  for (const line of service.contentOf(file)) {
    const outcome = parsed(line)
    if (outcome === undefined) continue
    const { id, text, failure } = outcome
    if (text !== undefined) yield { id, vector: vectorOf(text, DIMENSIONS) }
    else yield { id, error: failed(failure === 'refused' ? 'invalid-input' : 'unavailable', `the line is ${failure}`) }
  }
}

function parsed(line: string): { readonly id: string; readonly text?: string; readonly failure?: string } | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
