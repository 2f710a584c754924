import { type ChunkFilter, fingerprint, type StoreSnapshot, type StoredChunk } from '@mnemark/spec'
import { Entities } from '../entities/entities.ts'
import { type Corrections, correctionsOf } from './corrections.ts'
import { factOfChunks, type IndexedFact } from './chunks/facts-of-chunks.ts'
import { type NamedPage, NamedPages } from './named-pages.ts'
import { type Slot, SLOTS_PAGE, slotsOf } from './slots.ts'
import { compareText } from '../retain/compare-text.ts'

/** All facts of an index at one state, and what follows from them. */
export interface FactState {
  /** In the order of their places. */
  readonly facts: readonly IndexedFact[]
  /** The same by the chunk of their first line. */
  readonly byChunk: ReadonlyMap<number, IndexedFact>
  /** Every chunk of a fact in the index, whoever may read it: all others are plain passages. */
  readonly factChunks: ReadonlySet<number>
  readonly entities: Entities
  readonly corrections: Corrections
  /** Declared by pages of the bank. */
  readonly slots: readonly Slot[]
  /** The same of some of the facts, such as those known on a day; names and slots of pages stay. */
  readonly only: (keep: (fact: IndexedFact) => boolean) => FactState
  /** Chunks with a fact of another version of the bank, which the next sync replaces. */
  readonly unread: number
}

const KINDS = ['world', 'experience', 'opinion', 'observation']
const PAGE_SIZE = 1_000
const MOST_STATES = 16

/**
 * The facts of an index, kept in memory. A state is made anew only where the keyword segments changed, and then reads
 * the chunks that were not there before: ids of chunks are never used again. Nothing here looks at files.
 */
export class FactRegistry {
  #segments: string | undefined
  #chunks: ReadonlyMap<number, StoredChunk> = new Map()
  #facts: ReadonlyMap<number, IndexedFact> = new Map()
  readonly #named = new NamedPages()
  #pages: readonly NamedPage[] = []
  #unread = 0
  /** States by the filter they passed; the empty key is that of all. */
  readonly #states = new Map<string, FactState>()
  #chunksRead = 0
  #reading: Promise<unknown> = Promise.resolve()

  /** Chunks read since it was made, for tests and reports. */
  get chunksRead(): number {
    return this.#chunksRead + this.#named.chunksRead
  }

  /** The facts as the snapshot has them; with a filter only what passes it, names and slots included. */
  read(snapshot: StoreSnapshot, filter?: ChunkFilter): Promise<FactState> {
    // One after the other: two questions over different states of the index would mix them.
    const read = this.#reading.then(() => this.#read(snapshot, filter))
    this.#reading = read.catch(() => {})
    return read
  }

  async #read(snapshot: StoreSnapshot, filter: ChunkFilter | undefined): Promise<FactState> {
    const segments = (await snapshot.segments()).map(({ id }) => id).join('\n')
    if (segments !== this.#segments) await this.#refresh(snapshot, segments)
    const key = filter === undefined ? '' : fingerprint(filter)
    const known = this.#states.get(key)
    if (known !== undefined) return known
    const allowed = filter === undefined ? undefined : await snapshot.filter(filter)
    const passes = (chunkId: number): boolean => allowed?.has(chunkId) ?? true
    const facts = [...this.#facts.values()].filter(({ chunkId }) => passes(chunkId))
    const pages = this.#pages.filter(({ chunkIds }) => chunkIds.some(passes))
    const state = stateOf(facts, pages, { unread: this.#unread, factChunks: new Set(this.#chunks.keys()) })
    if (this.#states.size >= MOST_STATES) this.#states.clear()
    this.#states.set(key, state)
    return state
  }

  async #refresh(snapshot: StoreSnapshot, segments: string): Promise<void> {
    this.#chunks = await this.#chunksOf(snapshot)
    const facts = new Map<number, IndexedFact>()
    let unread = 0
    for (const group of groupsOf(this.#chunks.values())) {
      const [first] = group
      const fact = this.#facts.get(first?.id ?? -1) ?? factOfChunks(group)
      if (fact === undefined) unread += 1
      else facts.set(fact.chunkId, fact)
    }
    this.#facts = facts
    this.#unread = unread
    this.#pages = await this.#named.read(snapshot, linksOf(facts.values()))
    this.#states.clear()
    this.#segments = segments
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
        compareText(left.document.source, right.document.source) ||
        compareText(left.document.path, right.document.path) ||
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

function linksOf(facts: Iterable<IndexedFact>): ReadonlySet<string> {
  const links = new Set<string>()
  for (const { entities, mentions } of facts)
    for (const { name, isLink } of [...entities, ...mentions]) if (isLink) links.add(name)
  return links
}

function stateOf(
  facts: readonly IndexedFact[],
  named: readonly NamedPage[],
  rest: Pick<FactState, 'unread' | 'factChunks'>,
): FactState {
  const pages = named.map(({ page }) => page).filter(({ path }) => path.toLowerCase() !== SLOTS_PAGE)
  const entities = new Entities(
    pages,
    facts.flatMap((fact) => [...fact.entities, ...fact.mentions]),
  )
  return {
    facts,
    byChunk: new Map(facts.map((fact) => [fact.chunkId, fact])),
    entities,
    corrections: correctionsOf(facts, (left, right) => entities.areOne(left, right)),
    only: (keep) => stateOf(facts.filter(keep), named, rest),
    slots: named
      .filter(({ page: { path, isOwn } }) => isOwn || path.toLowerCase() === SLOTS_PAGE)
      .flatMap(({ document, page }) => slotsOf(document, [page.name])),
    ...rest,
  }
}
