import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { WorkspaceError } from '@mnemark/spec'
import { type AppendContext, type AppendOptions, type AppendTarget, chooseTarget } from './append-target.ts'
import { decodeForIndex, plainFormat, withoutTraps } from './decode.ts'
import { hasEscapedNewlines } from './escaped-newlines.ts'
import { readWholeNote } from './note-file.ts'
import { isMissing, refusedPath, systemCode, systemReason } from './problems.ts'
import { findRepeatedBlock } from './repeated-block.ts'
import { formatBytes } from './scan.ts'

export interface AppendReport {
  readonly path: string
  /** `duplicate`: the same block, whatever its time stamps, already stands in the file, and nothing was written. */
  readonly status: 'appended' | 'duplicate'
  /** How many times the block stands in the file now. */
  readonly count: number
  /** Where it stands (the last time), in lines from 1. */
  readonly startLine: number
  readonly endLine: number
}

interface ExistingText {
  /** With line feeds only. */
  readonly text: string
  readonly lineEnd: '\n' | '\r\n' | '\r'
  readonly endsLine: boolean
}

/** See `Workspace.append`. */
export function appendNote(text: string, options: AppendOptions, context: AppendContext): AppendReport {
  const block = cleanBlock(text)
  const target = chooseTarget(options, context)
  try {
    if (!target.exists && createNote(target, withHeading(target, block))) return placed(target, block, withHeading(target, block))
    return appendToExisting(target, block, context.settings.maxFileBytes)
  } catch (error) {
    if (systemCode(error) === '' || WorkspaceError.isInstance(error)) throw error
    if (systemCode(error) === 'ELOOP') throw refusedPath()
    throw new WorkspaceError('unreadable', `${target.path} cannot be written: ${systemReason(error)}.`, { cause: error })
  }
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

/** A log of a day begins with its date, unless the text brings a title of its own. */
function withHeading(target: AppendTarget, block: string): string {
  return target.heading === null || block.startsWith('# ') ? block : `# ${target.heading}\n\n${block}`
}

/**
 * Makes the file with its first content in one step; false when another process was faster. A hidden temporary file is linked
 * into place, so that nobody ever sees the note half written.
 */
function createNote(target: AppendTarget, content: string): boolean {
  const folder = dirname(target.absolute)
  makeFolders(target.rootPath, folder)
  checkInside(target)
  const temporary = join(folder, `.mnemark-${process.pid}-${randomBytes(6).toString('hex')}.tmp`)
  try {
    writeFileSync(temporary, `${content}\n`, { flag: 'wx' })
    linkSync(temporary, target.absolute)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    if (!LINKLESS.has(systemCode(error))) throw error
    return createInPlace(target.absolute, `${content}\n`)
  } finally {
    removeTemporary(temporary)
  }
}

/** Never the workspace itself: one that is gone is not made again. */
function makeFolders(root: string, folder: string): void {
  let path = root
  for (const name of relative(root, folder).split(sep)) {
    if (name === '') continue
    path = join(path, name)
    try {
      mkdirSync(path)
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
    }
  }
}

/** What file systems without hard links answer. */
const LINKLESS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'])

function createInPlace(absolute: string, content: string): boolean {
  try {
    writeFileSync(absolute, content, { flag: 'ax' })
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

function removeTemporary(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!isMissing(error) && systemCode(error) !== 'EACCES' && systemCode(error) !== 'EROFS') throw error
  }
}

/** The folder was looked at before it was made: a link put there meanwhile must not lead the note out. */
function checkInside(target: AppendTarget): void {
  const fromRoot = relative(target.rootPath, realpathSync.native(dirname(target.absolute)))
  if (fromRoot === '..' || fromRoot.startsWith(`..${sep}`)) throw refusedPath()
}

function appendToExisting(target: AppendTarget, block: string, maxFileBytes: number): AppendReport {
  const existing = readExisting(target, maxFileBytes)
  const repeated = findRepeatedBlock(existing.text, block)
  if (repeated !== null) return { path: target.path, status: 'duplicate', ...repeated }
  const isBlank = existing.text.trim() === ''
  const content = isBlank ? withHeading(target, block) : block
  const written = separator(existing, block) + content + '\n'
  appendInOneWrite(target.absolute, written.replaceAll('\n', existing.lineEnd))
  return placed(target, block, readExisting(target, Number.MAX_SAFE_INTEGER).text)
}

/** @throws WorkspaceError `refused` for a file that is no UTF-8 text or too large to be searched */
function readExisting(target: AppendTarget, maxBytes: number): ExistingText {
  const stats = lstatSync(target.absolute)
  if (!stats.isFile()) throw refusedPath()
  if (stats.size > maxBytes) {
    const message = `${target.path} is larger than ${formatBytes(maxBytes)} and is not searched. Append to another note.`
    throw new WorkspaceError('refused', message)
  }
  const bytes = readWholeNote({ ...target, stats }, Number.MAX_SAFE_INTEGER)?.bytes
  if (bytes === undefined)
    throw new WorkspaceError('unreadable', `${target.path} is being replaced by another program. Try again.`)
  const format = plainFormat(bytes)
  if (format === null) {
    const message = `${target.path} is not UTF-8 text; nothing was appended to it, because two encodings in one file cannot be read.`
    throw new WorkspaceError('refused', `${message} Save it as UTF-8 first, or append to another note.`)
  }
  const text = decodeForIndex(bytes, format)
  const lastLineFeed = bytes.lastIndexOf(0x0a)
  const isCrlf = lastLineFeed > 0 && bytes[lastLineFeed - 1] === 0x0d
  const lineEnd = format.lineEnds === 'cr' ? '\r' : isCrlf ? '\r\n' : '\n'
  return { text, lineEnd, endsLine: text === '' || text.endsWith('\n') }
}

/** Always a new line; a blank one too, but between two items of a list. */
function separator(existing: ExistingText, block: string): string {
  const lastLine = existing.text.trimEnd().split('\n').at(-1) ?? ''
  const newLine = existing.endsLine ? '' : '\n'
  const isTight =
    existing.text.trim() === '' || /\n[^\S\n]*\n$/u.test(existing.text) || (isListItem(lastLine) && isListItem(block))
  return newLine + (isTight ? '' : '\n')
}

function isListItem(line: string): boolean {
  return /^\s*(?:[-*+]|\d+[.)])\s/u.test(line)
}

/** One write on a descriptor in append mode: the system puts it after whatever others have written. */
function appendInOneWrite(absolute: string, text: string): void {
  const flags = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const descriptor = openSync(absolute, flags)
  try {
    const bytes = Buffer.from(text, 'utf8')
    let written = writeSync(descriptor, bytes)
    // Only a disk that is nearly full takes a part; the rest then succeeds or says why not.
    while (written < bytes.length) written += writeSync(descriptor, bytes, written)
  } finally {
    closeSync(descriptor)
  }
}

/** Looks the block up in the file as it is now: others may have appended before and after. */
function placed(target: AppendTarget, block: string, text: string): AppendReport {
  const place = findRepeatedBlock(text, block)
  if (place !== null) return { path: target.path, status: 'appended', ...place }
  const lines = text.trimEnd().split('\n').length
  return { path: target.path, status: 'appended', count: 1, startLine: lines, endLine: lines }
}
