import type { DocumentContent, DocumentId, DocumentSource, DocumentStat } from '@mnemark/spec'
import { WorkspaceError } from '@mnemark/spec'
import type { Note } from './task.ts'

/** Notes in memory as the product's source of notes; they never change. */
export function createNoteSource(notes: readonly Note[]): DocumentSource {
  const byPath = new Map(notes.map((note) => [note.path, note]))
  const stats = notes.map(
    ({ path, text }): DocumentStat => ({ source: 'memory', path, size: Buffer.byteLength(text), modifiedAtMs: 0 }),
  )
  return {
    id: 'memory',
    async *list() {
      yield* stats
    },
    async read({ path }: DocumentId): Promise<DocumentContent> {
      const note = byPath.get(path)
      if (note === undefined) throw new WorkspaceError('unreadable', `${path} is not among the notes.`)
      return { text: note.text, ...(note.attributes && { attributes: note.attributes }) }
    },
  }
}
