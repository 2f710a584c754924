import type { BatchJob } from '@mnemark/spec'
import { fingerprint } from '@mnemark/spec'

const OPEN: ReadonlySet<BatchJob['state']> = new Set(['intended', 'submitted', 'unknown'])

/** The order of `jobs.list`: oldest first, then by marker. */
export function compareJobs(left: BatchJob, right: BatchJob): number {
  const age = left.createdAt < right.createdAt ? -1 : left.createdAt > right.createdAt ? 1 : 0
  return age || (left.marker < right.marker ? -1 : 1)
}

/** The inputs that `missingInputs` leaves out: those of open jobs of this space. */
export function inputsInJobs(jobs: Iterable<BatchJob>, ofSpace: string): ReadonlySet<string> {
  const open = [...jobs].filter(({ state, space }) => OPEN.has(state) && fingerprint(space) === ofSpace)
  return new Set(open.flatMap(({ inputs }) => inputs))
}
