import { accessSync, constants } from 'node:fs'
import { type CallOptions, locateQuote, WorkspaceError } from '@mnemark/spec'
import { chooseTarget, refusal, type TargetContext } from './append-target.ts'
import { createNote } from './create-note.ts'
import { plainFormat, type TextFormat, withoutTraps } from '../reading/decode.ts'
import { hashText } from '../reading/hash-text.ts'
import { requireDownloaded } from '../paths/icloud.ts'
import { locate } from '../listing/locate.ts'
import { type NoteFile, readWholeNote } from '../reading/note-file.ts'
import { keepVersion, openHistory } from './note-history.ts'
import { whileLocked } from './note-lock.ts'
import { refusedPath, systemCode, systemReason } from '../problems.ts'
import type { FolderHandle } from '../paths/real-place.ts'
import { ChangedMeanwhile, replaceFile } from './replace-file.ts'
import { formatBytes } from '../listing/scan.ts'

/** Another program may save between reading and writing; after this many tries it wins. */
const TRIES = 3

export interface ChangeOptions extends CallOptions {
  /** `hashText` of the whole note as it was read. Where the note is another one by now, nothing is written. */
  readonly expected?: string
  /** `quoteHash` of a text of the note as it was read, and its first line that is not blank. Where it does not stand there now, nothing is written. */
  readonly quote?: { readonly hash: string; readonly line?: number }
  /** True: a note that is not there is made, with its folders, from the text made of ''. Default false. */
  readonly creates?: boolean
  /** False: do not keep the previous version. Default true. */
  readonly keepsVersion?: boolean
  /** The instant under which the previous version is kept, in milliseconds since 1970. Default: now. */
  readonly now?: number
}

export interface ChangeReport {
  readonly path: string
  /** `unchanged`: the new text is the old one, or there was none, and nothing was written. */
  readonly status: 'created' | 'changed' | 'unchanged' | 'not-found'
  /** `hashText` of the whole note now; '' where there is none. */
  readonly hash: string
  /** The file that keeps the version before, below the history folder; null where none was kept. */
  readonly previous: string | null
  /** The file, below the history folder, that keeps what another program saved at the moment of writing; null where none did. */
  readonly conflict: string | null
}

export interface ChangeContext extends TargetContext {
  /** Absolute. */
  readonly historyFolder: string
  /** Called right before the file is replaced, for tests. */
  readonly beforeRename?: () => void
}

export interface NoteForChange {
  readonly bytes: Buffer
  /** The text as it is in the file, without the byte-order mark. */
  readonly text: string
  readonly format: TextFormat
  readonly stats: NoteFile['stats']
}

/**
 * Makes the new text from a note's text as it is in the file; null for no change. May be called again if the note was saved
 * meanwhile.
 */
export type MakeText = (note: { readonly text: string; readonly format: Pick<TextFormat, 'lineEnds'> }) => string | null

/** See `Workspace.change`. */
export function changeText(
  path: string,
  change: (text: string) => string | null,
  options: ChangeOptions,
  context: ChangeContext,
): Promise<ChangeReport> {
  return changeNote(path, { options, make: ({ text }) => changedText(text, change) }, context)
}

/** Line ends that are all alike are line feeds for whoever changes the text, and what they were in the file. */
function changedText(text: string, change: (text: string) => string | null): string | null {
  const ends = new Set(text.match(/\r\n|\r|\n/gu))
  const [lineEnd = '\n'] = ends
  const isAsItIs = ends.size !== 1 || lineEnd === '\n'
  const changed = change(isAsItIs ? text : text.replaceAll(lineEnd, '\n'))
  if (changed === null || isAsItIs) return changed
  return changed.replaceAll(/\r\n|\r|\n/gu, lineEnd)
}

/** Reads, changes and writes one note while it holds the lock. */
export async function changeNote(
  path: string,
  { options, make }: { readonly options: ChangeOptions; readonly make: MakeText },
  context: ChangeContext,
): Promise<ChangeReport> {
  const located = locateForChange(path, context)
  if (located.file === null && options.creates !== true) return notFound(located.path)
  try {
    using versions = openHistory({ folder: context.historyFolder, workspace: context.snapshot.workspace.realBase }, located.path)
    const once = (): ChangeReport => changeOnce(located.path, { options, make, versions }, context)
    return await whileLocked(versions, located.path, () => tryAgain(once), options)
  } catch (error) {
    if (systemCode(error) === '' || WorkspaceError.isInstance(error)) throw error
    throw new WorkspaceError('unreadable', `${located.path} was not changed: ${systemReason(error)}.`, { cause: error })
  }
}

function tryAgain(once: () => ChangeReport): ChangeReport {
  for (let tries = 1; ; tries += 1) {
    try {
      return once()
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || tries === TRIES) throw error
    }
  }
}

/** @throws WorkspaceError `refused` where there is no note of that path, `unreadable` where the workspace is not there */
export function locateForChange(path: string, context: ChangeContext): { readonly path: string; readonly file: NoteFile | null } {
  const { workspace } = context.snapshot
  if (workspace.problem !== null) {
    throw new WorkspaceError('unreadable', `The workspace folder cannot be used: ${workspace.problem}.`)
  }
  const located = locate(path, { ...context.snapshot, extras: [], roots: [workspace] }, context.settings)
  if (located.outcome === 'refused') throw refusal(path, context)
  requireDownloaded(located.path, located.absolute)
  return { path: located.path, file: located.outcome === 'not-found' ? null : located }
}

interface ChangeJob {
  readonly options: ChangeOptions
  readonly make: MakeText
  readonly versions: FolderHandle
}

/** Located again, because editors save by replacing the old file with a new one. */
function changeOnce(path: string, { options, make, versions }: ChangeJob, context: ChangeContext): ChangeReport {
  const { file } = locateForChange(path, context)
  if (file === null) return options.creates === true ? createOnce(path, { options, make }, context) : notFound(path)
  requireWritable(file)
  const note = readForChange(file, context.settings.maxFileBytes)
  const before = withoutTraps(note.text)
  requireAsRead(path, before, options)
  const text = make(note)?.toWellFormed() ?? null
  if (text === null || text === note.text)
    return { path, status: 'unchanged', hash: hashText(before), previous: null, conflict: null }
  const content = Buffer.concat([note.bytes.subarray(0, note.format.bomBytes), Buffer.from(text, 'utf8')])
  requireSearchable(path, content, context.settings.maxFileBytes)
  const version = { bytes: note.bytes, nowMs: options.now ?? Date.now(), mode: note.stats.mode }
  const kept = options.keepsVersion === false ? null : keepVersion(versions, path, version)
  const saved = replaceFile({ ...file, stats: note.stats, bytes: note.bytes }, content, context.beforeRename)
  const conflict = saved === null ? null : keepVersion(versions, path, { ...version, bytes: saved, isConflict: true })
  return {
    path,
    status: 'changed',
    hash: hashText(withoutTraps(text)),
    previous: kept && `${path}/${kept}`,
    conflict: conflict && `${path}/${conflict}`,
  }
}

function notFound(path: string): ChangeReport {
  return { path, status: 'not-found', hash: '', previous: null, conflict: null }
}

function createOnce(path: string, { options, make }: Omit<ChangeJob, 'versions'>, context: ChangeContext): ChangeReport {
  const target = chooseTarget({ to: path }, context)
  requireAsRead(path, '', options)
  const text = make({ text: '', format: { lineEnds: 'lf' } })?.toWellFormed() ?? ''
  if (text === '') return { ...notFound(target.path), status: 'unchanged' }
  requireSearchable(path, Buffer.from(text, 'utf8'), context.settings.maxFileBytes)
  if (!createNote(target, text)) throw new ChangedMeanwhile(path)
  return { path: target.path, status: 'created', hash: hashText(withoutTraps(text)), previous: null, conflict: null }
}

/** A read-only file is respected, even if its folder would allow replacing it. */
function requireWritable({ path, absolute, stats }: NoteFile): void {
  const readOnly = new WorkspaceError('refused', `${path} is read-only; nothing was changed.`)
  if ((stats.mode & 0o222) === 0) throw readOnly
  try {
    accessSync(absolute, constants.W_OK)
  } catch {
    throw readOnly
  }
}

function requireAsRead(path: string, text: string, { expected, quote }: ChangeOptions): void {
  const isOther = expected !== undefined && expected !== hashText(text)
  if (!isOther && (quote === undefined || isQuoted(text, quote))) return
  throw new WorkspaceError('conflict', `${path} is not as it was when it was read; nothing was changed. Read it again.`)
}

function isQuoted(text: string, { hash, line }: NonNullable<ChangeOptions['quote']>): boolean {
  const place = locateQuote(text, hash, line)
  return place?.match === 'same' && (line === undefined || place.startLine === line)
}

function requireSearchable(path: string, content: Uint8Array, maxBytes: number): void {
  if (content.length <= maxBytes) return
  const limit = formatBytes(maxBytes)
  throw new WorkspaceError('refused', `${path} would be larger than ${limit} and no longer searched; nothing was changed.`)
}

/** @throws WorkspaceError `refused` for what is no UTF-8 text through and through: writing it back would change other bytes */
function readForChange(file: NoteFile, maxBytes: number): NoteForChange {
  if (file.stats.size > maxBytes) {
    throw new WorkspaceError(
      'refused',
      `${file.path} is larger than ${formatBytes(maxBytes)} and is not searched; it cannot be edited.`,
    )
  }
  const read = readWholeNote(file, maxBytes)
  if (read === null || read.hasChanged) throw new ChangedMeanwhile(file.path)
  const { bytes, stats } = read
  if (!stats.isFile()) throw refusedPath()
  const format = plainFormat(bytes)
  if (format === null) {
    throw new WorkspaceError(
      'refused',
      `${file.path} is not UTF-8 text throughout; it cannot be edited without changing other bytes. Save it as UTF-8 first.`,
    )
  }
  return { bytes, text: bytes.subarray(format.bomBytes).toString('utf8'), format, stats }
}
