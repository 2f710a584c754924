import type { EmbeddingLimits, Modality } from '@mnemark/spec'
import { SECRET } from '../service-suite/service-target.ts'
import { type EmbeddingProviderTarget } from './provider-target.ts'

/** A provider's description of itself when made by the suite, for tables of providers. Plain JSON. */
export interface ProviderDescription {
  readonly transport: EmbeddingProviderTarget['transport']
  readonly inputTypes: 'symmetric' | 'distinct'
  readonly model: string
  readonly limits: EmbeddingLimits
  readonly modalities: readonly Modality[]
  readonly hasBatch: boolean
}

/** Makes a provider of the target and describes it; nothing is sent. */
export async function describeTarget(target: EmbeddingProviderTarget): Promise<ProviderDescription> {
  const wire = target.transport === 'in-process' ? undefined : typeof target.wire === 'function' ? target.wire() : target.wire
  // No server listens there, and constructors make no request.
  const baseUrl = `http://127.0.0.1:1${wire?.basePath ?? ''}`
  const provider = target.create({ baseUrl, fetch: globalThis.fetch, apiKey: SECRET, set: {} })
  const { space, limits, modalities, batch } = provider
  await provider.close?.()
  return {
    transport: target.transport,
    inputTypes: target.transport === 'in-process' ? target.inputTypes : (wire?.inputTypes ?? 'symmetric'),
    model: space.model,
    limits,
    modalities,
    hasBatch: batch !== undefined,
  }
}
