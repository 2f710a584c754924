import type { StoreSnapshot } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import { onTestFinished } from 'vitest'
import type { KeywordDocument } from '../src/keywords/keyword-document.ts'
import { SegmentBuilder } from '../src/keywords/segment-builder.ts'

export interface Batch {
  readonly documents: readonly KeywordDocument[]
  /** Ids that die with this batch. */
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
    for (const each of documents) builder.add(each)
    const ids = documents.map((_, index) => lastId + 1 + index)
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
