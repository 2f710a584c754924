import { ProviderError } from '@mnemark/spec'
import type { EmbeddingProvider } from '@mnemark/spec'
import { hostOf } from './consent.ts'

/** The result of asking one provider for one vector. */
export interface AskedProvider {
  readonly provider: string
  readonly model: string
  readonly host: string
  readonly ms: number
  /** The length of its vector; null if there was none. */
  readonly dimensions: number | null
  /** Why there was none. */
  readonly problem?: { readonly code: string; readonly message: string }
}

/** Holds nothing of anyone's notes. */
const TEXT = 'mnemark asks for one vector'
const WAIT_MS = 30_000

/** Asks each for one vector, all at once, for a few tokens each. Never rejects. */
export function askProviders(providers: readonly EmbeddingProvider[]): Promise<readonly AskedProvider[]> {
  return Promise.all(providers.map(ask))
}

async function ask(provider: EmbeddingProvider): Promise<AskedProvider> {
  const startedAtMs = performance.now()
  const answer = await vectorOf(provider)
  const { provider: id, model } = provider.space
  return { provider: id, model, host: hostOf(provider), ms: Math.round(performance.now() - startedAtMs), ...answer }
}

async function vectorOf(provider: EmbeddingProvider): Promise<Pick<AskedProvider, 'dimensions' | 'problem'>> {
  const signal = AbortSignal.timeout(WAIT_MS)
  try {
    const { vectors } = await provider.embed({ inputs: [{ type: 'text', text: TEXT }], inputType: 'query', signal })
    return { dimensions: vectors[0]?.length ?? null }
  } catch (error) {
    if (signal.aborted)
      return { dimensions: null, problem: { code: 'unavailable', message: `no answer within ${WAIT_MS / 1000} s` } }
    if (!ProviderError.isInstance(error)) throw error
    return { dimensions: null, problem: { code: error.code, message: error.message } }
  }
}
