import type { EmbeddingProvider } from '@mnemark/spec'

/** Name of a provider as shown to people. */
export function nameOf({ space }: Pick<EmbeddingProvider, 'space'>): string {
  return `${space.provider} (${space.model})`
}

/** Message for vectors whose length differs from those of their space, which are the only ones they may be compared with. */
export function pausedMessage({ space }: Pick<EmbeddingProvider, 'space'>, cause: string): string {
  const { provider, model } = space
  return `the vectors of ${nameOf({ space })} are paused: ${cause} Set another model or size, or pay for all of them again (\`reEmbed: '${provider}/${model}'\`).`
}
