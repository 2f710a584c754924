import type { EmbeddingBatch, EmbeddingInput, EmbeddingProvider, Lease, MemoryStore, MissingInput } from '@mnemark/spec'
import type { CheckedEffects } from '../embed-settings.ts'
import { nameOf } from '../chain/link-name.ts'
import type { CheckedBatchSettings } from './batch-settings.ts'

/** Where the texts of jobs come from. Both read the store as it is then. */
export interface BatchSource {
  /** Inputs that have no vector and are in no open job, each once, in a fixed order. */
  missing(): AsyncIterable<MissingInput & { readonly input: EmbeddingInput }>
  /** The same inputs once more; one whose text is gone is left out. */
  read(inputs: readonly MissingInput[]): AsyncIterable<{ readonly hash: string; readonly input: EmbeddingInput }>
}

/** The part of a store that jobs are kept in. */
export type JobStore = Pick<MemoryStore, 'jobs' | 'putVectors'>

/** What every step of a run needs. */
export interface BatchContext {
  readonly provider: EmbeddingProvider
  readonly batch: EmbeddingBatch
  readonly fingerprint: string
  readonly store: JobStore
  /** `vectors`, kept alive by whoever holds it. */
  readonly lease: Lease
  readonly settings: CheckedBatchSettings
  readonly effects: CheckedEffects
  readonly signal: AbortSignal | undefined
  /** When waiting ends. */
  readonly deadlineMs: number
  /** True = no more waiting, and nothing new. */
  readonly isStopping: () => boolean
}

/** Whether there is time to wait so long. */
export function hasTimeFor({ effects, deadlineMs }: BatchContext, waitMs: number): boolean {
  return effects.now() + waitMs <= deadlineMs
}

export const label = ({ provider }: Pick<BatchContext, 'provider'>): string => nameOf(provider)
