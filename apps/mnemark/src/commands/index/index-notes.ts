import type { Degradation, SyncReport } from '@mnemark/spec'
import { ConfigError, WorkspaceError } from '@mnemark/spec'
import type { OtherEncoding } from '@mnemark/workspace'
import type { Invocation } from '../../command.ts'
import type { Settings } from '../../config/load-settings.ts'
import { withoutUndefined } from '../../config/without-undefined.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { settleFirstIndex } from '../../memory/index/first-index.ts'
import { outsideRemark } from '../../memory/index/outside-layout.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import type { OpenMemory } from '../../memory/open/open-memory.ts'
import { batchRemark, settingsRemarks } from '../../memory/open/provider-state.ts'
import { stoppableSync } from '../../memory/fresh/stoppable-sync.ts'
import { recordKnownFacts } from '../../operations/facts/record-facts.ts'
import { encodingNotes } from '../../printing/encoding-notes.ts'
import { printable } from '../../terminal/isolate.ts'
import { printIndexReport } from '../../printing/print-index-report.ts'
import { settleConsent, settleWidening } from './settle-consent.ts'
import { commandSettings } from '../command-settings.ts'

/** Updates the index. Files that cannot be read are reported, and the rest is indexed. */
export async function indexNotes(invocation: Invocation): Promise<ExitCode> {
  const { options, console } = invocation
  const isDryRun = options.has('dry-run')
  const settings = await commandSettings(invocation, { notes: 'warnings' })
  requireMemory(settings)
  const open = isDryRun
    ? await openMemory(settings, { isReadOnly: true, vectors: 'estimate' })
    : await openAgreed(settings, invocation)
  try {
    if (open.note !== null) console.note(`mnemark: ${open.note}`)
    await open.lookOver()
    const report = await sync(open, settings, invocation)
    const outside = await outsideRemark(open.notes)
    const unrecorded = isDryRun ? [] : await recordKnownFacts(open.store, settings, { report }).then(() => [], unwritten)
    const degraded = [...open.takeRepairs(), ...settingsRemarks(settings), ...report.degraded, ...outside, ...unrecorded]
    const { otherEncodings } = open.notes.describe()
    console.document({ ...toDocument(report, otherEncodings), ...(degraded.length === 0 ? {} : { degraded }) })
    printIndexReport(console, report, {
      isDryRun,
      open,
      isKeptWarm: settings.memory.keepWarm === true,
      reEmbed: options.get('re-embed'),
    })
    const remark = batchRemark(settings, open.chain)
    for (const note of [...(report.notes ?? []), ...(remark === null ? [] : [remark])]) console.note(`mnemark: ${note}`)
    for (const { message } of degraded) console.note(`mnemark: ${message}`)
    for (const note of encodingNotes(otherEncodings)) console.note(`mnemark: ${note}`)
    for (const failure of open.notes.describe().lastListing?.failures ?? []) {
      console.note(`mnemark: not listed: ${printable(failure)}. What the index has from there is kept.`)
    }
    // Listed notes are indexed, but a part that could not be listed still means failure.
    return report.degraded.some(({ code }) => code === 'source-failed') ? EXIT.unavailable : EXIT.done
  } finally {
    await open.close()
  }
}

async function openAgreed(settings: Settings, { options, console }: Invocation): Promise<OpenMemory> {
  const asking = { console, isAgreed: options.has('yes') }
  await settleFirstIndex(settings, asking)
  const consent = await settleConsent(settings, asking)
  const widening = await settleWidening(settings, asking)
  return openMemory(settings, withoutUndefined({ consent, widening, isForced: options.has('force') }))
}

async function sync(open: OpenMemory, settings: Settings, { options, console }: Invocation): Promise<SyncReport> {
  const reEmbed = options.get('re-embed')
  const request = {
    reason: 'manual',
    force: options.has('force'),
    fallback: options.has('fallback'),
    isDryRun: options.has('dry-run'),
  } as const
  try {
    return await stoppableSync({ open, settings, console }, { ...request, ...(reEmbed === undefined ? {} : { reEmbed }) })
  } catch (error) {
    // The space was named on the command line, not in the configuration.
    if (reEmbed === undefined || !ConfigError.isInstance(error)) throw error
    throw new CommandError('bad-option', error.message, { next: 'mnemark status names the spaces.' })
  }
}

/** The index is up to date all the same. */
function unwritten(error: unknown): readonly Degradation[] {
  if (!WorkspaceError.isInstance(error)) throw error
  return [{ code: 'source-failed', message: error.message }]
}

function toDocument(report: SyncReport, otherEncodings: readonly OtherEncoding[]): object {
  const { total, indexed, unchanged, removed, chunks, tokens, usd, usdByBatch, notes, retryAtMs, ms } = report
  return {
    documents: {
      total,
      indexed,
      unchanged,
      removed,
      skipped: report.skipped.map(({ path, skipped }) => ({ path, reason: skipped })),
      failed: report.failed.map(({ path, reason }) => ({ path, reason })),
      ...(otherEncodings.length === 0 ? {} : { otherEncodings }),
    },
    chunks,
    vectors: report.vectors.map(({ fingerprint, filled, missing, failed }) => ({ space: fingerprint, filled, missing, failed })),
    tokens,
    ...(usd === undefined ? {} : { usd }),
    ...(usdByBatch === undefined ? {} : { usdByBatch }),
    ...(notes === undefined ? {} : { notes }),
    ...(retryAtMs === undefined ? {} : { retryAt: new Date(retryAtMs).toISOString() }),
    ms,
  }
}
