import { closeSync, constants, lstatSync, writeSync } from 'node:fs'
import { WorkspaceError } from '@mnemark/spec'
import { type AppendContext, type AppendOptions, type AppendTarget, chooseTarget } from './append-target.ts'
import { changeText } from './change.ts'
import { createNote } from './create-note.ts'
import { decodeForIndex, plainFormat, withoutTraps } from '../reading/decode.ts'
import { hasEscapedNewlines } from './escaped-newlines.ts'
import { type NoteFile, openSame, readWholeNote } from '../reading/note-file.ts'
import { refusedPath, systemCode, systemReason } from '../problems.ts'
import { type HistoryPlace, openHistory } from './note-history.ts'
import { whileLocked } from './note-lock.ts'
import type { FolderHandle } from '../paths/real-place.ts'
import { findRepeatedBlock } from './repeated-block.ts'
import { formatBytes } from '../listing/scan.ts'

export interface AppendReport {
  readonly path: string
  /** `duplicate`: the same block, whatever its time stamps, already stands in the file, and nothing was written. */
  readonly status: 'appended' | 'duplicate'
  /** How often the block is in the file now. */
  readonly count: number
  /** Its last place in the file, in lines from 1. */
  readonly startLine: number
  readonly endLine: number
  /** The file, below the history folder, that keeps what another program saved at the moment of writing, where one did and `revise` changed earlier lines. */
  readonly conflict?: string
}

interface KnownText {
  /** With line feeds only, but where an edit reads a file of mixed line ends. */
  readonly text: string
  readonly endsLine: boolean
}

interface ExistingText extends KnownText {
  readonly file: NoteFile
  readonly lineEnd: '\n' | '\r\n' | '\r'
}

/** Lines that stand in the note already change too: the file must be replaced, which one write at its end cannot do. */
const NEEDS_CHANGE = Symbol('append: needs a change')

/** See `Workspace.append`. */
export async function appendNote(text: string, options: AppendOptions, context: AppendContext): Promise<AppendReport> {
  const block = cleanBlock(text)
  const target = chooseTarget(options, context)
  try {
    const report = await whileNobodyChanges(target, options, context, () => {
      const made = target.exists ? null : appendToNew(target, block, options)
      if (made !== null) return made
      const { maxFileBytes } = context.settings
      const append = (): AppendReport | typeof NEEDS_CHANGE | null => appendToExisting(target, { block, options, maxFileBytes })
      // Tried twice, because editors save by replacing the old file with a new one.
      return append() ?? append() ?? replaced(target)
    })
    return report === NEEDS_CHANGE ? await appendByChange(target, block, options, context) : report
  } catch (error) {
    if (systemCode(error) === '' || WorkspaceError.isInstance(error)) throw error
    if (systemCode(error) === 'ELOOP') throw refusedPath()
    throw new WorkspaceError('unreadable', `${target.path} cannot be written: ${systemReason(error)}.`, { cause: error })
  }
}

/** Text added to a file that an edit is about to replace would be lost. */
async function whileNobodyChanges<Result>(
  target: AppendTarget,
  { signal }: AppendOptions,
  { snapshot, historyFolder }: AppendContext,
  work: () => Result,
): Promise<Result> {
  const versions = openHistoryIfAllowed({ folder: historyFolder(), workspace: snapshot.workspace.realBase }, target.path)
  // A process that may not write the lock cannot edit here either, and other appends are safe: each is one write.
  if (versions === null) return work()
  using folder = versions
  return await whileLocked(folder, target.path, work, { signal })
}

function openHistoryIfAllowed(place: HistoryPlace, path: string): FolderHandle | null {
  try {
    return openHistory(place, path)
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error))) return null
    throw error
  }
}

function replaced({ path }: AppendTarget): never {
  throw new WorkspaceError('unreadable', `${path} is being replaced by another program. Try again.`)
}

/** @throws WorkspaceError `refused` for blank text and for line breaks that arrived escaped */
function cleanBlock(text: string): string {
  if (typeof text !== 'string') throw new TypeError(`append: expected a text, got ${typeof text}.`)
  if (hasEscapedNewlines(text)) {
    const message =
      'The text holds the characters \\n where line breaks should be. Send real line breaks, or put a meant \\n in `code`.'
    throw new WorkspaceError('refused', message)
  }
  const lines = withoutTraps(text.toWellFormed().replace(/^\ufeff+/u, '')).replace(/\r\n?/gu, '\n')
  const block = lines.replace(/^(?:[^\S\n]*\n)+/u, '').trimEnd()
  if (block.trim() === '') throw new WorkspaceError('refused', 'There is nothing to append: the text is blank.')
  return block
}

/** A daily log begins with its date, unless the text has its own title. */
function withHeading(target: AppendTarget, block: string): string {
  return target.heading === null || block.startsWith('# ') ? block : `# ${target.heading}\n\n${block}`
}

interface Added {
  /** Where it stands behind this. */
  readonly before: string
  readonly separator: string
  /** The block, with the heading of a new log before it. */
  readonly content: string
}

interface Revised {
  readonly content: string
  readonly block: string
  /** The whole note. */
  readonly text: string
  /** Whether what stood in the note stays as it was. */
  readonly isAddition: boolean
}

/** Revises the block before it is written; without it the block is written as it is. */
function revised({ before, separator, content }: Added, { path, heading }: AppendTarget, { revise }: AppendOptions): Revised {
  const known = before + separator
  const startLine = known.split('\n').length
  const endLine = startLine + content.split('\n').length - 1
  const text = revise?.(`${known}${content}\n`, { path, before, startLine, endLine }) ?? `${known}${content}\n`
  const lines = text.split('\n')
  if (lines.length !== endLine + 1) throw new TypeError('append: revise added lines, or took some away.')
  const added = lines
    .slice(startLine - 1)
    .join('\n')
    .trimEnd()
  const title = `# ${heading}\n\n`
  const block = added.startsWith(title) ? added.slice(title.length) : added
  return { content: added, block, text, isAddition: text.startsWith(known) }
}

/** Null if another process made the note meanwhile. */
function appendToNew(target: AppendTarget, block: string, options: AppendOptions): AppendReport | null {
  const added = revised({ before: '', separator: '', content: withHeading(target, block) }, target, options)
  return createNote(target, `${added.content}\n`) ? placed(target, added.block, added.content) : null
}

interface AppendJob {
  readonly block: string
  readonly options: AppendOptions
  readonly maxFileBytes: number
}

/** The block as it comes behind a text, or the report where it stands there already. */
function addedTo(
  known: KnownText,
  target: AppendTarget,
  { block, options }: Pick<AppendJob, 'block' | 'options'>,
): AppendReport | (Revised & { readonly between: string }) {
  const repeated = findRepeatedBlock(known.text, block)
  if (repeated !== null) return { path: target.path, status: 'duplicate', ...repeated }
  const between = separator(known, block)
  const content = known.text.trim() === '' ? withHeading(target, block) : block
  const added = revised({ before: known.text, separator: between, content }, target, options)
  const repeatedAsRevised = findRepeatedBlock(known.text, added.block)
  if (repeatedAsRevised !== null) return { path: target.path, status: 'duplicate', ...repeatedAsRevised }
  return { ...added, between }
}

/** Null if another file has replaced the note meanwhile. */
function appendToExisting(target: AppendTarget, job: AppendJob): AppendReport | typeof NEEDS_CHANGE | null {
  const existing = readExisting(target, job.maxFileBytes)
  if (existing === null) return null
  const added = addedTo(existing, target, job)
  if ('status' in added) return added
  if (!added.isAddition) return NEEDS_CHANGE
  const written = `${added.between}${added.content}\n`
  if (!appendInOneWrite(existing.file, written.replaceAll('\n', existing.lineEnd))) return null
  return placed(target, added.block, readExisting(target, Number.MAX_SAFE_INTEGER)?.text ?? written)
}

/** The same as an edit of the whole note, which keeps the version before. */
async function appendByChange(
  target: AppendTarget,
  block: string,
  options: AppendOptions,
  context: AppendContext,
): Promise<AppendReport> {
  let report: AppendReport | undefined
  const append = (text: string): string | null => {
    const added = addedTo({ text, endsLine: text === '' || /[\r\n]$/u.test(text) }, target, { block, options })
    report = 'status' in added ? added : placed(target, added.block, added.text)
    return 'status' in added ? null : added.text
  }
  const changing = { ...context, historyFolder: context.historyFolder() }
  const { conflict } = await changeText(target.path, append, { ...(options.signal && { signal: options.signal }) }, changing)
  return report === undefined ? replaced(target) : { ...report, ...(conflict !== null && { conflict }) }
}

/** @throws WorkspaceError `refused` for a file that is no UTF-8 text or too large to be searched */
function readExisting(target: AppendTarget, maxBytes: number): ExistingText | null {
  const stats = lstatSync(target.absolute)
  if (!stats.isFile()) throw refusedPath()
  if (stats.size > maxBytes) {
    const message = `${target.path} is larger than ${formatBytes(maxBytes)} and is not searched. Append to another note.`
    throw new WorkspaceError('refused', message)
  }
  const file = { ...target, stats }
  const bytes = readWholeNote(file, Number.MAX_SAFE_INTEGER)?.bytes
  if (bytes === undefined) return null
  const format = plainFormat(bytes)
  if (format === null) {
    const message = `${target.path} is not UTF-8 text; nothing was appended to it, because two encodings in one file cannot be read.`
    throw new WorkspaceError('refused', `${message} Save it as UTF-8 first, or append to another note.`)
  }
  const text = decodeForIndex(bytes, format)
  const lastLineFeed = bytes.lastIndexOf(0x0a)
  const isCrlf = lastLineFeed > 0 && bytes[lastLineFeed - 1] === 0x0d
  const lineEnd = format.lineEnds === 'cr' ? '\r' : isCrlf ? '\r\n' : '\n'
  return { file, text, lineEnd, endsLine: text === '' || text.endsWith('\n') }
}

/** Always a new line, and a blank one unless it is between two items of a list. */
function separator(existing: KnownText, block: string): string {
  const lastLine = existing.text.trimEnd().split('\n').at(-1) ?? ''
  const newLine = existing.endsLine ? '' : '\n'
  const isTight =
    existing.text.trim() === '' || /\n[^\S\n]*\n$/u.test(existing.text) || (isListItem(lastLine) && isListItem(block))
  return newLine + (isTight ? '' : '\n')
}

function isListItem(line: string): boolean {
  return /^\s*(?:[-*+]|\d+[.)])\s/u.test(line)
}

/** One write on a descriptor in append mode: the system puts it after whatever others have written. False where the file was replaced. */
function appendInOneWrite(file: NoteFile, text: string): boolean {
  const opened = openSame(file, constants.O_WRONLY | constants.O_APPEND)
  if (opened === null) return false
  const { descriptor } = opened
  try {
    const bytes = Buffer.from(text, 'utf8')
    let written = writeSync(descriptor, bytes)
    // Only a nearly full disk takes a part; writing the rest then succeeds or throws the reason.
    while (written < bytes.length) written += writeSync(descriptor, bytes, written)
    return true
  } finally {
    closeSync(descriptor)
  }
}

/** Finds the block in the current file: others may have appended before and after. */
function placed(target: AppendTarget, block: string, text: string): AppendReport {
  const place = findRepeatedBlock(text, block)
  if (place !== null) return { path: target.path, status: 'appended', ...place }
  const lines = text.trimEnd().split('\n').length
  return { path: target.path, status: 'appended', count: 1, startLine: lines, endLine: lines }
}
