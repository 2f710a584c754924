import type { BatchJobs } from '@mnemark/core/backend'
import type { BatchJob } from '@mnemark/spec'
import { ProviderError } from '@mnemark/spec'
import type { Invocation } from '../../command.ts'
import type { Settings } from '../../config/load-settings.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import type { OpenMemory } from '../../memory/open/open-memory.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import { type JobDocument, printJobs } from '../../printing/print-jobs.ts'
import { withProgress } from '../../terminal/progress.ts'
import { commandSettings } from '../command-settings.ts'

const ACTIONS: Readonly<Record<string, (invocation: Invocation) => Promise<ExitCode>>> = { list, resume, cancel }

/** Batch jobs at embedding services: lists, collects and cancels them. */
export async function batch(invocation: Invocation): Promise<ExitCode> {
  const name = invocation.words[0] ?? ''
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  const isBare = name === 'cancel' || invocation.words.length === 1
  if (action !== undefined && isBare) return action(invocation)
  throw badUse(`batch ${invocation.words.join(' ')} is not known; allowed: list, resume, cancel MARKER, cancel all`)
}

async function list(invocation: Invocation): Promise<ExitCode> {
  const { settings } = await load(invocation)
  return withJobs(settings, { isReadOnly: true, vectors: 'none' }, async (jobs) => {
    const documents = (await jobs.list()).map(toDocument)
    invocation.console.document({ jobs: documents })
    printJobs(invocation.console, documents)
    return EXIT.done
  })
}

function toDocument({ marker, state, space, handle, inputs, createdAt, note }: BatchJob): JobDocument {
  return {
    marker,
    state,
    provider: space.provider,
    model: space.model,
    ...(handle === undefined ? {} : { jobId: handle.jobId, submittedAt: handle.submittedAt }),
    texts: inputs.length,
    createdAt,
    ...(note === undefined ? {} : { note }),
  }
}

/** Waits for jobs as long as configured, and collects results. Creates no jobs. Exit code 3 if a service stopped it. */
async function resume(invocation: Invocation): Promise<ExitCode> {
  const { console } = invocation
  const { settings } = await load(invocation)
  return withJobs(settings, {}, async (jobs) => {
    const { orphans } = await jobs.sort()
    const reports = await withProgress(console, (onProgress) =>
      jobs.resume({ onProgress: ({ done, total }) => onProgress({ phase: 'batch', done, total }) }),
    )
    const documents = reports.map(({ provider: { space }, report }) => {
      const { filled, waiting, unknown, rest, notes, stoppedBy } = report
      const stopped = stoppedBy === undefined ? [] : [stoppedBy.message]
      return {
        provider: space.provider,
        model: space.model,
        filled,
        waiting,
        unknown,
        left: rest.size,
        notes: [...notes, ...stopped],
      }
    })
    console.document({ resumed: documents, orphans: orphans.map(toDocument) })
    if (documents.length + orphans.length === 0) console.print('no batch jobs at any service')
    for (const { provider, model, filled, waiting, left, notes } of documents) {
      const parts = [
        `${filled} texts collected`,
        `${waiting.inputs} still at the service`,
        `${left} to be sent again by mnemark index`,
      ]
      console.print(`${provider} (${model}): ${parts.join(', ')}`)
      for (const note of notes) console.note(`mnemark: ${note}`)
    }
    noteOrphans(invocation, orphans)
    return reports.some(({ report }) => report.stoppedBy !== undefined) ? EXIT.unavailable : EXIT.done
  })
}

async function cancel(invocation: Invocation): Promise<ExitCode> {
  const { console, words } = invocation
  const [, wanted, ...more] = words
  if (wanted === undefined || more.length > 0) throw badUse('batch cancel wants one marker, its beginning, or all')
  const { settings } = await load(invocation)
  return withJobs(settings, {}, async (jobs) => {
    const { known, orphans } = await jobs.sort()
    const chosen = chosenJobs(wanted, known, orphans)
    const cancelled: { readonly marker: string; readonly outcome: string }[] = []
    for (const job of chosen) cancelled.push({ marker: job.marker, outcome: await cancelOne(jobs, job) })
    console.document({ cancelled })
    for (const { marker, outcome } of cancelled) console.print(`${marker}: ${OUTCOMES[outcome]}`)
    if (chosen.length === 0) console.print('no batch jobs at any service')
    if (wanted === 'all') noteOrphans(invocation, orphans)
    return EXIT.done
  })
}

const OUTCOMES: Readonly<Record<string, string>> = {
  cancelling: 'stops; what it has done is kept, and collected by mnemark index or mnemark batch resume',
  withdrawn: 'was not found at the service and is given up; the next mnemark index sends its texts again',
  over: 'was over already',
}

async function cancelOne(jobs: BatchJobs, job: BatchJob): Promise<string> {
  try {
    return await jobs.cancel(job)
  } catch (error) {
    if (!ProviderError.isInstance(error)) throw error
    throw new CommandError('provider-unavailable', `${job.marker} was not cancelled: ${error.message}`, {
      exitCode: EXIT.unavailable,
      next: 'Try again later; nothing was changed.',
    })
  }
}

function chosenJobs(wanted: string, known: readonly BatchJob[], orphans: readonly BatchJob[]): readonly BatchJob[] {
  if (wanted === 'all') return known
  const found = [...known, ...orphans].filter(({ marker }) => marker === wanted || marker.startsWith(wanted))
  const [job, ...others] = found
  if (job === undefined) throw badUse(`no batch job that is not over is named ${JSON.stringify(wanted)}`)
  if (others.length > 0) throw badUse(`${found.length} batch jobs begin with ${JSON.stringify(wanted)}`)
  if (known.includes(job)) return [job]
  throw new CommandError(
    'no-provider',
    `${job.marker} was made for ${job.space.provider} (${job.space.model}), which is not set`,
    {
      exitCode: EXIT.unavailable,
      next: 'Set that provider, model and address again, with its key.',
    },
  )
}

function noteOrphans({ console }: Invocation, orphans: readonly BatchJob[]): void {
  for (const { marker, space } of orphans)
    console.note(
      `mnemark: ${marker} waits for ${space.provider} (${space.model}), which is not set: set it again to collect the job.`,
    )
}

function badUse(message: string): CommandError {
  return new CommandError('bad-use', message, { next: 'mnemark batch list shows the jobs; mnemark batch --help shows examples.' })
}

async function load(invocation: Invocation): Promise<{ readonly settings: Settings }> {
  const settings = await commandSettings(invocation)
  requireMemory(settings)
  return { settings }
}

async function withJobs(
  settings: Settings,
  options: Parameters<typeof openMemory>[1],
  work: (jobs: BatchJobs) => Promise<ExitCode>,
): Promise<ExitCode> {
  const open: OpenMemory = await openMemory(settings, options)
  try {
    const { batchJobs } = await import('@mnemark/core/backend')
    return await work(batchJobs({ store: open.store, providers: open.chain.providers, settings: settings.memory }))
  } finally {
    await open.close()
  }
}
