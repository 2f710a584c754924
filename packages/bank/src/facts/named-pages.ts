import { entityKey, parseDocument } from '@mnemark/core/document'
import type { StoredChunk, StoredDocument, StoreSnapshot } from '@mnemark/spec'
import { type EntityPage, entityPageOf, keysOfPage, storedEntityPage } from '../entities/entity-page.ts'
import { pageKindOf } from '../retain/fact-places.ts'
import { pageName } from '../retain/line/read-entity.ts'
import { SLOTS_PAGE } from './slots.ts'

/** A page that names an entity, and its chunks: who may see none of them does not learn its names. */
export interface NamedPage {
  readonly document: StoredDocument
  readonly page: EntityPage
  readonly chunkIds: readonly number[]
}

const PAGE_SIZE = 1_000
/** Linked pages that are looked up at once. */
const MOST_PATHS = 200
const OWN_PAGES = ['bank/entities/**', SLOTS_PAGE]

/**
 * The pages of an index that name entities: those of the bank, and notes elsewhere that a link in a fact leads to. Where links lead out of the
 * bank, the list of documents in the index is gone through; texts are read of pages that changed alone.
 */
export class NamedPages {
  /** By version of the document. */
  #read: ReadonlyMap<string, EntityPage> = new Map()
  #chunksRead = 0

  get chunksRead(): number {
    return this.#chunksRead
  }

  /** `links`: targets of links in facts, as written. */
  async read(snapshot: StoreSnapshot, links: Iterable<string>): Promise<readonly NamedPage[]> {
    const pages = [...(await this.#pagesAt(snapshot, OWN_PAGES))]
    const wanted = targetsByKey(links, new Set(pages.flatMap(({ page }) => keysOfPage(page))))
    const linked = wanted.size === 0 ? [] : await linkedPaths(snapshot, wanted)
    for (let at = 0; at < linked.length; at += MOST_PATHS)
      pages.push(...(await this.#pagesAt(snapshot, linked.slice(at, at + MOST_PATHS).map(escaped))))
    this.#read = new Map(pages.map(({ document, page }) => [versionOf(document), page]))
    return pages
  }

  async #pagesAt(snapshot: StoreSnapshot, paths: readonly string[]): Promise<readonly NamedPage[]> {
    const chunks = new Map<string, number[]>()
    const documents = new Map<string, StoredDocument>()
    let after: number | undefined
    for (;;) {
      const options = { order: 'path', limit: PAGE_SIZE, ...(after !== undefined && { after }) } as const
      const page = await snapshot.select({ paths, sources: ['memory'] }, options)
      for (const { id, document } of page) chunks.set(document.path, [...(chunks.get(document.path) ?? []), id])
      const ids = new Map(page.map(({ document }) => [document.path, document]))
      for (const document of await snapshot.documentsOf([...ids.values()])) documents.set(document.path, document)
      after = page.at(-1)?.id
      if (page.length < PAGE_SIZE) break
    }
    const pages: NamedPage[] = []
    for (const document of documents.values()) {
      // Ids of chunks change without the text where a note is analysed again.
      const chunkIds = chunks.get(document.path) ?? []
      const page = this.#read.get(versionOf(document)) ?? (await this.#pageOf(snapshot, document, chunkIds))
      pages.push({ document, page, chunkIds })
    }
    return pages
  }

  async #pageOf(snapshot: StoreSnapshot, document: StoredDocument, chunkIds: readonly number[]): Promise<EntityPage> {
    const chunks = await snapshot.chunks(chunkIds)
    this.#chunksRead += chunks.length
    return entityPageFrom(
      document,
      chunks.toSorted((left, right) => left.ordinal - right.ordinal),
    )
  }
}

function versionOf({ path, contentHash, recipe }: StoredDocument): string {
  return [path, contentHash, recipe].join('\0')
}

/** A path as a glob that matches nothing else. */
function escaped(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@]/g, '\\$&')
}

/** Read from the text: the index keeps a list of aliases as one text, and of the title not whether it is that of a part. */
function entityPageFrom(document: StoredDocument, chunks: readonly StoredChunk[]): EntityPage {
  const { source, path, properties = {} } = document
  const parsed = parseDocument({ source, path }, { text: chunks.map(({ text }) => text).join('\n') })
  // Front matter may be longer than a chunk, and chunks may overlap.
  const isWhole = parsed.problem === undefined && Object.keys(parsed.properties).length === Object.keys(properties).length
  return isWhole ? entityPageOf(path, parsed) : storedEntityPage(document)
}

/** Targets of links by the folded name of the note they lead to, without those that a page of the bank has. */
function targetsByKey(links: Iterable<string>, known: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const wanted = new Map<string, Set<string>>()
  for (const target of links) {
    const key = entityKey(pageName(target))
    if (key === '' || known.has(key)) continue
    const targets = wanted.get(key) ?? new Set()
    wanted.set(key, targets.add(target))
  }
  return wanted
}

/** A link leads to the note of its path, or to the only one of its name; never to a log, which is named for a day. */
async function linkedPaths(
  snapshot: StoreSnapshot,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<readonly string[]> {
  const named = new Map<string, string[]>()
  for await (const { path, dateReason } of snapshot.documents('memory')) {
    if (dateReason === 'name' || pageKindOf(path) !== undefined) continue
    const key = entityKey(pageName(path))
    if (wanted.has(key)) named.set(key, [...(named.get(key) ?? []), path])
  }
  return [...named].flatMap(([key, notes]) => {
    const places = [...(wanted.get(key) ?? [])].filter((target) => target.includes('/')).map(placeOf)
    const exact = notes.filter((path) => places.some((place) => `/${placeOf(path)}`.endsWith(`/${place}`)))
    const found = exact.length > 0 ? exact : notes
    return found.length === 1 ? found : []
  })
}

/** A path as links write it: without suffix, letter case aside. */
function placeOf(path: string): string {
  return path
    .normalize('NFC')
    .toLowerCase()
    .replace(/^\/|\.(?:md|markdown)$/g, '')
}
