import type { ProviderErrorCode } from '@mnemark/spec'
import { positive } from './call-effects.ts'

/**
 * Why a call failed: a ProviderError; `space-mismatch` for vectors that do not fit the space of the service;
 * `refuses-most` for a service that refused so many texts that it is at fault.
 */
export interface CallFailure {
  readonly code: ProviderErrorCode | 'space-mismatch' | 'refuses-most'
  readonly message: string
  readonly retryAfterMs?: number | undefined
}
/** Plain JSON, so that the next process continues from it. */
export interface BreakerState {
  /** Time since which every call has failed; null while the service answers. */
  readonly failingSinceMs: number | null
  /** Time before which no call is made; null while the service answers. */
  readonly retryAtMs: number | null
  /** Number of failures in a row. */
  readonly failures: number
  /** The last failure, without any text of notes. */
  readonly cause: Pick<CallFailure, 'code' | 'message'> | null
}
export interface BreakerOptions {
  readonly now?: (() => number) | undefined
  /** Rest after a failure, doubled by each further one. Default 30,000 ms. */
  readonly coolDownMs?: number | undefined
  /** Longest rest. Default 300,000 ms. A service that asks for a longer one gets it, up to a day. */
  readonly longestCoolDownMs?: number | undefined
  readonly restored?: BreakerState | undefined
}
/** Holds back calls to a failing service, and lets one through after a rest. */
export interface CircuitBreaker {
  /** `closed`: calls pass. `open`: none does. `half-open`: after the rest, one trial may pass; reached without a call. */
  readonly phase: 'closed' | 'open' | 'half-open'
  readonly state: BreakerState
  /**
   * Whether a call may be made now; takes the one trial where the breaker is half-open. Each true is followed by one of
   * the three below.
   */
  tryPass(): boolean
  succeeded(): void
  failed(failure: CallFailure): void
  /** The call ended without information about the service: cancelled, say. */
  abandoned(): void
}

/** The service answered, and its error is about the inputs. */
const ABOUT_INPUTS: ReadonlySet<CallFailure['code']> = new Set(['invalid-input', 'input-too-long'])
/** Longest rest in ms, a day: a service that asks for more is tried after it all the same. */
const LONGEST_HINT_MS = 86_400_000
const HEALTHY: BreakerState = { failingSinceMs: null, retryAtMs: null, failures: 0, cause: null }

/** A failed call, after its retries, opens the breaker; a refused input does not, and a cancelled call changes nothing. */
export function circuitBreaker(options: BreakerOptions = {}): CircuitBreaker {
  const { now = Date.now, restored = HEALTHY } = options
  const coolDownMs = positive('coolDownMs', options.coolDownMs ?? 30_000)
  const longestMs = Math.max(coolDownMs, positive('longestCoolDownMs', options.longestCoolDownMs ?? 300_000))
  let state = restored
  let isTrialOut = false
  const phase = (): CircuitBreaker['phase'] => {
    if (state.retryAtMs === null) return 'closed'
    return isTrialOut || now() < state.retryAtMs ? 'open' : 'half-open'
  }
  const succeeded = (): void => {
    isTrialOut = false
    state = HEALTHY
  }
  const abandoned = (): void => {
    isTrialOut = false
  }
  const failed = ({ code, message, retryAfterMs = 0 }: CallFailure): void => {
    isTrialOut = false
    if (code === 'cancelled') return
    if (ABOUT_INPUTS.has(code)) return succeeded()
    const ownMs = Math.min(longestMs, coolDownMs * 2 ** Math.min(state.failures, 30))
    const restMs = Math.max(ownMs, Math.min(retryAfterMs, LONGEST_HINT_MS))
    const nowMs = now()
    state = {
      failingSinceMs: state.failingSinceMs ?? nowMs,
      retryAtMs: nowMs + restMs,
      failures: state.failures + 1,
      cause: { code, message },
    }
  }
  const tryPass = (): boolean => {
    const current = phase()
    if (current === 'half-open') isTrialOut = true
    return current !== 'open'
  }
  return {
    get phase() {
      return phase()
    },
    get state() {
      return state
    },
    tryPass,
    succeeded,
    failed,
    abandoned,
  }
}
