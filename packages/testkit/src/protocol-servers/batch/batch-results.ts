import type { JobState } from './batch-job-state.ts'
import type { BatchLine, ServiceJob } from './batch-job.ts'
import { sampleVector } from '../wire/sample-vector.ts'

/** Why a line has no vectors: its input was refused, the service failed, or the job ended before its turn. */
export type LineFailure = 'refused' | 'busy' | 'late'

/** States of jobs and lines of their files, in the words of one service. */
export interface JobForm {
  /** Whether a job can be removed from the service; then one that is not is left behind. */
  readonly deletesJobs: boolean
  /** Whether lines that failed have a file of their own, or stand among the good ones. */
  readonly hasErrorFile: boolean
  /** Plain JSON. */
  resultLine(line: BatchLine, vectors: readonly unknown[], job: ServiceJob): unknown
  errorLine(line: BatchLine, failure: LineFailure, job: ServiceJob): unknown
}

/** The lines of one of a job's files with their ends, in an order that is not that of the input, made as they are read. */
export function* resultLines(
  form: JobForm,
  job: ServiceJob,
  { state, part }: { readonly state: JobState; readonly part: 'results' | 'errors' },
): Generator<string> {
  const { lineEnd, hasLastEnd, bend } = job.plan
  let last: string | undefined
  for (const line of bend(plainLines(form, job, { state, part }))) {
    if (last !== undefined) yield last + lineEnd
    last = line
  }
  if (last !== undefined) yield last + (hasLastEnd ? lineEnd : '')
}

function* plainLines(
  form: JobForm,
  job: ServiceJob,
  { state, part }: { readonly state: JobState; readonly part: 'results' | 'errors' },
): Generator<string> {
  const isWanted = { results: form.hasErrorFile ? part === 'results' : true, errors: form.hasErrorFile && part === 'errors' }
  if (part === 'errors' && !isWanted.errors) return
  for (const index of shuffled(job.lines.length)) {
    const line = job.lines[index]
    if (line === undefined) continue
    const fate = index < state.done ? job.plan.fate(line, index) : 'late'
    const isError = fate === 'refused' || fate === 'busy' || fate === 'late'
    if (fate === 'missing' || (form.hasErrorFile && isError !== (part === 'errors'))) continue
    if (isError) {
      yield JSON.stringify(form.errorLine(line, fate, job))
      continue
    }
    const text = JSON.stringify(form.resultLine(line, vectorsOf(line, fate), job))
    yield fate === 'malformed' ? text.slice(0, Math.floor(text.length / 2)) : text
    if (fate === 'twice') yield text
  }
}

function vectorsOf({ call }: ServiceJob['lines'][number], fate: string): readonly unknown[] {
  const vectors = call.texts.map((text) => sampleVector(text, call.dimensions))
  if (fate === 'short') return vectors.map((vector) => vector.slice(1))
  return fate === 'zeros' ? vectors.map((vector) => vector.map(() => 0)) : vectors
}

/** Every position once: the step shares no factor with the count. */
function* shuffled(count: number): Generator<number> {
  let step = Math.floor(count * 0.618) | 1
  while (commonFactor(step, count) > 1) step++
  for (let index = 0; index < count; index++) yield (index * step + 1) % count
}

function commonFactor(left: number, right: number): number {
  return right === 0 ? left : commonFactor(right, left % right)
}
