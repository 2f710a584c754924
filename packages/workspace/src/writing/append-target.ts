import { type CallOptions, dayInZone, unseenIn, visibleName, WorkspaceError } from '@mnemark/spec'
import { hasOtherNotes } from '../paths/agent-files.ts'
import { requireDownloaded } from '../paths/icloud.ts'
import type { KnownRoots } from '../paths/known-roots.ts'
import { type Located, locate } from '../listing/locate.ts'
import { requireNote } from './require-note.ts'
import { createTally, type ScanSettings, scanRoot } from '../listing/scan.ts'
import type { Revise } from './revise.ts'
import { REPLACED } from '../source.ts'
import type { RootsSnapshot } from '../listing/roots-snapshot.ts'

export interface AppendOptions extends CallOptions {
  /**
   * `daily`: the log of the user's current day · `memory`: the long-term file · otherwise the path of a note in the workspace,
   * made with its folders where it does not exist.
   */
  readonly to: 'daily' | 'memory' | (string & {})
  /** The instant whose day `daily` means, in milliseconds since 1970. Default: now. */
  readonly now?: number
  /**
   * Changes the new text of the note before it is written, without adding or taking away lines. Where it changes lines that stand in the note
   * already, the note is edited: the file is replaced, and the version before is kept.
   */
  readonly revise?: Revise
}

/** The workspace as `appendNote` needs it. */
export interface AppendContext {
  readonly snapshot: RootsSnapshot
  readonly settings: ScanSettings
  readonly known: KnownRoots
  readonly timeZone: string | undefined
  /** Absolute; created if missing. */
  readonly historyFolder: () => string
}

/** The part of it that says which file is meant. */
export type TargetContext = Omit<AppendContext, 'historyFolder'>

/** The file to append to. */
export interface AppendTarget {
  readonly path: string
  readonly absolute: string
  /** Real path of the workspace folder; the file must lie below it. */
  readonly rootPath: string
  readonly exists: boolean
  /** The day of the log; null for other notes. */
  readonly heading: string | null
}

/**
 * @throws WorkspaceError `refused` where the workspace has no note of that path, `unreadable` where the workspace is not there
 */
export function chooseTarget(options: AppendOptions, context: TargetContext): AppendTarget {
  const { workspace } = context.snapshot
  const problem = workspace.problem ?? (isEmptyReplacement(context) ? REPLACED : null)
  if (problem !== null)
    throw new WorkspaceError('unreadable', `The workspace folder cannot be used: ${problem.replace(/\?$/u, '')}.`)
  const wanted = wantedPath(options, context)
  const find = (path: string): Located => locate(path, { ...context.snapshot, extras: [], roots: [workspace] }, context.settings)
  const asked = find(wanted)
  // A new MEMORY.md would put the memory.md that counts out of use.
  const isShadowing =
    asked.outcome === 'not-found' && asked.path === 'MEMORY.md' && context.snapshot.layout.curated === 'memory.md'
  const located = isShadowing ? find('memory.md') : asked
  if (located.outcome === 'refused') throw refusal(wanted, context)
  const { path, absolute } = located
  if (located.outcome === 'not-found') requireVisible(path)
  const stats = located.outcome === 'file' ? located.stats : undefined
  requireNote({ path, stats, rootPath: workspace.realBase })
  requireDownloaded(path, absolute)
  keepLayout(path, context)
  const heading = /(?:^|\/)(\d{4}-\d{2}-\d{2})\.md$/u.exec(path)?.[1] ?? null
  return { path, absolute, rootPath: workspace.realBase, exists: located.outcome === 'file', heading }
}

/** With an invisible or misleading name, a note could pass for another, or for somebody else's words where its name is shown. */
function requireVisible(path: string): void {
  const unseen = unseenIn(path)
  if (unseen === null) return
  throw new WorkspaceError(
    'refused',
    `The name ${visibleName(path)} holds a character that cannot be seen, ${unseen}. Use letters, digits and signs that show.`,
  )
}

function wantedPath(options: AppendOptions, context: TargetContext): string {
  if (options.to === 'daily') return dailyLog(options.now ?? Date.now(), context)
  if (options.to === 'memory') return context.snapshot.layout.curated ?? 'MEMORY.md'
  return options.to
}

/** The path of the log of the user's day, whether it is there or not. */
export function dailyLog(nowMs: number, context: TargetContext): string {
  const { layout } = context.snapshot
  const name = `${dayInZone(nowMs, context.timeZone)}.md`
  // The log of a plain folder lies with its other notes, unless there is a place for it.
  const isAtTop = layout.kind === 'plain' && !layout.hasMemoryFolder && holdsOtherNotes(context)
  return isAtTop ? name : `${layout.memoryFolder}/${name}`
}

/** A first MEMORY.md, or memory.md with memory/, turns a plain folder into a memory workspace; not when that would take notes out of the search. */
function keepLayout(path: string, context: TargetContext): void {
  const { kind, curated, hasMemoryFolder } = context.snapshot.layout
  const completesLower = (path === 'memory.md' && hasMemoryFolder) || (path.startsWith('memory/') && curated === 'memory.md')
  const isTurning = kind === 'plain' && (path === 'MEMORY.md' || completesLower)
  if (!isTurning || !holdsOtherNotes(context)) return
  const effect = `making ${path} would turn it into a memory workspace, and its other notes would no longer be searched`
  throw new WorkspaceError('refused', `This is a plain folder of notes: ${effect}. Append to another path.`)
}

function holdsOtherNotes({ snapshot, settings }: TargetContext): boolean {
  return hasOtherNotes(snapshot.workspace.realBase, settings.rules)
}

/** Another folder than the one that held the notes, and nothing in it: a note made there would lie under the disk that is not mounted. */
function isEmptyReplacement({ snapshot, settings, known }: TargetContext): boolean {
  if (!known.isReplaced(snapshot.workspace)) return false
  for (const item of scanRoot(snapshot.workspace, settings, createTally([]))) if (item !== null) return false
  return true
}

/** The error for a path that may not be written. */
export function refusal(wanted: string, { snapshot, settings }: Pick<AppendContext, 'snapshot' | 'settings'>): WorkspaceError {
  if (locate(wanted, snapshot, settings).outcome !== 'refused') {
    return new WorkspaceError('refused', 'Extra paths are only read. Write to a note of the workspace.')
  }
  const { layout } = snapshot
  const notes =
    layout.kind === 'plain'
      ? 'a Markdown file (.md) of this folder'
      : `MEMORY.md, ${layout.memoryFolder}/**/*.md or ${layout.bankFolder}/**/*.md`
  return new WorkspaceError(
    'refused',
    `This path is not a note of this workspace: expected ${notes}, not behind a link or in an ignored folder.`,
  )
}
