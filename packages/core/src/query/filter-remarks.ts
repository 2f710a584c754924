import type { ChunkFilter, Degradation, StoreSnapshot } from '@mnemark/spec'
import type { FilterLook } from './unmatched-filters.ts'

/**
 * Explains filter values that match nothing. The code is loaded where nothing passes, or where one of several values
 * may be at fault.
 */
export async function filterRemarks(
  snapshot: StoreSnapshot,
  filter: ChunkFilter | undefined,
  { size, conditions }: Pick<FilterLook, 'size' | 'conditions'>,
): Promise<readonly Degradation[]> {
  const hasSeveral = new Set(conditions.map(({ name }) => name)).size < conditions.length
  if (filter === undefined || (size > 0 && !hasSeveral)) return []
  const { unmatchedFilters } = await import('./unmatched-filters.ts')
  return unmatchedFilters(snapshot, { filter, conditions, size })
}
