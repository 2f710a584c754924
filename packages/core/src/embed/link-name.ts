import type { EmbeddingProvider } from '@mnemark/spec'

/** A provider as shown to people. */
export function nameOf({ space }: Pick<EmbeddingProvider, 'space'>): string {
  return `${space.provider} (${space.model})`
}
