import type { StoredDocument, StoreSnapshot } from '@mnemark/spec'
import { documentKey } from '@mnemark/spec'

/**
 * Caches the rows of all documents between looks at the sources: every commit that changes them, except a touch, adds
 * or drops a keyword segment, so equal segments mean equal rows. A touch by another process is missed, which costs one
 * more read.
 */
export class KnownDocuments {
  #segments: string | undefined
  #documents: ReadonlyMap<string, StoredDocument> = new Map()

  async of(snapshot: StoreSnapshot): Promise<ReadonlyMap<string, StoredDocument>> {
    const segments = (await snapshot.segments()).map(({ id }) => id).join('\n')
    if (segments === this.#segments) return this.#documents
    const documents = new Map<string, StoredDocument>()
    for await (const document of snapshot.documents()) documents.set(documentKey(document), document)
    this.#documents = documents
    this.#segments = segments
    return documents
  }

  forget(): void {
    this.#segments = undefined
  }
}
