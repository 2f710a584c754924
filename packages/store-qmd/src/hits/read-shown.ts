import { type DocumentReader, type ReadReply, type ReadRequest, WorkspaceError } from '@mnemark/spec'
import type { QmdCollection } from '../collections/qmd-collection.ts'
import { absolutePlaces } from './result-place.ts'

/**
 * A reader that also accepts paths in QMD's answers: `qmd/<collection>/<path>` and folders of the workspace. Needs no
 * program.
 */
export function qmdReader(options: {
  /** Must know the folders of the collections by absolute path. */
  readonly reader: DocumentReader
  readonly collections: readonly QmdCollection[]
}): DocumentReader {
  return { read: (request) => readShown(request, options) }
}

const CITATION = /(?:#L|:)\d+(?:-L?\d+)?$/u

/**
 * Reads a path from an answer, with or without the program: first in the workspace, then in the collections. The reader
 * alone decides which files may be read, and its refusal is passed on.
 */
export async function readShown(
  request: ReadRequest,
  { reader, collections }: { readonly reader: DocumentReader; readonly collections: readonly QmdCollection[] },
): Promise<ReadReply> {
  const others = typeof request.path === 'string' ? absolutePlaces(request.path, collections) : []
  let missing: ReadReply | undefined
  let refusal: unknown
  for (const path of [request.path, ...others]) {
    try {
      const reply = await reader.read({ ...request, path })
      const named = path === request.path ? reply : { ...reply, path: withoutCitation(request.path, reply.path) }
      if (reply.status !== 'not-found') return named
      missing ??= named
    } catch (error) {
      if (!WorkspaceError.isInstance(error) || error.code !== 'refused') throw error
      refusal ??= error
    }
  }
  if (missing === undefined) throw refusal
  return missing
}

/** The reader accepts a citation only where no file has that very name. */
function withoutCitation(asked: string, read: string): string {
  const name = (path: string): string => path.slice(path.lastIndexOf('/') + 1).normalize('NFC')
  return name(asked) === name(read) ? asked : asked.replace(CITATION, '')
}
