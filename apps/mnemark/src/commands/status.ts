import type { BackendStatus } from '@mnemark/spec'
import type { WorkspaceDescription } from '@mnemark/workspace'
import type { Invocation } from '../command.ts'
import { loadSettings } from '../config/load-settings.ts'
import type { Settings } from '../config/load-settings.ts'
import { EXIT } from '../exit-code.ts'
import type { ExitCode } from '../exit-code.ts'
import { openMemory, openNotes } from '../memory/open-memory.ts'
import { searchSummary, settingsRemarks } from '../memory/provider-state.ts'
import { printStatus } from '../output/print-status.ts'

/** The document of `status --json`. The first keys are about the index, the later ones say where things are. */
export interface StatusDocument extends Pick<BackendStatus, 'documents' | 'chunks' | 'spaces' | 'degraded'> {
  readonly dirty: boolean
  readonly backend: string
  readonly provider: string | null
  readonly skipped: readonly { readonly path: string; readonly reason: string }[]
  /** Inputs that wait for a vector, and those that failed. */
  readonly queue: { readonly missing: number; readonly failed: number }
  readonly agent: string
  readonly requestedProvider: string
  /** How search works, in words. */
  readonly search: string
  /** The key that switches memory off, else null. */
  readonly switchedOffBy: string | null
  /** Null where nothing has been indexed. */
  readonly index: string | null
  readonly workspace: WorkspaceDescription & { readonly from: Settings['workspaceFrom'] }
  readonly config: { readonly file: string | null; readonly warnings: readonly string[]; readonly notHonoured: readonly string[] }
}

/** Says what is indexed, how, and what is not. Writes nothing. */
export async function status(invocation: Invocation): Promise<ExitCode> {
  const { options, console } = invocation
  const settings = await loadSettings(invocation.globalOptions, invocation.currentFolder, invocation.environment)
  const document =
    settings.switchedOffBy === null ? await describeMemory(settings, options.has('deep')) : await describeSwitchedOff(settings)
  console.document(document)
  if (!console.isJson) printStatus(console, document)
  return EXIT.done
}

async function describeMemory(settings: Settings, isDeep: boolean): Promise<StatusDocument> {
  const open = await openMemory(settings, { isReadOnly: true })
  try {
    const { documents, chunks, spaces, isDirty, backend, ...rest } = await open.memory.status({ isDeep })
    return {
      documents,
      chunks,
      spaces,
      dirty: isDirty,
      backend,
      provider: null,
      degraded: [...settingsRemarks(settings), ...rest.degraded],
      skipped: readSkipped(rest.details),
      queue: {
        missing: spaces.reduce((sum, { missing }) => sum + missing, 0),
        failed: spaces.reduce((sum, { failed }) => sum + failed, 0),
      },
      search: searchSummary(settings, open.chain),
      index: open.indexFile,
      ...placesOf(settings, open.notes.describe()),
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
    degraded: [],
    skipped: [],
    queue: { missing: 0, failed: 0 },
    search: `off: switched off by ${settings.switchedOffBy}`,
    index: null,
    ...placesOf(settings, (await openNotes(settings)).describe()),
  }
}

function placesOf(
  settings: Settings,
  workspace: WorkspaceDescription,
): Pick<StatusDocument, 'agent' | 'requestedProvider' | 'switchedOffBy' | 'workspace' | 'config'> {
  return {
    agent: settings.agentId,
    requestedProvider: settings.provider.requested,
    switchedOffBy: settings.switchedOffBy,
    workspace: { ...workspace, from: settings.workspaceFrom },
    config: { file: settings.configFile, warnings: settings.warnings, notHonoured: settings.notHonoured },
  }
}

/** `details` is the backend's own: what is not a list of skipped documents is none. */
function readSkipped(details: BackendStatus['details']): StatusDocument['skipped'] {
  const { skipped } = details
  if (!Array.isArray(skipped)) return []
  return skipped.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || !('path' in entry) || !('skipped' in entry)) return []
    return [{ path: String(entry.path), reason: String(entry.skipped) }]
  })
}
