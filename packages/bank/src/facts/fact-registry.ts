import type { StoreSnapshot, StoredChunk, StoredDocument } from '@mnemark/spec'
import { Entities } from '../entities/entities.ts'
import type { EntityPage } from '../entities/entity-page.ts'
import { type Corrections, correctionsOf } from './corrections.ts'
import { factOfChunks, type IndexedFact } from './facts-of-chunks.ts'

/** All facts of an index at one state, and what follows from them. */
export interface FactState {
  /** In the order of their places. */
  readonly facts: readonly IndexedFact[]
  readonly entities: Entities
  readonly corrections: Corrections
  /** Chunks with a fact of another version of the bank, which the next sync replaces. */
  readonly unread: number
}

const KINDS = ['world', 'experience', 'opinion', 'observation']
const PAGE_SIZE = 1_000
const ENTITY_PAGES = 'bank/entities/**'

/**
 * The facts of an index, kept in memory. A state is made anew only where the keyword segments changed, and then reads
 * the chunks that were not there before: ids of chunks are never used again. Nothing here looks at files.
 */
export class FactRegistry {
  #segments: string | undefined
  #chunks: ReadonlyMap<number, StoredChunk> = new Map()
  #facts: ReadonlyMap<number, IndexedFact> = new Map()
  #state: FactState | undefined
  #chunksRead = 0

  /** Chunks read since it was made, for tests and reports. */
  get chunksRead(): number {
    return this.#chunksRead
  }

  /** The facts as the snapshot has them. */
  async read(snapshot: StoreSnapshot): Promise<FactState> {
    const segments = (await snapshot.segments()).map(({ id }) => id).join('\n')
    if (this.#state !== undefined && segments === this.#segments) return this.#state
    this.#chunks = await this.#chunksOf(snapshot)
    const groups = groupsOf(this.#chunks.values())
    const facts = new Map<number, IndexedFact>()
    let unread = 0
    for (const group of groups) {
      const [first] = group
      const fact = this.#facts.get(first?.id ?? -1) ?? factOfChunks(group)
      if (fact === undefined) unread += 1
      else facts.set(fact.chunkId, fact)
    }
    this.#facts = facts
    this.#state = stateOf([...facts.values()], await pagesOf(snapshot), unread)
    this.#segments = segments
    return this.#state
  }

  async #chunksOf(snapshot: StoreSnapshot): Promise<ReadonlyMap<number, StoredChunk>> {
    const ids = await idsOf(snapshot, { kinds: KINDS })
    const chunks = new Map<number, StoredChunk>()
    const missing: number[] = []
    for (const id of ids) {
      const known = this.#chunks.get(id)
      if (known === undefined) missing.push(id)
      else chunks.set(id, known)
    }
    for (let at = 0; at < missing.length; at += PAGE_SIZE) {
      const read = await snapshot.chunks(missing.slice(at, at + PAGE_SIZE))
      this.#chunksRead += read.length
      for (const chunk of read) chunks.set(chunk.id, chunk)
    }
    return chunks
  }
}

async function idsOf(snapshot: StoreSnapshot, filter: Parameters<StoreSnapshot['select']>[0]): Promise<readonly number[]> {
  const ids: number[] = []
  for (;;) {
    const after = ids.at(-1)
    const page = await snapshot.select(filter, { order: 'path', limit: PAGE_SIZE, ...(after !== undefined && { after }) })
    ids.push(...page.map(({ id }) => id))
    if (page.length < PAGE_SIZE) return ids
  }
}

/** The chunks of each fact, in their order; a long fact has several. */
function groupsOf(chunks: Iterable<StoredChunk>): readonly (readonly StoredChunk[])[] {
  const sorted = [...chunks]
    .filter(({ attributes }) => attributes.factId !== undefined)
    .sort(
      (left, right) =>
        compare(left.document.source, right.document.source) ||
        compare(left.document.path, right.document.path) ||
        left.ordinal - right.ordinal,
    )
  const groups: StoredChunk[][] = []
  for (const chunk of sorted) {
    const last = groups.at(-1)?.at(-1)
    const goesOn =
      last !== undefined &&
      last.attributes.factId === chunk.attributes.factId &&
      last.document.path === chunk.document.path &&
      last.document.source === chunk.document.source &&
      chunk.startLine <= last.endLine + 1 &&
      !isNewFact(chunk, last)
    if (goesOn) groups.at(-1)?.push(chunk)
    else groups.push([chunk])
  }
  return groups
}

/** The same fact may be written twice in a row: then the second begins with a bullet on a line of its own. */
function isNewFact(chunk: StoredChunk, last: StoredChunk): boolean {
  return chunk.startLine > last.endLine && factOfChunks([chunk]) !== undefined
}

function compare(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1
}

async function pagesOf(snapshot: StoreSnapshot): Promise<readonly EntityPage[]> {
  const pages = new Map<string, StoredDocument>()
  let after: number | undefined
  for (;;) {
    const options = { order: 'path', limit: PAGE_SIZE, ...(after !== undefined && { after }) } as const
    const page = await snapshot.select({ paths: [ENTITY_PAGES], sources: ['memory'] }, options)
    const ids = new Map(page.map(({ document }) => [document.path, document]))
    for (const document of await snapshot.documentsOf([...ids.values()])) pages.set(document.path, document)
    after = page.at(-1)?.id
    if (page.length < PAGE_SIZE) return [...pages.values()].map(pageOf)
  }
}

function pageOf({ path, title, properties = {} }: StoredDocument): EntityPage {
  const { type, redirect } = properties
  const aliases = [properties['aliases'], properties['alias']].flatMap((list) => list?.split(/[,\n]/) ?? [])
  return {
    path,
    name: title ?? path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:md|markdown)$/i, ''),
    aliases: aliases.map((alias) => alias.trim()).filter((alias) => alias !== ''),
    isOwn: true,
    ...(type !== undefined && { type }),
    ...(redirect !== undefined && { redirect }),
  }
}

function stateOf(facts: readonly IndexedFact[], pages: readonly EntityPage[], unread: number): FactState {
  const named = facts.flatMap((fact) => [...fact.entities, ...fact.mentions])
  const entities = new Entities(pages, named)
  return { facts, entities, corrections: correctionsOf(facts, (left, right) => entities.areOne(left, right)), unread }
}
