import { type StoreSnapshot, tieHash } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import { onTestFinished } from 'vitest'
import type { KeywordDocument } from '../src/keywords/terms/keyword-document.ts'
import { SegmentBuilder } from '../src/keywords/build/segment-builder.ts'

/** A document, by default of one chunk; its hash is that of its position among all. */
export type TestDocument = Omit<KeywordDocument, 'ordinal' | 'hash'> & Partial<Pick<KeywordDocument, 'ordinal' | 'hash'>>

export interface Batch {
  readonly documents: readonly TestDocument[]
  /** Ids of chunks that this batch deletes. */
  readonly removed?: readonly number[]
}

/** A snapshot of one segment for each batch; chunk ids count from 1. */
export async function segmentsOf(batches: readonly Batch[]): Promise<StoreSnapshot> {
  const store = createInMemoryStore()
  onTestFinished(() => store.close())
  const lease = await store.acquireLease('write')
  if (!lease) throw new Error('the lease of a new store is free')
  let lastId = 0
  for (const [at, { documents, removed = [] }] of batches.entries()) {
    const builder = new SegmentBuilder()
    const ids = documents.map((_, index) => lastId + 1 + index)
    documents.forEach((each, index) =>
      builder.add({ ordinal: 0, hash: tieHash({ source: 'memory', path: `${ids[index]}.md` }, 0), ...each }),
    )
    lastId += documents.length
    const { header, blocks } = builder.encode()(`s${at}`, ids, removed)
    await store.replaceSegments(lease, [], {
      id: `s${at}`,
      header,
      blocks: (async function* () {
        yield* blocks
      })(),
    })
  }
  await lease.release()
  return store.snapshot()
}
