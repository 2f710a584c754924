import type { CallOptions, InputType, ProviderError } from '@mnemark/spec'
import type { CallEffects } from '../calls/call-effects.ts'
import type { EmbedTimeouts } from './embed-settings.ts'
import type { Overlong } from './input/prepare-input.ts'
import type { LearntLimits } from './request/refusals.ts'

export interface EmbedOptions extends CallOptions, CallEffects {
  readonly inputType: InputType
  /** Requests in flight at most. Default: the provider's `limits.concurrency`. */
  readonly concurrency?: number | undefined
  /** False = one input a request. Default true. */
  readonly isGrouped?: boolean | undefined
  /** A text over the limit is sent in pieces (`split`, the default), or its beginning alone (`cut`). */
  readonly overlong?: Overlong | undefined
  readonly timeouts?: EmbedTimeouts | undefined
  /** Tries of one request in all. Default 6. */
  readonly attempts?: number | undefined
  /** How long one request is tried, waits included. Default 900,000 ms. */
  readonly totalMs?: number | undefined
  /** No single wait is longer; a service that asks for more ends the run. Default 120,000 ms. */
  readonly longestWaitMs?: number | undefined
  /** Called after every request that brought something. */
  readonly onProgress?: ((progress: EmbedProgress) => void) | undefined
}

export interface EmbedProgress {
  /** Inputs with a vector (or null). */
  readonly embedded: number
  readonly failed: number
  /** Sent so far, repeated ones too. */
  readonly requests: number
  /** Tokens that were embedded, as the provider counts, else estimated. */
  readonly tokens: number
}

export interface EmbedSummary extends EmbedProgress {
  /** As reported by the service; absent where it reports none. `isComplete` is false where only some answers had it. */
  readonly usage?: { readonly inputTokens: number; readonly isComplete: boolean }
  /** Limits of the service that turned out lower than the provider says. */
  readonly learnt: LearntLimits
  /** Why the run ended early; inputs without a result were not reached. */
  readonly stoppedBy?: ProviderError
}
