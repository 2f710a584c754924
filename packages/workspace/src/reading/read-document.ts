import { type DocumentContent, type DocumentStat, WorkspaceError } from '@mnemark/spec'
import { decodeForIndex, findFormat, type TextFormat } from './decode.ts'
import { locate } from '../listing/locate.ts'
import { readWholeNote } from './note-file.ts'
import { unreadable } from '../problems.ts'
import type { ScanSettings } from '../listing/scan.ts'
import type { RootsSnapshot } from '../listing/roots-snapshot.ts'

interface NoteRead {
  readonly bytes: Buffer
  readonly hasChanged: boolean
}

/**
 * A file that changes while it is read is read once more; after a second change what was read counts, and the next sync sees the
 * new size or time. Null where another file stood there both times.
 */
export function readTwiceAtMost(read: () => NoteRead | null): NoteRead | null {
  const first = read()
  return first === null || first.hasChanged ? read() : first
}

/**
 * Reads a listed document for the index.
 * @throws WorkspaceError `unreadable`: vanished (`cause.code` is ENOENT), over the size limit, binary, not UTF-8, denied by the
 * system
 */
export async function readDocument(
  document: DocumentStat,
  snapshot: RootsSnapshot,
  settings: ScanSettings,
): Promise<DocumentContent & { readonly format: TextFormat }> {
  const read = readTwiceAtMost(() => readOnce(document, snapshot, settings))
  if (read === null)
    throw new WorkspaceError('unreadable', `${document.path} was replaced each time it was read; the next sync tries again.`)
  const { bytes } = read
  const format = await findFormat(bytes)
  if (format.problem !== null)
    throw new WorkspaceError('unreadable', `${document.path} cannot be indexed: ${problemText(format.problem)}.`)
  return { text: decodeForIndex(bytes, format), format }
}

function readOnce(document: DocumentStat, snapshot: RootsSnapshot, settings: ScanSettings): ReturnType<typeof readWholeNote> {
  const located = locate(document.path, snapshot, settings)
  if (located.outcome === 'file') {
    try {
      return readWholeNote(located, settings.maxFileBytes)
    } catch (error) {
      if (WorkspaceError.isInstance(error) && error.code === 'refused') throw noLongerANote(document)
      throw error
    }
  }
  if (located.outcome === 'refused') throw noLongerANote(document)
  throw unreadable(document.path, Object.assign(new Error('vanished'), { code: 'ENOENT' }))
}

/** Explains the problem, with a next step where there is one. */
export function problemText(problem: NonNullable<TextFormat['problem']>): string {
  return problem === 'binary content' ? problem : `${problem}; save it as UTF-8`
}

function noLongerANote(document: DocumentStat): WorkspaceError {
  return new WorkspaceError('unreadable', `${document.path} is no longer a note of this workspace.`)
}
