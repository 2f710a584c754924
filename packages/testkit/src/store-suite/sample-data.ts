import type {
  BatchJob,
  ChangeSet,
  ChunkAttributes,
  DocumentId,
  KeywordBlock,
  NewChunk,
  SmallSegment,
  StoredDocument,
  VectorSpace,
} from '@mnemark/spec'

export const space: VectorSpace = {
  provider: 'sample',
  endpoint: 'https://embeddings.example/v1',
  model: 'sample-1',
  requestedDimensions: null,
  variant: { inputType: 'document' },
}
export const otherSpace: VectorSpace = { ...space, model: 'sample-2' }

export function sampleDocument(path: string, changes: Partial<StoredDocument> = {}): StoredDocument {
  return {
    source: 'memory',
    path,
    size: 120,
    modifiedAtMs: 1_767_225_600_000.25,
    contentHash: `content of ${path}`,
    recipe: 'recipe 1',
    isEvergreen: false,
    ...changes,
  }
}

export function sampleChunk(document: DocumentId, ordinal: number, changes: Partial<NewChunk> = {}): NewChunk {
  const { source, path, part } = document
  return {
    document: { source, path, ...(part !== undefined && { part }) },
    ordinal,
    startLine: ordinal * 10 + 1,
    endLine: ordinal * 10 + 9,
    text: `text ${ordinal} of ${path}`,
    headingTrail: ['Plans', `Part ${ordinal}`],
    attributes: {},
    inputs: [`input ${ordinal} of ${path}`],
    ...changes,
  }
}

/** A document with `count` chunks, ready to be put. */
export function samplePut(path: string, count: number, changes: Partial<StoredDocument> = {}): ChangeSet['put'][number] {
  const document = sampleDocument(path, changes)
  return { document, chunks: Array.from({ length: count }, (_, ordinal) => sampleChunk(document, ordinal)) }
}

/** One document whose chunks refer to one input each, so that vectors can be put for them. */
export function putOfInputs(path: string, inputs: readonly string[]): ChangeSet['put'][number] {
  const document = sampleDocument(path)
  return { document, chunks: inputs.map((input, ordinal) => sampleChunk(document, ordinal, { inputs: [input] })) }
}

export function putWithAttributes(
  path: string,
  attributes: ChunkAttributes,
  { source = 'memory', labels }: { readonly source?: string; readonly labels?: NonNullable<NewChunk['labels']> } = {},
): ChangeSet['put'][number] {
  const document = sampleDocument(path, { source })
  return { document, chunks: [sampleChunk(document, 0, { attributes, ...(labels && { labels }) })] }
}

export function sampleSegment(id: string, firstKeys: readonly string[]): SmallSegment {
  return { id, header: bytesOf(`header of ${id}`), blocks: firstKeys.map((firstKey) => sampleBlock(id, firstKey)) }
}

export function sampleBlock(segment: string, firstKey: string): KeywordBlock {
  return { firstKey, bytes: bytesOf(`${segment}: ${firstKey}`) }
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

export function sampleJob(marker: string, changes: Partial<BatchJob> = {}): BatchJob {
  return { marker, space, state: 'submitted', inputs: [], createdAt: '2026-03-14T09:26:53Z', ...changes }
}

/** Numbers from 0 to 1, equal in every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function randomVector(random: () => number, dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => random() * 2 - 1)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
