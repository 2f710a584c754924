import type {
  BlockRequest,
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
import { dayOfChunk, StoreError } from '@mnemark/spec'
import type { NearChunk } from '@mnemark/store-kit'
import {
  assertDimensions,
  assertFinite,
  assertLimit,
  blocksFrom,
  compareUtf8,
  createChunkMatcher,
  documentKey,
  findBlocks,
  inputsInJobs,
  rankNearest,
  selectPage,
} from '@mnemark/store-kit'
import type { SegmentEntry, StoreState } from './store-state.ts'
import { referencedInputs } from './store-state.ts'

export class InMemorySnapshot implements StoreSnapshot {
  readonly #state: StoreState
  readonly #assertOpen: () => void
  #isReleased = false

  constructor(state: StoreState, assertOpen: () => void) {
    this.#state = state
    this.#assertOpen = assertOpen
  }

  release(): void {
    this.#isReleased = true
  }

  async counts(): Promise<{ readonly documents: number; readonly chunks: number }> {
    const { documents, chunks } = this.#read()
    const withText = [...chunks.values()].filter((chunk) => chunk.inputs.length > 0)
    return { documents: documents.size, chunks: withText.length }
  }

  async *documents(source?: string): AsyncIterable<StoredDocument> {
    for (const { document } of this.#read().documents.values()) {
      this.#read()
      if (source === undefined || document.source === source) yield document
    }
  }

  async documentsOf(ids: readonly DocumentId[]): Promise<readonly StoredDocument[]> {
    const { documents } = this.#read()
    return ids.flatMap((id) => documents.get(documentKey(id))?.document ?? [])
  }

  async chunks(ids: readonly number[]): Promise<readonly StoredChunk[]> {
    const { chunks } = this.#read()
    return ids.flatMap((id) => chunks.get(id) ?? [])
  }

  async chunksOf(document: DocumentId): Promise<readonly StoredChunk[]> {
    const { documents, chunks } = this.#read()
    const found = (documents.get(documentKey(document))?.chunkIds ?? []).flatMap((id) => chunks.get(id) ?? [])
    return found.sort((left, right) => left.ordinal - right.ordinal || left.id - right.id)
  }

  async filter(filter: ChunkFilter): Promise<{ has(chunkId: number): boolean; readonly size: number }> {
    return this.#matching(filter)
  }

  async select(filter: ChunkFilter, options: SelectOptions): Promise<readonly SelectedChunk[]> {
    const { chunks } = this.#read()
    assertLimit(options.limit)
    return selectPage(
      [...this.#matching(filter)].flatMap((id) => chunks.get(id) ?? []),
      options,
    )
  }

  async segments(): Promise<readonly { readonly id: string; readonly header: Uint8Array }[]> {
    return [...this.#read().segments].map(([id, { header }]) => ({ id, header: header.slice() }))
  }

  async blocks(requests: readonly BlockRequest[]): Promise<readonly (readonly KeywordBlock[])[]> {
    return requests.map(({ segment, keys }) => findBlocks(this.#segment(segment).blocks, keys).map(copy))
  }

  async *scan(segment: string, key?: string): AsyncIterable<KeywordBlock> {
    for (const block of blocksFrom(this.#segment(segment).blocks, key)) {
      this.#read()
      yield copy(block)
    }
  }

  async spaces(): Promise<readonly SpaceCoverage[]> {
    const referenced = [...referencedInputs(this.#read()).keys()]
    return [...this.#state.spaces].flatMap(([fingerprint, entry]) => {
      if (!entry.space) return []
      const filled = referenced.filter((hash) => entry.vectors.has(hash)).length
      const failed = referenced.filter((hash) => !entry.vectors.has(hash) && entry.failures.has(hash)).length
      const missing = referenced.length - filled - failed
      const { space, dimensions } = entry
      return [{ fingerprint, space, dimensions, filled, missing, failed, isComplete: filled === referenced.length }]
    })
  }

  async missingInputs(
    fingerprint: string,
    options: { readonly limit: number; readonly after?: string; readonly retryFailed?: boolean },
  ): Promise<readonly MissingInput[]> {
    const state = this.#read()
    assertLimit(options.limit)
    const entry = state.spaces.get(fingerprint)
    const inJobs = inputsInJobs(state.jobs.values(), fingerprint)
    const isMissing = (hash: string): boolean =>
      !entry?.vectors.has(hash) && !inJobs.has(hash) && (options.retryFailed === true || !entry?.failures.has(hash))
    return [...referencedInputs(state)]
      .filter(([hash]) => (options.after === undefined || compareUtf8(hash, options.after) > 0) && isMissing(hash))
      .sort(([left], [right]) => compareUtf8(left, right))
      .slice(0, options.limit)
      .map(([hash, chunkId]) => ({ hash, chunkId }))
  }

  async nearest(
    fingerprint: string,
    query: Float32Array,
    options: { readonly limit: number; readonly filter?: ChunkFilter; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly VectorCandidate[]> {
    const state = this.#read()
    options.signal?.throwIfAborted()
    assertLimit(options.limit)
    assertFinite(query, 'The query vector')
    const entry = state.spaces.get(fingerprint)
    if (!entry || entry.dimensions === null) return []
    assertDimensions(entry.dimensions, query.length)
    const matching = options.filter ? this.#matching(options.filter) : undefined
    const near: NearChunk[] = []
    for (const { id, document, ordinal, attributes, inputs } of state.chunks.values()) {
      if (matching && !matching.has(id)) continue
      const day = dayOfChunk(attributes, state.documents.get(documentKey(document))?.document ?? {})
      near.push({ chunkId: id, document, ordinal, day, vectors: inputs.map((hash) => entry.vectors.get(hash)) })
    }
    return rankNearest(near, query, options.limit)
  }

  async vectors(fingerprint: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array | null>> {
    const stored = this.#read().spaces.get(fingerprint)?.vectors
    const found = new Map<string, Float32Array | null>()
    for (const hash of hashes) {
      const vector = stored?.get(hash)
      if (vector !== undefined) found.set(hash, vector && vector.slice())
    }
    return found
  }

  async *exportVectors(fingerprint: string): AsyncIterable<{ readonly hash: string; readonly vector: Float32Array | null }> {
    for (const [hash, vector] of this.#read().spaces.get(fingerprint)?.vectors ?? []) {
      this.#read()
      yield { hash, vector: vector && vector.slice() }
    }
  }

  #read(): StoreState {
    this.#assertOpen()
    if (this.#isReleased) throw new StoreError('closed', 'The snapshot was released.')
    return this.#state
  }

  #segment(id: string): SegmentEntry {
    const segment = this.#read().segments.get(id)
    if (!segment) throw new TypeError(`No segment ${JSON.stringify(id)} in this snapshot.`)
    return segment
  }

  #matching(filter: ChunkFilter): ReadonlySet<number> {
    const { documents, chunks } = this.#read()
    const matches = createChunkMatcher(filter)
    const ids = new Set<number>()
    for (const { document, chunkIds } of documents.values()) {
      for (const id of chunkIds) if (matches(document, chunks.get(id) ?? { attributes: {} })) ids.add(id)
    }
    return ids
  }
}

function copy(block: KeywordBlock): KeywordBlock {
  return { firstKey: block.firstKey, bytes: block.bytes.slice() }
}
