import type { CallOptions, Degradation, MemorySettings, SyncProgress } from '@mnemark/spec'
import type { ChainLink } from '../../embed/chain/chain.ts'
import type { LeaseContext } from '../with-lease.ts'
import type { MayEmbed } from './missing-inputs.ts'

export interface FillContext extends LeaseContext {
  readonly links: readonly ChainLink[]
  readonly settings: MemorySettings
  readonly mayEmbed?: MayEmbed | undefined
  readonly now: () => number
}

export interface FillOptions extends CallOptions {
  /** Inputs at most; default: all that are missing. */
  readonly limit?: number | undefined
  /** Also those that were refused before. */
  readonly retryFailed?: boolean | undefined
  /** True = documents go to the next link at once where one fails. */
  readonly isUrgent?: boolean | undefined
  /** A space that is filled in any case, whose turn it may be or not. */
  readonly space?: string | undefined
  /** True = a few texts of which someone waits: they make no batch job, and jobs that are there are looked at once. */
  readonly isHasty?: boolean | undefined
  /** How long another process that embeds is waited for. */
  readonly waitMs: number
  /** Tries of one request in all. */
  readonly attempts?: number | undefined
  /** True = nothing more is sent; what is on its way is kept. */
  readonly isStopping?: (() => boolean) | undefined
  readonly onProgress?: ((event: SyncProgress) => void) | undefined
}

export interface FillReport {
  /** Sent for documents, as the provider counts, else estimated. */
  readonly tokens: number
  /** Undefined where a provider that was asked has no price. */
  readonly usd: number | undefined
  readonly degraded: readonly Degradation[]
  /** Problems that were dealt with on the way. */
  readonly notes: readonly string[]
  /** When something of what is missing may be sent; undefined where the next sync may, or nothing is. */
  readonly retryAtMs?: number | undefined
}
