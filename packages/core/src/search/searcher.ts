import type { CallerContext, MemorySettings, SearchQuery, StoreSnapshot, WithoutCaller } from '@mnemark/spec'
import { KeywordCache } from '../keywords/read/keyword-reader.ts'
import { readQuery } from '../query/read-query.ts'
import { createChunkCache } from './candidates/loaded-chunks.ts'
import { type PipelineReply, searchMemory } from './search-memory.ts'
import type { QueryVector } from './candidates/vector-candidates.ts'

export interface SearcherOptions {
  /** The settings of `createMemory`; those about providers and syncs have no effect here. */
  readonly settings?: MemorySettings
  /** Milliseconds since 1970, for days in queries and ages of notes. Default: the system's clock. */
  readonly now?: () => number
}

/** The caller where a query names none: only citations depend on it here. */
const SOMEBODY: CallerContext = { agentId: 'main' }

/**
 * Searches snapshots of one store, as `createMemory` does once it is up to date and has the vector of the query: for an
 * index that another process maintains, or that came as a file. Never syncs or calls a provider. With `vector` the
 * nearest chunks of that space are found beside those by words. Rejects with ConfigError for invalid settings and
 * filters.
 */
export function createSearcher(
  options: SearcherOptions = {},
): (snapshot: StoreSnapshot, query: WithoutCaller<SearchQuery>, vector?: QueryVector) => Promise<PipelineReply> {
  const { settings = {}, now = Date.now } = options
  const caches = { cache: new KeywordCache(), chunks: createChunkCache() }
  return async (snapshot, asked, vector) => {
    asked.signal?.throwIfAborted()
    const timeZone = settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    const { query, conditions } = readQuery({ caller: SOMEBODY, ...asked }, { nowMs: now(), timeZone })
    const embedQuery = vector && (async () => vector)
    return searchMemory(snapshot, query, { settings, ...caches, sources: [], conditions, now, embedQuery })
  }
}
