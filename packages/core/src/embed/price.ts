import type { EmbeddingProvider } from '@mnemark/spec'

/** US dollars for `tokens`, `factor` times the list price; undefined where the provider states no price, and for a local one. */
export function usdFor({ traits }: Pick<EmbeddingProvider, 'traits'>, tokens: number, factor = 1): number | undefined {
  const { isLocal, usdPerMillionTokens } = traits
  return usdPerMillionTokens === undefined || isLocal ? undefined : (tokens * usdPerMillionTokens * factor) / 1_000_000
}
