import {
  ConfigError,
  type DocumentContent,
  type DocumentId,
  type DocumentReader,
  type DocumentSource,
  type DocumentStat,
  fingerprint,
  type MemoryWorkspace,
  WorkspaceError,
} from '@mnemark/spec'
import { readLines } from './read-lines.ts'

/** The text of a document, or the text with its attributes and sections. */
export type DocumentText = string | Pick<DocumentContent, 'text' | 'attributes' | 'sections'>

/** Texts by path: a Map, entries, or a plain object. */
export type DocumentTexts = Iterable<readonly [path: string, text: DocumentText]> | Readonly<Record<string, DocumentText>>

export interface DocumentsOptions {
  /** Name of the source, as in `filter.sources`. Default: memory. */
  readonly id?: string
}

/** Documents in memory that replace a folder: a `workspace` for `createMemory`. */
export interface Documents extends MemoryWorkspace {
  /** Adds a document, or replaces the one at this path. The next search or sync sees it. */
  put(path: string, text: DocumentText): void
  /** Returns false where there was none. */
  remove(path: string): boolean
}

interface Entry {
  readonly content: Pick<DocumentContent, 'text' | 'attributes' | 'sections'>
  /** Equal for equal contents, so that a store that outlives the process reads only what changed. */
  readonly version: string
}

/** Makes a workspace of the given documents. Throws ConfigError for a blank path and for a value that is no text. */
export function documents(texts: DocumentTexts = {}, { id = 'memory' }: DocumentsOptions = {}): Documents {
  const entries = new Map<string, Entry>()
  const put: Documents['put'] = (path, text) => {
    const content = typeof text === 'string' ? { text } : text
    checkDocument(path, content)
    entries.set(path, { content, version: fingerprint(content) })
  }
  for (const [path, text] of Symbol.iterator in texts ? texts : Object.entries(texts)) put(path, text)
  return { source: sourceOf(id, entries), reader: readerOf(entries), put, remove: (path) => entries.delete(path) }
}

function checkDocument(path: string, content: Entry['content']): void {
  if (typeof path !== 'string' || path.trim() === '' || path.includes('\0'))
    throw new ConfigError('invalid-value', `documents: expected a path such as "notes/lamp.md", got ${JSON.stringify(path)}.`)
  if (typeof content?.text !== 'string')
    throw new ConfigError(
      'invalid-value',
      `documents: ${JSON.stringify(path)} has no text. Give a string, or an object with \`text\`.`,
    )
}

function sourceOf(id: string, entries: ReadonlyMap<string, Entry>): DocumentSource {
  const statOf = (path: string, { content, version }: Entry): DocumentStat => {
    return { source: id, path, size: content.text.length, modifiedAtMs: 0, version }
  }
  return {
    id,
    async *list(options) {
      options?.signal?.throwIfAborted()
      for (const [path, entry] of entries) yield statOf(path, entry)
    },
    async *stat(ids: readonly DocumentId[], options) {
      options?.signal?.throwIfAborted()
      for (const { path } of ids) {
        const entry = entries.get(path)
        if (entry !== undefined) yield statOf(path, entry)
      }
    },
    read: async ({ path }, options) => {
      options?.signal?.throwIfAborted()
      const entry = entries.get(path)
      if (entry === undefined) throw new WorkspaceError('unreadable', `${path} cannot be read: it was removed.`)
      return entry.content
    },
  }
}

function readerOf(entries: ReadonlyMap<string, Entry>): DocumentReader {
  return {
    read: async (request) => {
      request.signal?.throwIfAborted()
      return readLines(request, (path) => entries.get(path)?.content.text)
    },
  }
}
