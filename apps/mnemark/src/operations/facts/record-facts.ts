import type { FactRegistry } from '@mnemark/bank'
import type { MemoryStore, SyncReport } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'
import { readJournal, recordFacts } from './journal-files.ts'

/**
 * Notes in the journal which facts are known by now, after a sync. Nothing is written for a workspace without facts, nor looked at where the sync changed nothing.
 * Rejects with WorkspaceError `unreadable` where the journal cannot be written.
 */
export async function recordKnownFacts(
  store: MemoryStore,
  settings: Pick<Settings, 'workspace' | 'stateFolder'>,
  { report, registry }: { readonly report: Pick<SyncReport, 'indexed'>; readonly registry?: FactRegistry | undefined },
): Promise<void> {
  if (report.indexed === 0 && !(await readJournal(settings)).isEmpty) return
  const { FactRegistry: Registry } = await import('@mnemark/bank')
  // The index as the sync left it: a view of it would begin another one.
  const snapshot = await store.snapshot()
  try {
    const { facts } = await (registry ?? new Registry()).read(snapshot)
    await recordFacts(
      settings,
      facts.map(({ id }) => id),
      { nowMs: Date.now(), by: 'rule' },
    )
  } finally {
    snapshot.release()
  }
}
