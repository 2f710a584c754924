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
const ENTITY_PAGES = 'bank/entities/**'

/**
 * The pages of an index that name entities: those of the bank, and notes elsewhere that a link in a fact leads to. Where links lead out of the
 * bank, the list of documents in the index is gone through; texts are read of pages that changed alone.
 */
export class NamedPages {
  /** By version. */
  #read: ReadonlyMap<string, NamedPage> = new Map()
  #chunksRead = 0

  get chunksRead(): number {
    return this.#chunksRead
  }

  /** `links`: targets of links in facts, as written. */
  async read(snapshot: StoreSnapshot, links: Iterable<string>): Promise<readonly NamedPage[]> {
    const own = await this.#pagesOf(snapshot, await ownPages(snapshot))
    const wanted = targetsByKey(links, new Set(own.flatMap(({ page }) => keysOfPage(page))))
    const linked = wanted.size === 0 ? [] : await this.#pagesOf(snapshot, await linkedPages(snapshot, wanted))
    const pages = [...own, ...linked]
    this.#read = new Map(pages.map((page) => [versionOf(page.document), page]))
    return pages
  }

  async #pagesOf(snapshot: StoreSnapshot, documents: readonly StoredDocument[]): Promise<readonly NamedPage[]> {
    const pages: NamedPage[] = []
    for (const document of documents) pages.push(this.#read.get(versionOf(document)) ?? (await this.#pageOf(snapshot, document)))
    return pages
  }

  async #pageOf(snapshot: StoreSnapshot, document: StoredDocument): Promise<NamedPage> {
    const chunks = await snapshot.chunksOf(document)
    this.#chunksRead += chunks.length
    return { document, page: entityPageFrom(document, chunks), chunkIds: chunks.map(({ id }) => id) }
  }
}

/** A document that is indexed anew gets other chunks. */
function versionOf({ path, contentHash, recipe }: StoredDocument): string {
  return [path, contentHash, recipe].join('\0')
}

/** Read from the text: the index keeps a list of aliases as one text, and of the title not whether it is that of a part. */
function entityPageFrom(document: StoredDocument, chunks: readonly StoredChunk[]): EntityPage {
  const { source, path, properties = {} } = document
  const parsed = parseDocument({ source, path }, { text: chunks.map(({ text }) => text).join('\n') })
  // Front matter may be longer than a chunk, and chunks may overlap.
  const isWhole = parsed.problem === undefined && Object.keys(parsed.properties).length === Object.keys(properties).length
  return isWhole ? entityPageOf(path, parsed) : storedEntityPage(document)
}

async function ownPages(snapshot: StoreSnapshot): Promise<readonly StoredDocument[]> {
  const filter = { paths: [ENTITY_PAGES, SLOTS_PAGE], sources: ['memory'] }
  const documents = new Map<string, StoredDocument>()
  let after: number | undefined
  for (;;) {
    const page = await snapshot.select(filter, { order: 'path', limit: PAGE_SIZE, ...(after !== undefined && { after }) })
    const ids = new Map(page.map(({ document }) => [document.path, document]))
    for (const document of await snapshot.documentsOf([...ids.values()])) documents.set(document.path, document)
    after = page.at(-1)?.id
    if (page.length < PAGE_SIZE) return [...documents.values()]
  }
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
async function linkedPages(
  snapshot: StoreSnapshot,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<readonly StoredDocument[]> {
  const named = new Map<string, StoredDocument[]>()
  for await (const document of snapshot.documents('memory')) {
    if (document.dateReason === 'name' || pageKindOf(document.path) !== undefined) continue
    const key = entityKey(pageName(document.path))
    if (wanted.has(key)) named.set(key, [...(named.get(key) ?? []), document])
  }
  return [...named].flatMap(([key, notes]) => {
    const places = [...(wanted.get(key) ?? [])].filter((target) => target.includes('/')).map(placeOf)
    const exact = notes.filter(({ path }) => places.some((place) => `/${placeOf(path)}`.endsWith(`/${place}`)))
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
