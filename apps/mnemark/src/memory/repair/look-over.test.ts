import type { MemoryStore } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { lookedOver, mustLookOver } from './look-over.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.UTC(2026, 10, 30)

async function storeOf(chunks: number): Promise<MemoryStore> {
  const store = createInMemoryStore()
  const lease = await store.acquireLease('write')
  if (lease === null) throw new Error('no lease')
  const id = { source: 'memory', path: 'a.md' }
  const document = { ...id, size: 1, modifiedAtMs: 0, contentHash: 'h', recipe: 'r', isEvergreen: true }
  const put = Array.from({ length: chunks }, (_, ordinal) => {
    const line = ordinal + 1
    return {
      document: id,
      ordinal,
      startLine: line,
      endLine: line,
      text: 'x',
      headingTrail: [],
      attributes: {},
      inputs: [`${ordinal}`],
    }
  })
  await store.apply(lease, { put: [{ document, chunks: put }], touch: [], remove: [] })
  await lease.release()
  return store
}

test('a small index is looked over each time, a large one once a day', async () => {
  const [small, large] = [await storeOf(2_000), await storeOf(2_001)]
  for (const store of [small, large]) {
    expect(await mustLookOver(store, NOW_MS)).toBe(true)
    await lookedOver(store, NOW_MS)
  }
  expect(await mustLookOver(small, NOW_MS + 1)).toBe(true)
  expect(await mustLookOver(large, NOW_MS + DAY_MS - 1)).toBe(false)
  expect(await mustLookOver(large, NOW_MS + DAY_MS)).toBe(true)
})

test('a clock that was set back does not put it off for good', async () => {
  const store = await storeOf(2_001)
  await lookedOver(store, NOW_MS)
  expect(await mustLookOver(store, NOW_MS - 30 * DAY_MS)).toBe(true)
})
