import type { BatchJob, KeywordBlock, StoredChunk, StoredDocument, VectorSpace } from '@mnemark/spec'

export interface DocumentEntry {
  readonly document: StoredDocument
  readonly chunkIds: readonly number[]
}
export interface SegmentEntry {
  readonly header: Uint8Array
  readonly blocks: readonly KeywordBlock[]
}
export interface SpaceEntry {
  /** Null until the first vector: a refused input is recorded before the space itself is known. */
  readonly space: VectorSpace | null
  readonly dimensions: number | null
  readonly vectors: ReadonlyMap<string, Float32Array | null>
  readonly failures: ReadonlyMap<string, string>
}

/** One immutable committed state. */
export interface StoreState {
  readonly documents: ReadonlyMap<string, DocumentEntry>
  readonly chunks: ReadonlyMap<number, StoredChunk>
  readonly segments: ReadonlyMap<string, SegmentEntry>
  readonly spaces: ReadonlyMap<string, SpaceEntry>
  readonly jobs: ReadonlyMap<string, BatchJob>
  readonly settings: ReadonlyMap<string, string>
  /** Number of the change that last used each input hash; larger is more recent. */
  readonly uses: ReadonlyMap<string, number>
  readonly usedSegmentIds: ReadonlySet<string>
  readonly lastChunkId: number
  readonly lastUse: number
}

export const emptyState: StoreState = {
  documents: new Map(),
  chunks: new Map(),
  segments: new Map(),
  spaces: new Map(),
  jobs: new Map(),
  settings: new Map(),
  uses: new Map(),
  usedSegmentIds: new Set(),
  lastChunkId: 0,
  lastUse: 0,
}

/** Every input that chunks refer to, with the lowest such chunk. */
export function referencedInputs(state: StoreState): ReadonlyMap<string, number> {
  const inputs = new Map<string, number>()
  for (const chunk of state.chunks.values()) {
    for (const hash of chunk.inputs) inputs.set(hash, Math.min(chunk.id, inputs.get(hash) ?? chunk.id))
  }
  return inputs
}
