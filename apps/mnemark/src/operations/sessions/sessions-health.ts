import { existsSync } from 'node:fs'
import type { PruneReport, SessionProblem, TranscriptFaults } from '@mnemark/sessions'
import type { Settings } from '../../config/load-settings.ts'
import { sessionsFolder } from './open-agent-sessions.ts'

export interface SessionsHealth {
  /** Transcripts there are. */
  readonly sessions: number
  readonly problems: readonly SessionProblem[]
  /** Transcripts with lines that cannot be read or placed; the rest of them is read as ever. */
  readonly damaged: readonly (TranscriptFaults & { readonly id: string })[]
  /** Removed by the rules of maintenance, or what would be. */
  readonly prune: PruneReport
}

/** Reads every transcript of the agent. Makes no folder where there is none. */
export async function sessionsHealth(settings: Settings, { isFixing }: { readonly isFixing: boolean }): Promise<SessionsHealth> {
  const folder = sessionsFolder(settings)
  if (!existsSync(folder))
    return { sessions: 0, problems: [], damaged: [], prune: { removed: [], bytes: 0, isDryRun: !isFixing } }
  const { openSessions } = await import('@mnemark/sessions')
  const { maintenance, reset, compaction } = settings.sessions
  await using sessions = await openSessions({ folder, agent: settings.agentId, maintenance, reset, compaction })
  const damaged: (TranscriptFaults & { readonly id: string })[] = []
  const records = sessions.list()
  for (const { id } of records) {
    const faults = await sessions.faults(id)
    if (Object.values(faults).some((count) => count > 0)) damaged.push({ id, ...faults })
  }
  const prune = sessions.prune({ dryRun: !isFixing })
  return { sessions: records.length, problems: sessions.problems, damaged, prune }
}
