import type { BatchHandle } from './batch.ts'
import type { CallOptions } from './call-options.ts'
import type { ChunkAttributes, DocumentId, DocumentStat, StoredDocument } from './document.ts'
import type { VectorSpace } from './embedding.ts'

/** A document without text (headings only, blank) has one stub chunk: no input, path and heading fields only, not counted. */
export interface StoredChunk {
  readonly id: number
  readonly document: DocumentId
  readonly ordinal: number
  readonly startLine: number
  readonly endLine: number
  readonly text: string
  readonly headingTrail: readonly string[]
  readonly attributes: ChunkAttributes
  /**
   * Entities and tags of `attributes` in the form that filters compare: folded by core, a tag with its parents. Stores
   * compare bytes.
   */
  readonly labels?: { readonly entities?: readonly string[]; readonly tags?: readonly string[] }
  /** Character ranges [start, end) of `text` that are cited but neither analysed nor embedded: comments, front matter, recalled blocks. */
  readonly unindexed?: readonly (readonly [start: number, end: number])[]
  /** Hashes of this chunk's inputs: usually one, several for long chunks or lines; the best one counts. */
  readonly inputs: readonly string[]
}
export type NewChunk = Omit<StoredChunk, 'id'>

/**
 * Opaque to the store; made, merged and scored by core/keywords. Never changed once written, ids never reused;
 * deletions are stored in a segment of tombstones.
 */
export interface KeywordBlock {
  readonly firstKey: string
  readonly bytes: Uint8Array
}
/** Keys of one segment whose blocks are requested. */
export interface BlockRequest {
  readonly segment: string
  readonly keys: readonly string[]
}
export interface KeywordSegment {
  readonly id: string
  readonly header: Uint8Array
  readonly blocks: AsyncIterable<KeywordBlock>
}
export interface SmallSegment {
  readonly id: string
  readonly header: Uint8Array
  readonly blocks: readonly KeywordBlock[]
}

/** One transaction: all of it or none of it. */
export interface ChangeSet {
  readonly put: readonly { readonly document: StoredDocument; readonly chunks: readonly NewChunk[] }[]
  /**
   * Same content, new stat (touched, moved in time), and with `recipe` a new recipe that gave the same chunks: nothing
   * else is rewritten.
   */
  readonly touch: readonly (DocumentStat & Partial<Pick<StoredDocument, 'recipe'>>)[]
  readonly remove: readonly DocumentId[]
  /** Called inside the transaction once chunk ids are known; synchronous. */
  readonly segments?: (ids: ReadonlyMap<NewChunk, number>, removed: readonly number[]) => readonly SmallSegment[]
}
export interface ChunkFilter {
  readonly sources?: readonly string[]
  readonly paths?: readonly string[] // globs
  readonly excludePaths?: readonly string[]
  readonly since?: string
  readonly until?: string
  /** Only what was known on that day, YYYY-MM-DD: chunks whose first day is later are out, undated ones pass. */
  readonly asOf?: string
  /** `note` passes chunks without a kind. */
  readonly kinds?: readonly string[]
  /** Entities and tags are compared with `labels` of a chunk, byte for byte. */
  readonly entities?: readonly string[]
  readonly tags?: readonly string[]
  readonly sessions?: readonly string[]
  readonly audiences?: readonly string[]
  /** Filters that must pass as well, to join a caller's filter and the query's. */
  readonly all?: readonly ChunkFilter[]
}
/** A chunk in a list, without its text. */
export type SelectedChunk = Pick<StoredChunk, 'id' | 'document' | 'ordinal' | 'startLine' | 'endLine' | 'attributes'>
export interface SelectOptions {
  /**
   * `path`: by path in UTF-8 bytes, source, part, ordinal. `newest`: by last day, the later first, undated last; on one day by `time`,
   * the later first and without one last; then as `path`.
   */
  readonly order: 'path' | 'newest'
  readonly limit: number
  /** The id of the last chunk of the page before. Rejects with TypeError where it does not pass the filter. */
  readonly after?: number
}
export interface VectorCandidate {
  readonly chunkId: number
  readonly similarity: number
}
export interface SpaceCoverage {
  readonly fingerprint: string
  readonly space: VectorSpace
  readonly dimensions: number | null
  readonly filled: number
  readonly missing: number
  readonly failed: number
  readonly isComplete: boolean
} // in inputs; null vectors count as filled
export interface MissingInput {
  readonly hash: string
  readonly chunkId: number
}
export interface BatchJob {
  readonly marker: string
  readonly space: VectorSpace
  readonly state: 'intended' | 'submitted' | 'unknown' | 'collected' | 'cleaned' | 'abandoned'
  readonly handle?: BatchHandle
  readonly inputs: readonly string[]
  readonly createdAt: string
  readonly note?: string
}

/** `write` is held for one commit or merge, never across a provider call; `vectors` names the one process that embeds and polls. */
export type LeaseName = 'write' | 'vectors'
export interface Lease {
  readonly name: LeaseName
  readonly owner: string
  renew(): Promise<void>
  release(): Promise<void>
}

/** One committed state, unaffected by other processes until released. Chunk ids are never reused. */
export interface StoreSnapshot {
  /** Counts documents, and chunks without stubs. */
  counts(): Promise<{ readonly documents: number; readonly chunks: number }>
  documents(source?: string): AsyncIterable<StoredDocument>
  documentsOf(ids: readonly DocumentId[]): Promise<readonly StoredDocument[]>
  chunks(ids: readonly number[]): Promise<readonly StoredChunk[]>
  chunksOf(document: DocumentId): Promise<readonly StoredChunk[]>
  filter(filter: ChunkFilter): Promise<{ has(chunkId: number): boolean; readonly size: number }>
  /** The chunks that pass, stubs included, page by page in a fully determined order. */
  select(filter: ChunkFilter, options: SelectOptions): Promise<readonly SelectedChunk[]>
  segments(): Promise<readonly { readonly id: string; readonly header: Uint8Array }[]>
  /**
   * For each request, in their order, and in it for each key the block of the segment that would hold it: the last one
   * whose first key is not above it, keys ordered by UTF-8 bytes. One call covers all segments, so that a search calls
   * a remote store once.
   */
  blocks(requests: readonly BlockRequest[]): Promise<readonly (readonly KeywordBlock[])[]>
  /** All blocks of one segment in order, from `key` on: for merging and for prefixes. */
  scan(segment: string, key?: string): AsyncIterable<KeywordBlock>
  spaces(): Promise<readonly SpaceCoverage[]>
  /** Excludes inputs in open batch jobs. An unknown fingerprint means every input is missing. */
  missingInputs(
    fingerprint: string,
    options: { readonly limit: number; readonly after?: string; readonly retryFailed?: boolean },
  ): Promise<readonly MissingInput[]>
  /** By cosine, the best input of a chunk; ties in the order of `compareTied`, never by id. */
  nearest(
    fingerprint: string,
    query: Float32Array,
    options: CallOptions & { readonly limit: number; readonly filter?: ChunkFilter },
  ): Promise<readonly VectorCandidate[]>
  vectors(fingerprint: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array | null>>
  exportVectors(fingerprint: string): AsyncIterable<{ readonly hash: string; readonly vector: Float32Array | null }>
  release(): void
}

/**
 * Parts of the contract a store implements. `documents`: documents and chunks, filters, lists, settings, leases,
 * snapshots. `keywords`: segments; with both it serves a memory that searches by words. `vectors`: spaces and their
 * vectors. `jobs`: records of batch jobs.
 */
export type StoreLevel = 'documents' | 'keywords' | 'vectors' | 'jobs'

export interface MemoryStore {
  readonly specVersion: 'v1'
  readonly kind: string
  /** Absent: all of them. Data of a missing level reads as empty, and writing it rejects with `unsupported`. */
  readonly levels?: readonly StoreLevel[]
  /** Waits as long as the signal allows; null when another live process still holds it. */
  acquireLease(name: LeaseName, options?: CallOptions): Promise<Lease | null>
  snapshot(): Promise<StoreSnapshot>
  apply(lease: Lease, changes: ChangeSet): Promise<void>
  /** Writes a merged segment in pieces and makes it visible, instead of `drop`, in one step at the end. */
  replaceSegments(lease: Lease, drop: readonly string[], put: KeywordSegment): Promise<void>
  /** Optional: an engine's own full-text search, for sizes where segments do not reach; documented as ranking differently. */
  nativeKeywords?(
    terms: readonly string[],
    options: { readonly limit: number; readonly filter?: ChunkFilter },
  ): Promise<readonly { readonly chunkId: number; readonly score: number }[]>
  putVectors(
    lease: Lease,
    space: VectorSpace,
    entries: readonly { readonly hash: string; readonly vector: Float32Array | null }[],
  ): Promise<void>
  markFailed(
    lease: Lease,
    fingerprint: string,
    failures: readonly { readonly hash: string; readonly reason: string }[],
  ): Promise<void>
  dropSpace(lease: Lease, fingerprint: string): Promise<void>
  readonly jobs: {
    put(lease: Lease, job: BatchJob): Promise<void>
    remove(lease: Lease, marker: string): Promise<void>
    list(): Promise<readonly BatchJob[]>
  }
  readonly settings: {
    get(key: string): Promise<string | undefined>
    set(lease: Lease, key: string, value: string): Promise<void>
  }
  check(options?: {
    readonly repair?: boolean
  }): Promise<{ readonly isHealthy: boolean; readonly problems: readonly string[]; readonly repaired: readonly string[] }>
  /** Evicts unreferenced vectors over the limit (least recently used first) and returns space. */
  maintain(lease: Lease, options: { readonly maxUnreferencedVectors: number }): Promise<void>
  close(): Promise<void>
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose]?(): PromiseLike<void>
}
