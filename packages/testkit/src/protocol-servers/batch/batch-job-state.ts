import type { BatchLine, ServiceJob } from './batch-service.ts'

/** What becomes of one line: `missing` lines are in no file, `twice` ones two times, `malformed` ones cut off in the middle. */
export type LineFate = 'good' | 'refused' | 'busy' | 'missing' | 'twice' | 'malformed' | 'short' | 'zeros'

/** How a job goes. */
export interface JobPlan {
  /** Until its file is checked. Default 1,000. */
  readonly validationMs: number
  /** From then on until its end. Default 60,000. */
  readonly workMs: number
  /** From a cancellation until it holds. Default 1,000. */
  readonly cancelMs: number
  /** `failed`: its file is refused. `expired`: the window ended first. `stuck`: never ends. Default `completed`. */
  readonly end: 'completed' | 'failed' | 'expired' | 'stuck'
  /** Of its lines, how many are done when it expires, 0 to 1. Default 0.5. */
  readonly doneShare: number
  /** A state the service says instead of the true one. */
  readonly word?: string
  /** Default `good`. */
  readonly fate: (line: BatchLine, index: number) => LineFate
  /** The files' lines on their way out, for whatever else may be wrong with them. They come shuffled, without ends of lines. */
  readonly bend: (lines: Iterable<string>) => Iterable<string>
  readonly lineEnd: '\n' | '\r\n'
  /** Whether the last line has an end too. Default true. */
  readonly hasLastEnd: boolean
}

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
  /** Lines, from the first, that were worked on. */
  readonly done: number
  readonly endedAtMs?: number
}

/** Where a job stands: follows from its plan, when it was cancelled, and the time. */
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

/** Of the lines worked on, how many went well, and how many of all did not; lines of neither file count as neither. */
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
