import type { TokenAllowance } from '../../calls/token-allowance.ts'
import { type LeaseContext, withLease } from '../with-lease.ts'
import { ledgerDay, readTokens, type TokenKind, writeTokens } from './token-ledger.ts'

export interface SharedAllowanceOptions extends LeaseContext {
  readonly kind: Exclude<TokenKind, 'embeddings'>
  /** Most tokens of a day. */
  readonly limit: number
  /** IANA name; undefined = the system's. */
  readonly timeZone?: string | undefined
  readonly now: () => number
}

/** An allowance whose count is written behind the callers' backs. */
export interface SharedAllowance extends TokenAllowance {
  /** Resolves when what was recorded is written, or could not be. */
  idle(): Promise<void>
}

/** How long to wait for another process that writes; the next record tries again. */
const SAVE_WAIT_MS = 2_000

/**
 * Counts tokens of one kind against a limit of the day, together with other processes on the same store. The count is
 * written after the call and nobody waits for it: an index that cannot be written counts within this process alone.
 */
export function sharedAllowance({ kind, limit, timeZone, now, ...context }: SharedAllowanceOptions): SharedAllowance {
  const unsaved = { day: '', tokens: 0 }
  let saving: Promise<void> = Promise.resolve()
  const today = (): string => {
    const day = ledgerDay({ nowMs: now(), timeZone })
    if (unsaved.day !== day) Object.assign(unsaved, { day, tokens: 0 })
    return day
  }
  const save = async (): Promise<void> => {
    const day = today()
    if (unsaved.tokens === 0) return
    const request = { name: 'write', waitMs: SAVE_WAIT_MS, signal: undefined } as const
    await withLease(context, request, async (lease) => {
      const added = unsaved.tokens
      const used = (await readTokens(context.store, kind, day)) + added
      await writeTokens(context.store, lease, { kind, day, used })
      if (unsaved.day === day) unsaved.tokens -= added
    })
  }
  return {
    limit,
    allows: async (tokens) => {
      const day = today()
      const used = await readTokens(context.store, kind, day)
      return used + unsaved.tokens + tokens <= limit
    },
    record: (tokens) => {
      today()
      unsaved.tokens += tokens
      saving = saving.then(save).catch(() => {})
    },
    idle: () => saving,
  }
}
