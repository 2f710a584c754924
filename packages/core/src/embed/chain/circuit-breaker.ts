import type { ProviderErrorCode } from '@mnemark/spec'
import { positive } from '../embed-settings.ts'

/**
 * Why a call failed: a ProviderError; `space-mismatch` for vectors that the space of the service cannot take; `refuses-most` for a
 * service that refused so many texts that the fault is its own.
 */
export interface CallFailure {
  readonly code: ProviderErrorCode | 'space-mismatch' | 'refuses-most'
  readonly message: string
  readonly retryAfterMs?: number | undefined
}
/** Plain JSON, so that the next process goes on where this one stood. */
export interface BreakerState {
  /** Since when every call has failed; null while the service answers. */
  readonly failingSinceMs: number | null
  /** No call before; null while the service answers. */
  readonly retryAtMs: number | null
  /** Failures in a row. */
  readonly failures: number
  /** What the last failure was, without any text of notes. */
  readonly cause: Pick<CallFailure, 'code' | 'message'> | null
}
export interface BreakerOptions {
  readonly now?: (() => number) | undefined
  /** Rest after a failure; doubled by each further one. Default 30,000 ms. */
  readonly coolDownMs?: number | undefined
  /** Longest rest of its own accord. Default 300,000 ms. A service that asks for more gets it, up to a day. */
  readonly longestCoolDownMs?: number | undefined
  readonly restored?: BreakerState | undefined
}
/** Keeps calls from a service that fails, and lets one through when it has rested. */
export interface CircuitBreaker {
  /** `closed`: calls go through. `open`: none does. `half-open`: rested, one trial may be made; becomes so by itself. */
  readonly phase: 'closed' | 'open' | 'half-open'
  readonly state: BreakerState
  /** Whether a call may be made now; takes the one trial where the breaker is half-open. Each true is followed by one of the three below. */
  tryPass(): boolean
  succeeded(): void
  failed(failure: CallFailure): void
  /** The call ended without saying anything about the service: cancelled, say. */
  abandoned(): void
}

/** The service answered, and what it said is about the inputs. */
const ABOUT_INPUTS: ReadonlySet<CallFailure['code']> = new Set(['invalid-input', 'input-too-long'])
/** A service that asks for a longer rest is tried all the same. */
const LONGEST_HINT_MS = 86_400_000
const HEALTHY: BreakerState = { failingSinceMs: null, retryAtMs: null, failures: 0, cause: null }

/** A failed call, after its own repetitions, opens the breaker; a refused input does not, and a cancelled call says nothing. */
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
