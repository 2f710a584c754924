import { measuredContext, type SessionMessage } from '../transcript/entry.ts'
import { type CountTokens, estimateMessage } from './estimate-message.ts'

export interface ContextSize {
  /** Tokens of the next request without its new system prompt and tools, unless a measured request tells them too. Never above the window. */
  readonly tokens: number
  /** Whether a service reported the size of a request since the last compaction; only what came after is estimated then. */
  readonly isMeasured: boolean
  /** The estimate is multiplied by this for the model, 0.5 to 2. */
  readonly correction: number
}

/** One message of a context, light enough for the whole of a long conversation. */
export interface Weight {
  /** Estimated, not corrected. */
  readonly tokens: number
  /** Tokens of the request up to and with this message, as the service reported them; null where it did not. */
  readonly measured: number | null
}

const LEAST_CORRECTION = 0.5
const MOST_CORRECTION = 2
/** Fewer estimated tokens than this prove nothing. */
const MIN_EVIDENCE = 200
/** Later turns count; the reporting of a service may change. */
const TURNS = 8

export function weigh(message: SessionMessage, count?: CountTokens): Weight {
  return { tokens: estimateMessage(message, count), measured: measuredContext(message) }
}

/** The size of a context of these messages behind a summary of `summaryTokens`. */
export function contextSize(
  weights: readonly Weight[],
  { window, summaryTokens = 0 }: { readonly window?: number; readonly summaryTokens?: number },
): ContextSize {
  const correction = correctionOf(weights, window)
  const last = weights.findLastIndex(({ measured }) => isPossible(measured, window))
  const rest = weights.slice(last + 1).reduce((sum, { tokens }) => sum + tokens, last === -1 ? summaryTokens : 0)
  const tokens = Math.ceil((last === -1 ? 0 : weights[last]!.measured!) + rest * correction)
  return { tokens: Math.min(tokens, window ?? tokens), isMeasured: last !== -1, correction }
}

/** A figure above the window was summed over several requests, or is wrong. */
function isPossible(measured: number | null, window: number | undefined): boolean {
  return measured !== null && (window === undefined || measured <= window)
}

/**
 * Reported to estimated tokens of what came between two measured requests. System prompt and tools are in both, so they fall out.
 */
export function correctionOf(weights: readonly Weight[], window?: number): number {
  const turns: { reported: number; estimated: number }[] = []
  let before: number | null = null
  let estimated = 0
  for (const { tokens, measured } of weights) {
    estimated += tokens
    if (measured === null || !isPossible(measured, window)) continue
    if (before !== null && measured > before) turns.push({ reported: measured - before, estimated })
    before = measured
    estimated = 0
  }
  const last = turns.slice(-TURNS)
  const sum = last.reduce(
    (all, turn) => ({ reported: all.reported + turn.reported, estimated: all.estimated + turn.estimated }),
    {
      reported: 0,
      estimated: 0,
    },
  )
  if (sum.estimated < MIN_EVIDENCE) return 1
  return Math.min(MOST_CORRECTION, Math.max(LEAST_CORRECTION, sum.reported / sum.estimated))
}
