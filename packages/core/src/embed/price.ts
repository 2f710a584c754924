import type { EmbeddingProvider } from '@mnemark/spec'

/** US dollars for so many tokens, `factor` times the list price; undefined where the provider names no price, and on this machine. */
export function usdFor({ traits }: Pick<EmbeddingProvider, 'traits'>, tokens: number, factor = 1): number | undefined {
  const { isLocal, usdPerMillionTokens } = traits
  return usdPerMillionTokens === undefined || isLocal ? undefined : (tokens * usdPerMillionTokens * factor) / 1_000_000
}
