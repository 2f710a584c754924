import type { CallerContext, CreateMemoryOptions, IndexViews, Memory, MemoryBackend } from '@mnemark/spec'
import { validateChunkSettings } from '../chunk/chunk-settings.ts'
import type { KeywordTuning } from '../keywords/query/keyword-tuning.ts'
import { searchSettings } from '../search/search-settings.ts'
import { checkStoreLevels } from './check-store-levels.ts'
import { composeMemory } from './compose.ts'
import { BuiltInMemory } from './engine.ts'
import { refuseUnknownOptions } from './known-names.ts'

/**
 * A memory over a store and a workspace. Does no I/O; the first search or sync does. Closing it closes the store, and
 * everything in `closes`. With `caller` given here, queries and requests need none. Throws RangeError or TypeError for
 * chunk settings that cannot work, ConfigError for other settings, for options it does not know and parts that are
 * missing, ProviderError for an invalid embedding provider or reranker.
 */
export async function createMemory(options: CreateMemoryOptions & { readonly caller: CallerContext }): Promise<Memory>
export async function createMemory(options: CreateMemoryOptions): Promise<MemoryBackend & IndexViews & AsyncDisposable>
export async function createMemory(options: CreateMemoryOptions): Promise<Memory> {
  return createTunedMemory(options, undefined)
}

/** As `createMemory`, with given keyword weights instead of the measured ones: for measuring them. */
export async function createTunedMemory(options: CreateMemoryOptions, tuning: KeywordTuning | undefined): Promise<Memory> {
  await refuseUnknownOptions(options)
  const parts = composeMemory(options)
  const { chunkTokens, chunkOverlap } = parts.settings ?? {}
  const chunking = validateChunkSettings({
    ...(chunkTokens !== undefined && { tokens: chunkTokens }),
    ...(chunkOverlap !== undefined && { overlap: chunkOverlap }),
  })
  searchSettings({}, parts.settings ?? {})
  checkStoreLevels(parts)
  if (parts.reranker !== undefined) (await import('../rerank/guard-reranker.ts')).requireReranker(parts.reranker)
  return new BuiltInMemory(parts, chunking, tuning)
}
