import type { EmbeddingProvider, MemoryStore } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'

/** What was answered when notes were to be sent to a host that nobody had named. */
export type Consent = 'allowed' | 'refused'

const LEASE_WAIT_MS = 30_000

const settingOf = (host: string): string => `consent.${host}`

export function hostOf({ space }: EmbeddingProvider): string {
  return space.endpoint === null ? space.provider : new URL(space.endpoint).host
}

/** Undefined where nobody has been asked. */
export async function recordedConsent(store: MemoryStore, host: string): Promise<Consent | undefined> {
  const value = await store.settings.get(settingOf(host))
  return value === 'allowed' || value === 'refused' ? value : undefined
}

/** Kept with the index: the question is not put again. Rejects with StoreError where it cannot be kept. */
export async function recordConsent(store: MemoryStore, host: string, consent: Consent): Promise<void> {
  const lease = await store.acquireLease('write', { signal: AbortSignal.timeout(LEASE_WAIT_MS) })
  if (lease === null) throw new StoreError('lease-held', 'The answer could not be kept: another process writes to the index.')
  try {
    await store.settings.set(lease, settingOf(host), consent)
  } finally {
    await lease.release()
  }
}
