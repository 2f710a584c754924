import type { DocumentContent, DocumentId, DocumentSource, DocumentStat, SkippedDocument } from '@mnemark/spec'
import { WorkspaceError } from '@mnemark/spec'

/** A source of notes in a map, as the workspace is one of files. Counts reads. */
export class NoteSource implements DocumentSource {
  readonly id: string
  readonly notes: Map<string, DocumentContent> = new Map()
  readonly skipped: Map<string, string> = new Map()
  /** Notes whose reading rejects. */
  readonly unreadable: Map<string, Error> = new Map()
  readonly reads: string[] = []
  /** Whether listing ends with an error after everything was listed. */
  isBroken = false
  /** Awaited before each listing. */
  beforeList: () => Promise<void> = async () => {}
  /** Awaited before each read, so that a test can act in the middle of a sync. */
  beforeRead: (path: string) => Promise<void> = async () => {}
  #clock = 0
  readonly #times = new Map<string, number>()

  constructor(notes: Readonly<Record<string, string>> = {}, id = 'memory') {
    this.id = id
    for (const [path, text] of Object.entries(notes)) this.write(path, text)
  }

  write(path: string, text: string, more: Omit<DocumentContent, 'text'> = {}): void {
    this.notes.set(path, { text, ...more })
    this.touch(path)
  }

  touch(path: string): void {
    this.#clock += 1
    this.#times.set(path, this.#clock)
  }

  async *list(): AsyncIterable<DocumentStat | SkippedDocument> {
    await this.beforeList()
    for (const [path, { text }] of this.notes) {
      yield { source: this.id, path, size: text.length, modifiedAtMs: this.#times.get(path) ?? 0 }
    }
    for (const [path, skipped] of this.skipped) yield { source: this.id, path, skipped }
    if (this.isBroken) throw new WorkspaceError('unreadable', 'the folder is gone')
  }

  async read({ path }: DocumentId): Promise<DocumentContent> {
    this.reads.push(path)
    await this.beforeRead(path)
    const error = this.unreadable.get(path)
    if (error) throw error
    const content = this.notes.get(path)
    if (content) return content
    const cause = Object.assign(new Error('no such file'), { code: 'ENOENT' })
    throw new WorkspaceError('unreadable', `${path} cannot be read: it is gone`, { cause })
  }
}
