import type { CreateMemoryOptions, StoreLevel } from '@mnemark/spec'
import { ConfigError } from '@mnemark/spec'

/** Throws ConfigError `invalid-value` for a store without a level that these options need. */
export function checkStoreLevels({ store, embeddings = [], settings }: CreateMemoryOptions): void {
  const { kind, levels } = store
  const lacks = (level: StoreLevel): boolean => levels !== undefined && !levels.includes(level)
  const refuse = (what: string, next: string): never => {
    throw new ConfigError('invalid-value', `The store ${kind} keeps no ${what} (its levels: ${levels?.join(', ')}). ${next}`)
  }
  for (const level of ['documents', 'keywords'] as const)
    if (lacks(level)) refuse(level, 'A memory needs documents and keywords: use another store, such as @mnemark/store-sqlite.')
  if (lacks('vectors') && embeddings.length > 0)
    refuse('vectors', 'Leave `embeddings` out and it searches by words, or use another store, such as @mnemark/store-sqlite.')
  if (lacks('jobs') && settings?.batch !== undefined)
    refuse(
      'jobs',
      'Leave `settings.batch` out and vectors come by requests, or use another store, such as @mnemark/store-sqlite.',
    )
}
