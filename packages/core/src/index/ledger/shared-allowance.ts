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
  /** Resolves when what was used is written, or could not be. */
  idle(): Promise<void>
}

/** How long to wait for another process that writes; the next request tries again. */
const SAVE_WAIT_MS = 2_000

/**
 * Counts tokens of one kind against a limit of the day, together with other processes on the same store. The count is
 * written after each request and nobody waits for it: an index that cannot be written counts within this process alone.
 */
export function sharedAllowance({ kind, limit, timeZone, now, ...context }: SharedAllowanceOptions): SharedAllowance {
  /** Tokens of this day: those the store is known to have, and those on their way there. */
  const count = { day: '', stored: 0, unsaved: 0 }
  let taken = 0
  let saving: Promise<void> = Promise.resolve()
  const today = (): string => {
    const day = ledgerDay({ nowMs: now(), timeZone })
    if (count.day !== day) Object.assign(count, { day, stored: 0, unsaved: 0 })
    return day
  }
  const save = async (): Promise<void> => {
    const day = today()
    if (count.unsaved === 0) return
    const request = { name: 'write', waitMs: SAVE_WAIT_MS, signal: undefined } as const
    await withLease(context, request, async (lease) => {
      const added = count.unsaved
      const used = (await readTokens(context.store, kind, day)) + added
      await writeTokens(context.store, lease, { kind, day, used })
      if (count.day !== day) return
      count.stored = used
      count.unsaved -= added
    })
  }
  return {
    limit,
    take: async (tokens) => {
      const stored = await readTokens(context.store, kind, today())
      // Nothing is awaited from here on, so that two requests at once do not both take the last of it.
      today()
      count.stored = Math.max(count.stored, stored)
      if (count.stored + count.unsaved + taken + tokens > limit) return false
      taken += tokens
      return true
    },
    settle: (given, used) => {
      taken -= given
      if (used === 0) return
      today()
      count.unsaved += used
      saving = saving.then(save).catch(() => {})
    },
    idle: () => saving,
  }
}
