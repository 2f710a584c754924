import type { JobPlan, ServiceJob } from './batch-job.ts'

export const PLAN: JobPlan = {
  validationMs: 1_000,
  workMs: 60_000,
  cancelMs: 1_000,
  end: 'completed',
  doneShare: 0.5,
  fate: () => 'good',
  bend: (lines) => lines,
  lineEnd: '\n',
  hasLastEnd: true,
}

export interface JobState {
  readonly name: 'validating' | 'running' | 'cancelling' | 'completed' | 'failed' | 'expired' | 'cancelled'
  readonly isOver: boolean
  /** Number of lines, from the first, that were processed. */
  readonly done: number
  readonly endedAtMs?: number
}

/** State of a job by its plan, the time of its cancellation, and the time. */
export function jobStateAt(job: ServiceJob, nowMs: number): JobState {
  const { plan, lines, problem, createdAtMs, cancelledAtMs } = job
  const workAtMs = createdAtMs + plan.validationMs
  const endAtMs = plan.end === 'stuck' ? Number.POSITIVE_INFINITY : workAtMs + plan.workMs
  if (cancelledAtMs !== undefined) {
    const done = problem === undefined ? doneAt(cancelledAtMs, workAtMs, job) : 0
    const isOver = nowMs >= cancelledAtMs + plan.cancelMs
    return isOver
      ? { name: 'cancelled', isOver, done, endedAtMs: cancelledAtMs + plan.cancelMs }
      : { name: 'cancelling', isOver, done }
  }
  if (nowMs < workAtMs) return { name: 'validating', isOver: false, done: 0 }
  if (plan.end === 'failed' || problem !== undefined) return { name: 'failed', isOver: true, done: 0, endedAtMs: workAtMs }
  if (nowMs < endAtMs) return { name: 'running', isOver: false, done: doneAt(nowMs, workAtMs, job) }
  const done = plan.end === 'expired' ? Math.floor(lines.length * plan.doneShare) : lines.length
  return { name: plan.end === 'expired' ? 'expired' : 'completed', isOver: true, done, endedAtMs: endAtMs }
}

function doneAt(nowMs: number, workAtMs: number, { plan, lines }: ServiceJob): number {
  const share = Math.min(1, Math.max(0, (nowMs - workAtMs) / Math.max(1, plan.workMs)))
  return Math.floor(lines.length * share)
}

/** Number of processed lines that succeeded, and of all lines that failed; lines in neither file are not counted. */
export function countLines(job: ServiceJob, { done, isOver }: JobState): { readonly good: number; readonly failed: number } {
  let good = 0
  let failed = 0
  for (const [index, line] of job.lines.entries()) {
    const fate = index < done ? job.plan.fate(line, index) : isOver ? 'late' : 'waiting'
    if (fate === 'refused' || fate === 'busy' || fate === 'late') failed++
    else if (fate !== 'waiting') good++
  }
  return { good, failed }
}
