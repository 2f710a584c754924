import type { Settings } from '../config/load-settings.ts'
import { sessionsHealth } from '../operations/sessions/sessions-health.ts'
import type { Check } from './check.ts'

/** Transcripts of the agent; nothing where there are none. With `isFixing`, old ones are removed by the rules of maintenance. */
export async function checkConversations(
  settings: Settings,
  { isFixing, fixed }: { readonly isFixing: boolean; readonly fixed: string[] },
): Promise<readonly Check[]> {
  const { sessions, problems, damaged, prune } = await sessionsHealth(settings, { isFixing })
  if (sessions === 0) return []
  const { removed, bytes, isDryRun } = prune
  if (removed.length > 0 && !isDryRun) fixed.push(`${removed.length} old transcripts (${bytes} bytes) were removed`)
  const faults = [
    ...problems.map(({ message }) => message),
    ...(damaged.length === 0 ? [] : [`${damaged.length} transcripts have lines that cannot be read or placed`]),
    ...(removed.length === 0 || !isDryRun ? [] : [`${removed.length} old ones may go by the rules of maintenance`]),
  ]
  const message = [`${sessions} transcripts`, ...faults].join('; ')
  if (faults.length === 0) return [{ name: 'sessions', status: 'ok', message }]
  return [{ name: 'sessions', status: 'warning', message, next: 'mnemark sessions doctor names each; --fix removes old ones.' }]
}
