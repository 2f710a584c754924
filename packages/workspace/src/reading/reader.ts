import { closeSync } from 'node:fs'
import { type ReadReply, type ReadRequest, WorkspaceError } from '@mnemark/spec'
import { requireDownloaded } from '../paths/icloud.ts'
import type { LineExcerpt, LineWindow } from './line-collector.ts'
import { type Located, locate } from '../listing/locate.ts'
import { openNote } from './note-file.ts'
import { refusedPath, systemCode, unreadable } from '../problems.ts'
import { problemText } from './read-document.ts'
import { readLineWindow } from './read-lines.ts'
import type { ScanSettings } from '../listing/scan.ts'
import type { RootsSnapshot } from '../listing/roots-snapshot.ts'

const DEFAULT_LINES = 120
const DEFAULT_CHARACTERS = 12_000
/** Limits the answer, and so the memory, for many lines or one enormous line. */
const MAX_CHARACTERS = 1_000_000

/** The location of a note on this machine. */
export interface NotePlace {
  /** The path search shows. */
  readonly path: string
  /** Absolute, by its real name. */
  readonly file: string
  /** The first line, if the request was a citation. */
  readonly line?: number
}

/** Finds a note by its path or citation, with the rules of `readNote`; null where there is none. Throws WorkspaceError. */
export function placeOfNote(requested: string, snapshot: RootsSnapshot, settings: ScanSettings): NotePlace | null {
  const { located, window } = resolveRequest({ path: requested, caller: { agentId: '' } }, snapshot, settings)
  if (located.outcome === 'refused') throw refusedPath()
  if (located.outcome === 'not-found') return null
  const { path, absolute } = located
  return window.isExact ? { path, file: absolute, line: window.from } : { path, file: absolute }
}

/**
 * Reads a note by line. Each call looks at the roots anew, so files and folders that appeared since the last listing are found.
 * The rules for paths, lines and limits stand in the README.
 */
export async function readNote(request: ReadRequest, snapshot: () => RootsSnapshot, settings: ScanSettings): Promise<ReadReply> {
  request.signal?.throwIfAborted()
  checkLineNumber('from', request.from)
  checkLineNumber('lines', request.lines)
  if (typeof request.path !== 'string') throw refusedPath()
  // A second try, because editors save by putting a new file in the place of the old one.
  return (await readOnce(request, snapshot(), settings)) ?? (await readOnce(request, snapshot(), settings)) ?? replaced()
}

function replaced(): never {
  throw new WorkspaceError('unreadable', 'The note was replaced each time it was read. Read it again.')
}

async function readOnce(request: ReadRequest, snapshot: RootsSnapshot, settings: ScanSettings): Promise<ReadReply | null> {
  const { located, window } = resolveRequest(request, snapshot, settings)
  if (located.outcome === 'refused') throw refusedPath()
  if (located.outcome === 'not-found') {
    requireDownloaded(located.path, located.absolute)
    return withoutText(located.path, 'not-found')
  }
  return readLocated(located, window, { maxFileBytes: settings.maxFileBytes, signal: request.signal })
}

function checkLineNumber(name: 'from' | 'lines', value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return
  const what = name === 'from' ? 'a line number' : 'a number of lines'
  throw new WorkspaceError('refused', `\`${name}\` is ${what}: expected a whole number from 1, got ${String(value)}.`)
}

/** A citation (`path#L12-L20`, `path:12-20`) counts as one only if no file has exactly that name. */
function resolveRequest(
  request: ReadRequest,
  snapshot: RootsSnapshot,
  settings: ScanSettings,
): { readonly located: Located; readonly window: LineWindow } {
  const located = locate(request.path, snapshot, settings)
  const citation = located.outcome === 'file' ? null : parseCitation(request.path)
  if (citation === null) return { located, window: windowOf(request.from, request.lines) }
  // A line that is asked for overrides those of the citation; a number of lines alone counts from where the citation begins.
  const { from = citation.from } = request
  const cited = request.from === undefined ? citation.to - citation.from + 1 : undefined
  const window = windowOf(from, request.lines ?? cited)
  return { located: locate(citation.path, snapshot, settings), window }
}

function windowOf(from: number | undefined, lines: number | undefined): LineWindow {
  const isExact = lines !== undefined
  return {
    from: from ?? 1,
    maxLines: lines ?? DEFAULT_LINES,
    maxCharacters: isExact ? MAX_CHARACTERS : DEFAULT_CHARACTERS,
    isExact,
  }
}

function parseCitation(text: string): { readonly path: string; readonly from: number; readonly to: number } | null {
  const match =
    /^(?<path>.+?)(?:#L(?<hash>\d{1,9})(?:-L?(?<hashEnd>\d{1,9}))?|:(?<colon>\d{1,9})(?:-(?<colonEnd>\d{1,9}))?)$/u.exec(text)
  if (match?.groups === undefined) return null
  const { path = '', hash, hashEnd, colon, colonEnd } = match.groups
  const from = Number(hash ?? colon)
  const to = Number(hashEnd ?? colonEnd ?? from)
  return from >= 1 && to >= from ? { path, from, to } : null
}

async function readLocated(
  located: Extract<Located, { outcome: 'file' }>,
  window: LineWindow,
  { maxFileBytes, signal }: { readonly maxFileBytes: number; readonly signal: AbortSignal | undefined },
): Promise<ReadReply | null> {
  const opened = openNote(located)
  if (opened === null) return null
  try {
    const excerpt = await readLineWindow(opened.descriptor, window, { isIndexed: opened.stats.size <= maxFileBytes, signal })
    if ('problem' in excerpt)
      throw new WorkspaceError('unreadable', `${located.path} cannot be read: ${problemText(excerpt.problem)}.`)
    return replyOf(located.path, window, excerpt)
  } catch (error) {
    throw systemCode(error) === '' || WorkspaceError.isInstance(error) ? error : unreadable(located.path, error)
  } finally {
    closeSync(opened.descriptor)
  }
}

function replyOf(path: string, window: LineWindow, excerpt: LineExcerpt): ReadReply {
  if (excerpt.totalLines === 0) return withoutText(path, 'empty')
  if (excerpt.lines === 0) {
    const total = excerpt.totalLines === 1 ? '1 line' : `${excerpt.totalLines} lines`
    return { ...withoutText(path, 'ok'), note: `The file has ${total}; line ${window.from} is past its end.` }
  }
  return {
    path,
    status: 'ok',
    text: excerpt.text,
    startLine: window.from,
    endLine: window.from + excerpt.lines - 1,
    ...(excerpt.nextFrom !== null && { nextFrom: excerpt.nextFrom }),
    ...(excerpt.isCut && { note: noteOfCut(window) }),
  }
}

function noteOfCut(window: LineWindow): string {
  const limit = window.maxCharacters.toLocaleString('en')
  const start = `Line ${window.from} is longer than ${limit} characters; this is its beginning.`
  if (window.isExact) return `${start} The rest of it cannot be read by line.`
  return `${start} Ask for \`lines\` 1 to read up to ${MAX_CHARACTERS.toLocaleString('en')}.`
}

function withoutText(path: string, status: ReadReply['status']): ReadReply {
  return { path, status, text: '', startLine: 0, endLine: 0 }
}
