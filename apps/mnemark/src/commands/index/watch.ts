import type { Degradation, SyncReport } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import type { Invocation } from '../../command.ts'
import type { Settings } from '../../config/load-settings.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError, toFailure } from '../../failure.ts'
import { maskMessage } from '@mnemark/masking'
import { keepFresh } from '../../memory/fresh/keep-fresh.ts'
import { settleFirstIndex } from '../../memory/index/first-index.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import type { OpenMemory } from '../../memory/open/open-memory.ts'
import { settingsRemarks } from '../../memory/open/provider-state.ts'
import { recordKnownFacts } from '../../operations/facts/record-facts.ts'
import type { SyncRun } from '../../memory/fresh/sync-queue.ts'
import type { Console } from '../../terminal/console.ts'
import { isolate, printable, printableName } from '../../terminal/isolate.ts'
import { commandSettings } from '../command-settings.ts'
import { whatIsKept } from '../../memory/fresh/stoppable-sync.ts'

/** Keeps the index up to date until the process is told to stop. Under --json each event is one line. */
export async function watch(invocation: Invocation): Promise<ExitCode> {
  const { console } = invocation
  const settings = await commandSettings(invocation, { notes: 'warnings' })
  requireMemory(settings)
  requireTrigger(settings)
  await settleFirstIndex(settings, { console, isAgreed: invocation.options.has('yes') })
  const { watchDebounceMs } = settings.sync
  const open = await openMemory(settings, {
    watch: {
      ...(watchDebounceMs === undefined ? {} : { debounceMs: watchDebounceMs }),
      onRefusal: (message) => {
        console.document({ event: 'polling', message })
        console.note(`mnemark: ${message}`)
      },
    },
  })
  if (open.note !== null) console.note(`mnemark: ${open.note}`)
  for (const { message } of settingsRemarks(settings)) console.note(`mnemark: ${message}`)
  return watchUntilStopped(open, settings, console)
}

function requireTrigger({ sync }: Settings): void {
  if (sync.watch || sync.intervalMinutes > 0) return
  throw new CommandError(
    'nothing-to-do',
    'sync.watch is false and sync.intervalMinutes is 0: the index would never be brought up to date',
    {
      exitCode: EXIT.unavailable,
      next: 'Set one of the two in the configuration.',
    },
  )
}

async function watchUntilStopped(open: OpenMemory, settings: Settings, console: Console): Promise<ExitCode> {
  const ending = Promise.withResolvers<void>()
  const stop = (): void => ending.resolve()
  // Only once: a second Ctrl+C ends the process as usual.
  process.once('SIGINT', stop).once('SIGTERM', stop)
  let isCaughtUp = false
  let recording: Promise<void> = Promise.resolve()
  let isStopping = false
  const fresh = keepFresh(open, settings.sync, {
    onReport: (run, report) => {
      isCaughtUp = true
      const repairs = open.takeRepairs()
      for (const { message } of repairs) console.note(`mnemark: ${message}`)
      reportSync(console, run, { ...report, repairs })
      recording = recording
        .then(() => recordKnownFacts(open.store, settings, { report }))
        // The next run records what a closed index leaves out.
        .catch((error: unknown) => (isStopping ? undefined : reportFailure(console, error)))
    },
    onFailure: (_run, error) => {
      if (StoreError.isInstance(error) && error.code === 'corrupt') return ending.reject(error)
      reportFailure(console, error)
    },
  })
  fresh.request({ reason: 'start' })
  console.document({ event: 'watching', workspace: settings.workspace, index: open.indexFile })
  console.print(`watching ${isolate(printableName(settings.workspace))}; Ctrl+C stops`)
  try {
    await ending.promise
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    // Writes are finished: closing the memory stops a running sync at its next batch.
    isStopping = true
    await Promise.all([fresh.close(), open.close(), recording])
    console.document({ event: 'stopped' })
  }
  if (!isCaughtUp) await sayWhatIsKept(settings, console)
  return EXIT.done
}

/** Reports what is kept if it was stopped during its first sync. */
async function sayWhatIsKept(settings: Settings, console: Console): Promise<void> {
  const { message, next } = await whatIsKept(settings)
  console.note(`mnemark: ${message}\n${next}`)
}

const NAMED_FILES = 10

function reportSync(console: Console, run: SyncRun, report: SyncReport & { readonly repairs: readonly Degradation[] }): void {
  const { total, indexed, removed, failed, chunks, ms } = report
  const paths = run.paths?.map(({ path }) => path)
  const degraded = [...report.repairs, ...report.degraded.filter(({ code }) => code === 'source-failed')]
  console.document({
    event: 'synced',
    reason: run.reason,
    ...(paths === undefined ? { total } : { paths }),
    indexed,
    removed,
    failed: failed.map(({ path, reason }) => ({ path, reason })),
    chunks,
    isComplete: report.isComplete,
    ...(degraded.length === 0 ? {} : { degraded }),
    ms,
  })
  for (const { code, message } of degraded) if (code === 'source-failed') console.note(`mnemark: ${printable(message)}`)
  for (const { path, reason } of failed.slice(0, NAMED_FILES))
    console.note(`mnemark: ${printableName(path)} was not indexed: ${reason}`)
  if (run.reason !== 'start' && indexed + removed === 0) return
  const names = (paths ?? []).slice(0, NAMED_FILES).map((path) => isolate(printableName(path)))
  const more = (paths?.length ?? 0) > NAMED_FILES ? ', …' : ''
  const what = run.reason === 'start' ? `${total} documents: ` : ''
  console.print(`${what}${indexed} indexed, ${removed} removed${names.length === 0 ? '' : `: ${names.join(', ')}${more}`}`)
}

function reportFailure(console: Console, error: unknown): void {
  const { code, message: raw, next } = toFailure(error)
  const message = maskMessage(raw)
  console.document({ event: 'failed', error: { code, message, next } })
  console.note(`mnemark: the index was not brought up to date: ${message} It is tried again.`)
}
