import { type BatchHandle, type BatchState, ProviderError } from '@mnemark/spec'
import type { BatchContext } from './batch-context.ts'
import { Backoff } from './service-patience.ts'

/**
 * `waiting`: it still runs, and the time to wait has ended. `lost`: the service no longer knows it, or its answers make
 * no sense.
 */
export type Watched =
  | { readonly status: 'done' }
  | { readonly status: 'waiting'; readonly error?: ProviderError }
  | { readonly status: 'failed' | 'lost'; readonly error: ProviderError }

/** Senseless answers in a row before a job is given up. */
const MAX_STRANGE = 10
/** Age below which a service may not know a job everywhere yet. */
const YOUNG_MS = 5 * 60_000

/**
 * Polls a job until it or the time to wait ends, at growing intervals. Rejects with fatal errors such as `auth` and
 * `quota`, and with the reason of the signal.
 */
export async function watchJob(
  context: BatchContext,
  handle: BatchHandle,
  onProgress: (completed: number) => void,
): Promise<Watched> {
  const backoff = new Backoff(context)
  let strange = 0
  for (;;) {
    const seen = await look(context, handle)
    if (!ProviderError.isInstance(seen)) {
      strange = 0
      if (seen.status === 'done') return { status: 'done' }
      if (seen.status === 'failed') return { status: 'failed', error: asProviderError(context, seen.error) }
      if (seen.completed !== undefined) onProgress(seen.completed)
      if (!(await backoff.wait())) return { status: 'waiting' }
      continue
    }
    if (!seen.isRetryable) {
      const isYoung = context.effects.now() - Date.parse(handle.submittedAt) < YOUNG_MS
      if (seen.code === 'not-found' && !isYoung) return { status: 'lost', error: seen }
      if (seen.code !== 'not-found' && seen.code !== 'bad-response') throw seen
      if (++strange >= MAX_STRANGE) return { status: 'lost', error: seen }
    }
    if (!(await backoff.wait(seen.retryAfterMs))) return { status: 'waiting', error: seen }
  }
}

async function look({ batch, signal }: BatchContext, handle: BatchHandle): Promise<BatchState | ProviderError> {
  try {
    return await batch.poll(handle, { signal })
  } catch (error) {
    if (!ProviderError.isInstance(error) || error.code === 'cancelled') throw error
    return error
  }
}

function asProviderError({ provider }: BatchContext, error: Error): ProviderError {
  if (ProviderError.isInstance(error)) return error
  return new ProviderError('bad-response', `${provider.space.provider}: the job failed.`, {
    provider: provider.space.provider,
    cause: error,
  })
}
