import { type BatchJob, fingerprint, type VectorSpace } from '@mnemark/spec'
import type { BatchContext } from './batch-context.ts'

/** Number of finished jobs whose records are kept for the list. */
const KEPT_RECORDS = 20

const OPEN: ReadonlySet<BatchJob['state']> = new Set(['intended', 'submitted', 'unknown'])

/** Whether its inputs are reserved for it, so that nobody else may send them. */
export const isOpen = ({ state }: Pick<BatchJob, 'state'>): boolean => OPEN.has(state)

/** Whether work is left to do for it; a collected job still has to be cleaned up. */
export const needsCare = (job: Pick<BatchJob, 'state'>): boolean => isOpen(job) || job.state === 'collected'

export const isOfSpace = ({ space }: Pick<BatchJob, 'space'>, wanted: string): boolean => fingerprint(space) === wanted

/** A unique name, sorted by time. Letters, digits and dashes: it becomes part of a file name. */
export function newMarker(nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()
  return `mnemark-${day}-${crypto.randomUUID()}`
}

export function intendedJob(space: VectorSpace, inputs: readonly string[], nowMs: number): BatchJob {
  return { marker: newMarker(nowMs), space, state: 'intended', inputs, createdAt: new Date(nowMs).toISOString() }
}

export async function putJob({ store, lease }: Pick<BatchContext, 'store' | 'lease'>, job: BatchJob): Promise<BatchJob> {
  await store.jobs.put(lease, job)
  return job
}

/** Records how a job ended, without its inputs, and deletes the oldest finished ones. */
export async function closeJob(
  context: Pick<BatchContext, 'store' | 'lease'>,
  job: BatchJob,
  end: { readonly state: 'cleaned' | 'abandoned'; readonly note: string },
): Promise<void> {
  const { store, lease } = context
  await putJob(context, { ...job, ...end, inputs: [] })
  const over = (await store.jobs.list()).filter((each) => !needsCare(each))
  for (const { marker } of over.slice(0, Math.max(0, over.length - KEPT_RECORDS))) await store.jobs.remove(lease, marker)
}
