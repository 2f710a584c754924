import { type BatchHandle, type BatchJob, ProviderError } from '@mnemark/spec'
import type { BatchContext } from './batch-context.ts'
import { putJob } from './job-record.ts'
import { Backoff } from './service-patience.ts'

/** Lists of services lag by seconds; a job requested this long ago would be in one. */
const FRESH_MS = 15 * 60_000
const HOUR_MS = 3_600_000

/** How long a list may lack a file that was just sent. */
const LAG_MS = 2 * 60_000

/**
 * Deletes a submission that became no job, with its file where that arrived. Its inputs are free again; where the file
 * may still appear, the record stays without them and the next run searches for it.
 */
export async function withdraw(context: BatchContext, job: BatchJob, isFileKnown: boolean): Promise<void> {
  const { batch, store, lease, signal, effects } = context
  try {
    await batch.cleanUp({ marker: job.marker }, { signal })
  } catch (error) {
    if (!ProviderError.isInstance(error) || error.code === 'cancelled') throw error
    // Without inputs the record blocks nothing, and the next run tries again.
    await putJob(context, { ...job, state: 'intended', inputs: [], note: `Its file is still to be removed: ${error.message}` })
    return
  }
  if (isFileKnown || effects.now() - Date.parse(job.createdAt) > LAG_MS) return store.jobs.remove(lease, job.marker)
  await putJob(context, { ...job, state: 'intended', inputs: [], note: 'Its file may still show up at the service.' })
}

/**
 * Settles a submission whose process died or got no answer. Undefined = no job was made, and its inputs are free. A job
 * that was requested and cannot be found stays `unknown`, and its inputs wait: sent again they might be paid for twice.
 * Once the service would have ended it, it counts as never made.
 */
export async function settleJob(context: BatchContext, job: BatchJob): Promise<BatchJob | undefined> {
  const ageMs = context.effects.now() - Date.parse(job.createdAt)
  const isAsked = job.state === 'unknown'
  const handle = isAsked && ageMs < FRESH_MS ? await search(context, job.marker) : await find(context, job.marker)
  if (handle !== null) {
    const { note: _, ...rest } = job
    return putJob(context, { ...rest, state: 'submitted', handle })
  }
  if (!isAsked || ageMs > context.batch.limits.windowHours * HOUR_MS) {
    await withdraw(context, job, isAsked)
    return undefined
  }
  const note =
    'The service was asked for this job and does not show it. Its texts wait, since sending them again might pay for them twice; ' +
    `\`batch cancel ${job.marker}\` gives them free.`
  return putJob(context, { ...job, note })
}

const find = ({ batch, signal }: BatchContext, marker: string): Promise<BatchHandle | null> => batch.find(marker, { signal })

/** Searches repeatedly, since lists lag, for a bounded time. */
async function search(context: BatchContext, marker: string): Promise<BatchHandle | null> {
  const { effects, settings } = context
  const backoff = new Backoff({ ...context, deadlineMs: effects.now() + settings.findMs })
  for (;;) {
    const found = await find(context, marker).catch((error: unknown) => {
      if (ProviderError.isInstance(error) && error.isRetryable) return error
      throw error
    })
    if (found !== null && !ProviderError.isInstance(found)) return found
    if (await backoff.wait(found?.retryAfterMs)) continue
    if (found !== null) throw found
    return null
  }
}
