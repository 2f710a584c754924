import type { BackendStatus } from '@mnemark/spec'
import type { Workspace } from '@mnemark/workspace'
import type { Invocation } from '../../command.ts'
import type { Settings } from '../../config/load-settings.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { openMemory, openNotes } from '../../memory/open/open-memory.ts'
import { INCLUDING_SETTING } from '../../memory/index/outside-layout.ts'
import { searchSummary, settingsRemarks } from '../../memory/open/provider-state.ts'
import type { ScanStatus } from '../../memory/repair/vector-scan.ts'
import { isolate, printable } from '../../terminal/isolate.ts'
import { type LinkStatus, printStatus, type StatusDocument } from '../../printing/print-status.ts'
import { qmdRows, qmdSummary } from '../../qmd/describe-qmd.ts'
import { commandSettings } from '../command-settings.ts'
import { askModels } from '../../providers/models/ask-models.ts'
import { describeModel, describeReranker, tokensOfToday } from '../../providers/models/describe-models.ts'
import { usableGenerators } from '../../providers/models/usable-models.ts'
import { askProviders } from '../../providers/use/ask-providers.ts'

/** Says what is indexed, how, and what is not. Writes nothing. */
export async function status(invocation: Invocation): Promise<ExitCode> {
  const { options, console } = invocation
  const settings = await commandSettings(invocation, { notes: 'none' })
  const document =
    settings.switchedOffBy === null ? await describeMemory(settings, options.has('deep')) : await describeSwitchedOff(settings)
  console.document(document)
  if (console.isJson) return EXIT.done
  printStatus(console, document)
  if (document.qmd !== undefined) {
    for (const [name, text] of qmdRows(document)) console.print(`${name.padEnd(11)}${isolate(printable(text))}`)
  }
  return EXIT.done
}

async function describeMemory(settings: Settings, isDeep: boolean): Promise<StatusDocument> {
  const open = await openMemory(settings, { isReadOnly: true })
  try {
    const { documents, chunks, spaces, isDirty, backend, ...rest } = await open.memory.status({ isDeep })
    const chain = readChain(rest.details)
    const asked = isDeep ? await askProviders(open.chain.providers) : undefined
    const { generators, problems } = await usableGenerators(settings)
    const { reranker } = open.rerank
    const askedModels = isDeep ? await askModels(generators, reranker) : undefined
    return {
      documents,
      chunks,
      spaces,
      dirty: isDirty,
      backend,
      provider: answering(chain, spaces)?.provider ?? null,
      chain,
      ...(asked === undefined ? {} : { asked }),
      generators: generators.map(describeModel),
      reranker: reranker === null ? null : describeReranker(reranker, settings.memory),
      ...(askedModels === undefined ? {} : { askedModels }),
      tokensToday: await tokensOfToday(open.store, settings, Date.now()),
      degraded: [...settingsRemarks(settings), ...rest.degraded, ...problems],
      skipped: readSkipped(rest.details),
      queue: {
        missing: spaces.reduce((sum, { missing }) => sum + missing, 0),
        failed: spaces.reduce((sum, { failed }) => sum + failed, 0),
        jobs: readJobs(rest.details),
      },
      details: { scan: readScan(rest.details) },
      ...(settings.qmd === null ? {} : { qmd: rest.details }),
      search: settings.qmd === null ? searchSummary(settings, open.chain) : qmdSummary(settings.qmd),
      index: open.indexFile,
      ...(await placesOf(settings, open.notes)),
    }
  } finally {
    await open.close()
  }
}

async function describeSwitchedOff(settings: Settings): Promise<StatusDocument> {
  return {
    documents: 0,
    chunks: 0,
    spaces: [],
    dirty: false,
    backend: 'none',
    provider: null,
    chain: [],
    generators: [],
    reranker: null,
    tokensToday: [],
    degraded: [],
    skipped: [],
    queue: { missing: 0, failed: 0, jobs: NO_JOBS },
    details: { scan: null },
    search: `off: switched off by ${settings.switchedOffBy}`,
    index: null,
    ...(await placesOf(settings, await openNotes(settings))),
  }
}

async function placesOf(
  settings: Settings,
  notes: Workspace,
): Promise<Pick<StatusDocument, 'agent' | 'requestedProvider' | 'switchedOffBy' | 'workspace' | 'config'>> {
  const outsideLayout = { ...(await notes.outsideLayout()), setting: INCLUDING_SETTING }
  return {
    agent: settings.agentId,
    requestedProvider: settings.provider.requested,
    switchedOffBy: settings.switchedOffBy,
    workspace: { ...notes.describe(), from: settings.workspaceFrom, outsideLayout },
    config: { file: settings.configFile, warnings: settings.warnings, notHonoured: settings.notHonoured },
  }
}

function answering(chain: readonly LinkStatus[], spaces: StatusDocument['spaces']): LinkStatus | undefined {
  const isThere = (link: LinkStatus): boolean =>
    spaces.some(({ fingerprint, filled }) => fingerprint === link.space && filled > 0)
  return chain.find((link) => link.isHealthy && isThere(link))
}

const NO_JOBS: StatusDocument['queue']['jobs'] = { open: 0, inputs: 0, unknown: 0 }

function readJobs({ jobs }: BackendStatus['details']): StatusDocument['queue']['jobs'] {
  if (typeof jobs !== 'object' || jobs === null) return NO_JOBS
  const count = (name: string): number => Number(Reflect.get(jobs, name)) || 0
  return { open: count('open'), inputs: count('inputs'), unknown: count('unknown') }
}

/** `details` belongs to the backend: anything but a list of links is ignored. */
function readChain({ chain }: BackendStatus['details']): readonly LinkStatus[] {
  // Safe: the built-in engine writes this type, and no other backend has a member of this name.
  return Array.isArray(chain) ? (chain as readonly LinkStatus[]) : []
}

/** `details` belongs to the backend: anything but a scan description is ignored. */
function readScan({ scan }: BackendStatus['details']): ScanStatus | null {
  // Safe: openMemory writes this type, and no other backend has a member of this name.
  return typeof scan === 'object' ? (scan as ScanStatus | null) : null
}

/** `details` belongs to the backend: anything but a list of skipped documents is ignored. */
function readSkipped(details: BackendStatus['details']): StatusDocument['skipped'] {
  const { skipped } = details
  if (!Array.isArray(skipped)) return []
  return skipped.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || !('path' in entry) || !('skipped' in entry)) return []
    return [{ path: String(entry.path), reason: String(entry.skipped) }]
  })
}
