import { dayInZone, type Lease, type MemoryStore } from '@mnemark/spec'

/** The purpose for which tokens were sent. */
export type TokenKind = 'embeddings' | 'generate' | 'rerank'

/** A setting of the store for each kind, since their writers hold different leases; the first one's name is older than the others. */
const SETTINGS: Readonly<Record<TokenKind, string>> = {
  embeddings: 'embedding.tokens',
  generate: 'generate.tokens',
  rerank: 'rerank.tokens',
}

export interface LedgerDay {
  readonly nowMs: number
  /** IANA name; undefined = the system's. */
  readonly timeZone: string | undefined
}

/** The calendar day that tokens count for. */
export function ledgerDay({ nowMs, timeZone }: LedgerDay): string {
  return dayInZone(nowMs, timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
}

/** Tokens of one kind that were sent on this day. */
export async function readTokens(store: MemoryStore, kind: TokenKind, day: string): Promise<number> {
  const text = await store.settings.get(SETTINGS[kind])
  // Only `writeTokens` writes this setting.
  const known: { readonly day: string; readonly used: number } | undefined = text === undefined ? undefined : JSON.parse(text)
  return known?.day === day ? known.used : 0
}

export async function writeTokens(
  store: MemoryStore,
  lease: Lease,
  entry: { readonly kind: TokenKind; readonly day: string; readonly used: number },
): Promise<void> {
  await store.settings.set(lease, SETTINGS[entry.kind], JSON.stringify({ day: entry.day, used: entry.used }))
}

/** Tokens that were sent today, by kind; only those that count against a limit are counted. */
export async function tokensToday(store: MemoryStore, when: LedgerDay): Promise<Readonly<Record<TokenKind, number>>> {
  const day = ledgerDay(when)
  const [embeddings, generate, rerank] = await Promise.all([
    readTokens(store, 'embeddings', day),
    readTokens(store, 'generate', day),
    readTokens(store, 'rerank', day),
  ])
  return { embeddings, generate, rerank }
}
