import { type BatchJob, type EmbeddingInput, ProviderError } from '@mnemark/spec'
import type { BatchContext, BatchSource } from './batch-context.ts'
import type { JobGroup } from './job-packer.ts'
import { intendedJob, putJob } from './job-record.ts'
import { withdraw } from './settle-job.ts'

/** `unknown`: the job was requested from the service, and no answer came. */
export type Submission =
  | { readonly status: 'submitted' | 'unknown'; readonly job: BatchJob }
  | { readonly status: 'refused'; readonly error: ProviderError }

/** After these codes the job may exist all the same. Any other is an answer: the service made none. */
const LEAVES_OPEN: ReadonlySet<string> = new Set(['unavailable', 'bad-response', 'cancelled'])

/**
 * Submits a group as one job. The state written before each step tells a later process what to search for: `intended`
 * before anything is sent, `unknown` before the job is requested, `submitted` when the service has named it.
 */
export async function submitJob(context: BatchContext, source: BatchSource, group: JobGroup): Promise<Submission> {
  const { batch, effects, provider, signal } = context
  const hashes = group.inputs.map(({ hash }) => hash)
  let job = await putJob(context, intendedJob(provider.space, hashes, effects.now()))
  const sent: string[] = []
  const items = async function* (): AsyncGenerator<{ readonly id: string; readonly input: EmbeddingInput }> {
    for await (const { hash, input } of source.read(group.inputs)) {
      sent.push(hash)
      yield { id: hash, input }
    }
  }
  const beforeJob = async (): Promise<void> => {
    job = await putJob(context, { ...job, state: 'unknown', inputs: sent, note: 'The service was asked for this job.' })
  }
  try {
    const handle = await batch.submit(items(), { inputType: 'document', marker: job.marker, beforeJob, signal })
    const { note: _, ...rest } = job
    return { status: 'submitted', job: await putJob(context, { ...rest, state: 'submitted', inputs: sent, handle }) }
  } catch (error) {
    if (!ProviderError.isInstance(error)) throw error
    if (job.state === 'unknown' && LEAVES_OPEN.has(error.code)) {
      signal?.throwIfAborted()
      return { status: 'unknown', job }
    }
    if (error.code === 'cancelled') throw error
    await withdraw(context, job, !LEAVES_OPEN.has(error.code))
    return { status: 'refused', error }
  }
}
