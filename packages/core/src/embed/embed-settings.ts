import type { EmbeddingProvider, InputType } from '@mnemark/spec'
import { positive } from '../calls/call-effects.ts'

/** Milliseconds one attempt may take. */
export interface EmbedTimeouts {
  /** Default 60,000, or 300,000 for a local provider. */
  readonly queryMs?: number | undefined
  /** Default 120,000, or 600,000 for a local provider. */
  readonly documentMs?: number | undefined
}

const TIMEOUT_MS = { query: { remote: 60_000, local: 300_000 }, document: { remote: 120_000, local: 600_000 } }

export function timeoutMsFor(
  provider: Pick<EmbeddingProvider, 'traits'>,
  inputType: InputType,
  timeouts: EmbedTimeouts = {},
): number {
  const own = inputType === 'query' ? timeouts.queryMs : timeouts.documentMs
  return positive('timeouts', own ?? TIMEOUT_MS[inputType][provider.traits.isLocal ? 'local' : 'remote'])
}
