import { accessSync, constants } from 'node:fs'
import { type CallOptions, WorkspaceError } from '@mnemark/spec'
import { refusal } from './append-target.ts'
import { plainFormat, type TextFormat, withoutTraps } from './decode.ts'
import { type EditChange, type EditedText, editText } from './edit-text.ts'
import { hasEscapedNewlines } from './escaped-newlines.ts'
import { hashText } from './hash-text.ts'
import { requireDownloaded } from './icloud.ts'
import { locate } from './locate.ts'
import { type NoteFile, readWholeNote } from './note-file.ts'
import { keepVersion, whileEditing } from './note-history.ts'
import type { FolderHandle } from './real-place.ts'
import { refusedPath, systemCode, systemReason } from './problems.ts'
import { replaceFile } from './replace-file.ts'
import { formatBytes, type ScanSettings } from './scan.ts'
import type { Survey } from './survey.ts'

export type EditOptions = EditChange &
  CallOptions & {
    /** `hashText` of the whole note as it was read. Where the note is another one by now, nothing is written. */
    readonly expected?: string
    /** The instant under which the previous version is kept, in milliseconds since 1970. Default: now. */
    readonly now?: number
  }

export interface EditReport {
  readonly path: string
  /** `unchanged`: the new text is the old one, and nothing was written. */
  readonly status: 'edited' | 'unchanged' | 'not-found'
  /** Where the new text stands, in lines from 1. */
  readonly startLine: number
  readonly endLine: number
  /** `hashText` of the whole note now; '' where there is none. */
  readonly hash: string
  /** The file that keeps the version before, below the history folder; null where nothing was written. */
  readonly previous: string | null
}

export interface EditContext {
  readonly survey: Survey
  readonly settings: ScanSettings
  /** Absolute. */
  readonly historyFolder: string
}

/** See `Workspace.edit`. */
export function editNote(path: string, options: EditOptions, context: EditContext): EditReport {
  checkChange(options)
  const { workspace } = context.survey
  if (workspace.problem !== null) {
    throw new WorkspaceError('unreadable', `The workspace folder cannot be used: ${workspace.problem}.`)
  }
  const located = locate(path, { ...context.survey, extras: [], roots: [workspace] }, context.settings)
  if (located.outcome === 'refused') throw refusal(path, context)
  requireDownloaded(located.path, located.absolute)
  if (located.outcome === 'not-found') return { ...NOTHING, path: located.path, status: 'not-found' }
  try {
    requireWritable(located)
    const history = { folder: context.historyFolder, workspace: workspace.realBase }
    return whileEditing(history, located.path, (versions) => editLocated(located, options, { ...context, versions }))
  } catch (error) {
    if (systemCode(error) === '' || WorkspaceError.isInstance(error)) throw error
    throw new WorkspaceError('unreadable', `${located.path} was not changed: ${systemReason(error)}.`, { cause: error })
  }
}

const NOTHING = { startLine: 0, endLine: 0, hash: '', previous: null } as const

/** @throws WorkspaceError `refused` for a change that cannot be meant */
function checkChange(change: EditChange): void {
  const added = 'replace' in change ? change.replace.new : change.insert.text
  if ('replace' in change && change.replace.old === '') {
    throw new WorkspaceError('refused', 'The text to replace is empty: name the text that is to go.')
  }
  if ('insert' in change && (added === '' || !Number.isSafeInteger(change.insert.afterLine) || change.insert.afterLine < 0)) {
    throw new WorkspaceError('refused', 'To insert takes some text and a line number from 0, which is the beginning.')
  }
  if (hasEscapedNewlines(added) && !('replace' in change && change.replace.old.includes('\\n'))) {
    const message =
      'The new text holds the characters \\n where line breaks should be. Send real line breaks, or put a meant \\n in `code`.'
    throw new WorkspaceError('refused', message)
  }
}

/** A file that is marked read-only is meant so, also where its folder would let it be replaced. */
function requireWritable({ path, absolute, stats }: NoteFile): void {
  const readOnly = new WorkspaceError('refused', `${path} is read-only; nothing was changed.`)
  if ((stats.mode & 0o222) === 0) throw readOnly
  try {
    accessSync(absolute, constants.W_OK)
  } catch {
    throw readOnly
  }
}

function editLocated(
  file: NoteFile,
  options: EditOptions,
  context: EditContext & { readonly versions: FolderHandle },
): EditReport {
  const note = readForEdit(file, context.settings.maxFileBytes)
  const before = hashText(withoutTraps(note.text))
  if (options.expected !== undefined && options.expected !== before) {
    throw new WorkspaceError('conflict', `${file.path} is not as it was when it was read; nothing was changed. Read it again.`)
  }
  const edited = editText(note.text, wellFormed(options), note.format.lineEnds)
  if (edited.text === note.text) {
    return {
      path: file.path,
      status: 'unchanged',
      startLine: edited.startLine,
      endLine: edited.endLine,
      hash: before,
      previous: null,
    }
  }
  const content = Buffer.concat([note.bytes.subarray(0, note.format.bomBytes), Buffer.from(edited.text, 'utf8')])
  if (content.length > context.settings.maxFileBytes) {
    const limit = formatBytes(context.settings.maxFileBytes)
    throw new WorkspaceError('refused', `${file.path} would be larger than ${limit} and no longer searched; nothing was changed.`)
  }
  return write({ ...file, stats: note.stats }, { note, edited, content }, { ...context, nowMs: options.now ?? Date.now() })
}

function write(
  file: NoteFile,
  { note, edited, content }: { readonly note: NoteForEdit; readonly edited: EditedText; readonly content: Uint8Array },
  context: EditContext & { readonly versions: FolderHandle; readonly nowMs: number },
): EditReport {
  const kept = keepVersion(context.versions, file.path, { bytes: note.bytes, nowMs: context.nowMs, mode: file.stats.mode })
  replaceFile(file, content)
  return {
    path: file.path,
    status: 'edited',
    startLine: edited.startLine,
    endLine: edited.endLine,
    hash: hashText(withoutTraps(edited.text)),
    previous: `${file.path}/${kept}`,
  }
}

/** Half a character would be written as another one. */
function wellFormed(change: EditChange): EditChange {
  if ('replace' in change) return { replace: { old: change.replace.old, new: change.replace.new.toWellFormed() } }
  return { insert: { ...change.insert, text: change.insert.text.toWellFormed() } }
}

interface NoteForEdit {
  readonly bytes: Buffer
  readonly text: string
  readonly format: TextFormat
  readonly stats: NoteFile['stats']
}

/** @throws WorkspaceError `refused` for what is no UTF-8 text through and through: writing it back would change other bytes */
function readForEdit(file: NoteFile, maxBytes: number): NoteForEdit {
  if (file.stats.size > maxBytes) {
    throw new WorkspaceError(
      'refused',
      `${file.path} is larger than ${formatBytes(maxBytes)} and is not searched; it cannot be edited.`,
    )
  }
  const read = readWholeNote(file, maxBytes)
  if (read === null || read.hasChanged) {
    throw new WorkspaceError('conflict', `${file.path} is being written by another program; nothing was changed. Read it again.`)
  }
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
