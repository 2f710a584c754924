import type { SyncReport } from '@mnemark/spec'
import type { Invocation } from '../command.ts'
import { loadSettings } from '../config/load-settings.ts'
import { EXIT } from '../exit-code.ts'
import type { ExitCode } from '../exit-code.ts'
import { requireMemory } from '../memory/memory-off.ts'
import { openMemory } from '../memory/open-memory.ts'
import { providerState } from '../memory/provider-state.ts'
import type { Console } from '../output/console.ts'
import { isolate, printable } from '../output/isolate.ts'
import { noteWarnings } from '../output/note-warnings.ts'
import { withProgress } from '../output/progress.ts'

/** Brings the index up to date. Files that cannot be read are named and end nothing. */
export async function indexNotes(invocation: Invocation): Promise<ExitCode> {
  const { options, console } = invocation
  const isDryRun = options.has('dry-run')
  const settings = await loadSettings(invocation.globalOptions, invocation.currentFolder, invocation.environment)
  requireMemory(settings)
  noteWarnings(console, settings)
  const open = await openMemory(settings, { isReadOnly: isDryRun })
  try {
    if (open.note !== null) console.note(`mnemark: ${open.note}`)
    const report = await withProgress(console, (onProgress) =>
      open.memory.sync({ reason: 'manual', force: options.has('force'), isDryRun, onProgress }),
    )
    const repairs = open.takeRepairs()
    console.document({ ...toDocument(report), ...(repairs.length === 0 ? {} : { degraded: repairs }) })
    for (const { message } of repairs) console.note(`mnemark: ${message}`)
    print(console, report, { isDryRun, indexFile: open.indexFile })
    for (const { message } of providerState(settings).degraded) console.note(`mnemark: ${message}`)
    for (const failure of open.notes.describe().lastListing?.failures ?? []) {
      console.note(`mnemark: not listed: ${failure}. What the index has from there is kept.`)
    }
    // Part of the notes is better than none; a workspace that cannot be looked at at all is not a success.
    return report.isComplete || report.total > 0 ? EXIT.done : EXIT.unavailable
  } finally {
    await open.close()
  }
}

function toDocument(report: SyncReport): object {
  const { total, indexed, unchanged, removed, chunks, tokens, usd, ms } = report
  return {
    documents: {
      total,
      indexed,
      unchanged,
      removed,
      skipped: report.skipped.map(({ path, skipped }) => ({ path, reason: skipped })),
      failed: report.failed.map(({ path, reason }) => ({ path, reason })),
    },
    chunks,
    vectors: report.vectors.map(({ fingerprint, filled, missing, failed }) => ({ space: fingerprint, filled, missing, failed })),
    tokens,
    ...(usd === undefined ? {} : { usd }),
    ms,
  }
}

const NAMED_FILES = 10

function print(
  console: Console,
  report: SyncReport,
  { isDryRun, indexFile }: { readonly isDryRun: boolean; readonly indexFile: string | null },
): void {
  const { total, indexed, unchanged, removed, chunks, ms } = report
  const verb = isDryRun ? 'would be indexed' : 'indexed'
  console.print(
    `${total} documents: ${indexed} ${verb}, ${unchanged} unchanged, ${removed} removed; ${chunks} chunks, ${(ms / 1000).toFixed(1)} s`,
  )
  if (!isDryRun) console.print(`index: ${indexFile}`)
  nameFiles(
    console,
    'skipped',
    report.skipped.map(({ path, skipped }) => ({ path, reason: skipped })),
  )
  nameFiles(console, 'failed', report.failed)
}

function nameFiles(console: Console, title: string, files: readonly { readonly path: string; readonly reason: string }[]): void {
  for (const { path, reason } of files.slice(0, NAMED_FILES)) console.print(`  ${title}: ${isolate(printable(path))} (${reason})`)
  if (files.length > NAMED_FILES) console.print(`  ${title}: ${files.length - NAMED_FILES} more; mnemark status --json names all`)
}
