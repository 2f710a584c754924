import type { BatchJob } from '@mnemark/spec'
import type { Console } from '../terminal/console.ts'
import { printable } from '../terminal/isolate.ts'

/** A job, for people and programs: nothing of its texts. */
export interface JobDocument extends Pick<BatchJob, 'marker' | 'state' | 'createdAt' | 'note'> {
  readonly provider: string
  readonly model: string
  /** The service's own name of it. */
  readonly jobId?: string
  readonly submittedAt?: string
  /** Texts that wait for it. */
  readonly texts: number
}

const STATES: Readonly<Record<JobDocument['state'], string>> = {
  intended: 'not asked for yet',
  submitted: 'at the service',
  unknown: 'may or may not have arrived',
  collected: 'collected, to be cleaned up',
  cleaned: 'done',
  abandoned: 'given up',
}

/** Prints a line for each job, with its note below. */
export function printJobs(console: Console, jobs: readonly JobDocument[]): void {
  if (jobs.length === 0) console.print('no batch jobs')
  for (const { marker, state, provider, model, texts, createdAt, note } of jobs) {
    const waiting = texts === 0 ? '' : `, ${texts} texts`
    console.print(`${marker}  ${createdAt.slice(0, 16).replace('T', ' ')}  ${provider} (${model})${waiting}: ${STATES[state]}`)
    if (note !== undefined) console.print(`  ${printable(note)}`)
  }
}
