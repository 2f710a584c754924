import type {
  CallOptions,
  EmbeddingBatch,
  EmbeddingInput,
  EmbeddingProvider,
  Lease,
  MemoryStore,
  MissingInput,
} from '@mnemark/spec'
import type { CallEffects, CheckedEffects } from '../../calls/call-effects.ts'
import { nameOf } from '../chain/link-name.ts'
import type { BatchProgress } from './batch-report.ts'
import type { BatchSettings, CheckedBatchSettings } from './batch-settings.ts'

/** Source of the texts of jobs. Both methods read the current state of the store. */
export interface BatchSource {
  /** Inputs that have no vector and are in no open job, each once, in a fixed order. */
  missing(): AsyncIterable<MissingInput & { readonly input: EmbeddingInput }>
  /** Reads the same inputs again; an input whose text is gone is left out. */
  read(inputs: readonly MissingInput[]): AsyncIterable<{ readonly hash: string; readonly input: EmbeddingInput }>
}

export type JobStore = Pick<MemoryStore, 'jobs' | 'putVectors'>

export interface RunBatchesOptions extends CallOptions, CallEffects {
  /** With a `batch`. */
  readonly provider: EmbeddingProvider
  readonly store: JobStore
  /** `vectors`, kept alive by whoever holds it. */
  readonly lease: Lease
  readonly settings?: BatchSettings | undefined
  readonly source: BatchSource
  /** False = no new jobs; those that are there are carried on. Default true. */
  readonly isSubmitting?: boolean | undefined
  /** True = no new jobs from now on, and no more waiting. */
  readonly isStopping?: (() => boolean) | undefined
  /** Whether so many tokens may still be sent besides those that `onSubmitted` was told of. The first text too many ends the new jobs. */
  readonly admits?: ((tokens: number) => boolean) | undefined
  /** Awaited for each job when the service has taken it. */
  readonly onSubmitted?: ((tokens: number) => Promise<void>) | undefined
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined
}

/** Shared by every step of a run. */
export interface BatchContext {
  readonly provider: EmbeddingProvider
  readonly batch: EmbeddingBatch
  readonly fingerprint: string
  readonly store: JobStore
  /** The `vectors` lease, kept alive by the caller. */
  readonly lease: Lease
  readonly settings: CheckedBatchSettings
  readonly effects: CheckedEffects
  readonly signal: AbortSignal | undefined
  /** Time at which waiting ends. */
  readonly deadlineMs: number
  /** Once true, the run waits no longer and starts nothing new. */
  readonly isStopping: () => boolean
}

/** Whether a wait of this length ends before the deadline. */
export function hasTimeFor({ effects, deadlineMs }: BatchContext, waitMs: number): boolean {
  return effects.now() + waitMs <= deadlineMs
}

export const label = ({ provider }: Pick<BatchContext, 'provider'>): string => nameOf(provider)
