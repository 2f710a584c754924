import type {
  BlockRequest,
  CallOptions,
  ChunkFilter,
  DocumentId,
  KeywordBlock,
  MissingInput,
  SelectedChunk,
  SelectOptions,
  SpaceCoverage,
  StoredChunk,
  StoredDocument,
  StoreSnapshot,
  VectorCandidate,
} from '@mnemark/spec'
import { canonicalJson, StoreError } from '@mnemark/spec'
import { matchingChunks } from './chunk-filter.ts'
import type { Connection } from '../connection/connection.ts'
import type { Connections } from '../file/connections.ts'
import type { MissingOptions } from '../vectors/coverage.ts'
import { findMissingInputs, listSpaces } from '../vectors/coverage.ts'
import { assertCount, chunkIdsOf, documentPage, findChunks, findDocument, toDocument } from './documents.ts'
import { Selection } from './selection.ts'
import { blockPage, findBlocks, findSegment, listSegments, scanStart } from './segments.ts'
import { assertDimensions, assertLimit } from '../codec/values.ts'
import type { VectorSearch } from '../scan/vector-search.ts'
import type { VectorEntry } from '../vectors/vectors.ts'
import { findSpace, readVectors, vectorPage } from '../vectors/vectors.ts'

/** Blocks have some ten kilobytes each: a scan for a prefix reads few, a merge many. */
const FIRST_BLOCKS = 2
const MOST_BLOCKS = 64

interface SnapshotParts {
  readonly connections: Connections
  readonly search: VectorSearch
  readonly onRelease: (snapshot: SqliteSnapshot) => void
}

/** One read transaction on a lent connection. Iterations read page by page, so that calls may be mixed freely. */
export class SqliteSnapshot implements StoreSnapshot {
  readonly #connections: Connections
  readonly #search: VectorSearch
  readonly #onRelease: (snapshot: SqliteSnapshot) => void
  #connection: Connection | null
  readonly #segments = new Map<string, number>()
  /** The last list: the next page is probably its next. */
  #selection: { readonly key: string; readonly selection: Selection } | undefined

  constructor(connection: Connection, { connections, search, onRelease }: SnapshotParts) {
    this.#connections = connections
    this.#search = search
    this.#connection = connection
    this.#onRelease = onRelease
  }

  release(): void {
    if (!this.#connection) return
    this.#connections.giveBack(this.#connection)
    this.#connection = null
    this.#onRelease(this)
  }

  async counts(): Promise<{ readonly documents: number; readonly chunks: number }> {
    return this.#read((connection) => {
      const documents = connection.value<number>('SELECT count(*) FROM documents') ?? 0
      const chunks = connection.value<number>('SELECT count(*) FROM chunks') ?? 0
      assertCount(connection, chunks)
      const stubs = connection.value<number>('SELECT count(*) FROM chunks WHERE is_stub = 1') ?? 0
      return { documents, chunks: chunks - stubs }
    })
  }

  async *documents(source?: string): AsyncGenerator<StoredDocument> {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows = this.#read((connection) => documentPage(connection, after ?? 0, source))
      for (const row of rows) yield toDocument(row)
      after = rows.at(-1)?.id
    }
  }

  async documentsOf(ids: readonly DocumentId[]): Promise<readonly StoredDocument[]> {
    return this.#read((connection) => ids.flatMap((id) => findDocument(connection, id) ?? []))
  }

  async chunks(ids: readonly number[]): Promise<readonly StoredChunk[]> {
    return this.#read((connection) => findChunks(connection, ids))
  }

  async chunksOf(document: DocumentId): Promise<readonly StoredChunk[]> {
    return this.#read((connection) => findChunks(connection, chunkIdsOf(connection, document)))
  }

  async filter(filter: ChunkFilter): Promise<{ has(chunkId: number): boolean; readonly size: number }> {
    return this.#read((connection) => matchingChunks(connection, filter))
  }

  async select(filter: ChunkFilter, { order, limit, after }: SelectOptions): Promise<readonly SelectedChunk[]> {
    assertLimit(limit)
    return this.#read((connection) => {
      const key = canonicalJson([filter, order])
      if (this.#selection?.key !== key) this.#selection = { key, selection: new Selection(connection, filter, order) }
      return this.#selection.selection.page(connection, { limit, ...(after !== undefined && { after }) })
    })
  }

  async segments(): Promise<readonly { readonly id: string; readonly header: Uint8Array }[]> {
    return this.#read(listSegments)
  }

  async blocks(requests: readonly BlockRequest[]): Promise<readonly (readonly KeywordBlock[])[]> {
    return this.#read((connection) =>
      requests.map(({ segment, keys }) => findBlocks(connection, this.#segment(connection, segment), keys)),
    )
  }

  async *scan(segment: string, key?: string): AsyncGenerator<KeywordBlock> {
    const number = this.#read((connection) => this.#segment(connection, segment))
    let from = key === undefined ? '' : this.#read((connection) => scanStart(connection, number, key))
    for (let isAfter = false, limit = FIRST_BLOCKS; ; isAfter = true, limit = Math.min(2 * limit, MOST_BLOCKS)) {
      const page = this.#read((connection) => blockPage(connection, number, { from, isAfter, limit }))
      yield* page
      if (page.length < limit) return
      from = page.at(-1)?.firstKey ?? from
    }
  }

  async spaces(): Promise<readonly SpaceCoverage[]> {
    return this.#read(listSpaces)
  }

  async missingInputs(fingerprint: string, options: MissingOptions): Promise<readonly MissingInput[]> {
    return this.#read((connection) => findMissingInputs(connection, fingerprint, options))
  }

  async nearest(
    fingerprint: string,
    query: Float32Array,
    options: CallOptions & { readonly limit: number; readonly filter?: ChunkFilter },
  ): Promise<readonly VectorCandidate[]> {
    const { limit, filter, signal } = options
    const space = this.#read((connection) => findSpace(connection, fingerprint))
    signal?.throwIfAborted()
    assertLimit(limit)
    if (!query.every(Number.isFinite)) throw new TypeError('The query vector holds a number that is not finite.')
    if (!space || space.dimensions === null) return []
    assertDimensions(space.dimensions, query.length)
    if (query.every((value) => value === 0)) return []
    const matching = filter ? this.#read((connection) => matchingChunks(connection, filter)) : null
    const file = this.#read((connection) => this.#connections.generationOf(connection))
    const state = { ...space, dimensions: space.dimensions }
    return this.#search.nearest((work) => this.#read(work), { space: state, file, vector: query, limit, matching, signal })
  }

  async vectors(fingerprint: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array | null>> {
    return this.#read((connection) => readVectors(connection, fingerprint, hashes))
  }

  async *exportVectors(fingerprint: string): AsyncGenerator<VectorEntry> {
    const space = this.#read((connection) => findSpace(connection, fingerprint))
    if (!space) return
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: ReturnType<typeof vectorPage> = this.#read((connection) => vectorPage(connection, space, after ?? ''))
      yield* page.entries
      after = page.last
    }
  }

  #segment(connection: Connection, id: string): number {
    const known = this.#segments.get(id) ?? findSegment(connection, id)
    this.#segments.set(id, known)
    return known
  }

  #read<T>(work: (connection: Connection) => T): T {
    const connection = this.#connection
    if (!connection) throw new StoreError('closed', 'The snapshot was released, or its store closed.')
    return this.#connections.translate(() => work(connection))
  }
}
