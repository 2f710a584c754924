import type { ChunkFilter, StoreSnapshot } from '@mnemark/spec'
import type { Fact } from '../retain/fact.ts'
import { isCopy } from './chunks/facts-of-chunks.ts'

const PAGE_SIZE = 1_000

/**
 * Paths of the notes in which an index has a fact of this id, copies and derived notes left out; of an undated fact none. Looks at the places
 * of facts of its kind on its days, never at their texts. The notes may have changed since.
 */
export async function notesWithFact(
  snapshot: Pick<StoreSnapshot, 'select'>,
  { id, kind, days }: Pick<Fact, 'id' | 'kind' | 'days'>,
  filter: ChunkFilter = {},
): Promise<readonly string[]> {
  if (days === undefined) return []
  const wanted = { kinds: [kind], sources: ['memory'], since: days.from, until: days.to ?? days.from, all: [filter] }
  const paths = new Set<string>()
  let after: number | undefined
  for (;;) {
    const page = await snapshot.select(wanted, { order: 'path', limit: PAGE_SIZE, ...(after !== undefined && { after }) })
    for (const { attributes, document } of page) if (attributes.factId === id && !isCopy(attributes)) paths.add(document.path)
    after = page.at(-1)?.id
    if (page.length < PAGE_SIZE) return [...paths]
  }
}
