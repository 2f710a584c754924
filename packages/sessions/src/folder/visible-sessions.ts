import { readSessionKey } from '../lifecycle/session-key.ts'
import type { SessionRecord } from './record.ts'

/**
 * The sessions that one session may see. `self`: its own key. `tree`: also those it started, and those they started. `agent`: also the agent's groups,
 * channels, jobs and hooks, but no direct chat with another person. `all`: every one of the folder.
 */
export type SessionVisibility = 'self' | 'tree' | 'agent' | 'all'

/** The transcripts among `records` that the session of `key` may see, in their order. */
export function visibleSessions(
  records: readonly SessionRecord[],
  key: string,
  visibility: SessionVisibility,
): readonly SessionRecord[] {
  if (visibility === 'all') return records
  const own = records.filter((record) => record.key === key)
  if (visibility === 'self') return own
  const seen = treeOf(own, records)
  if (visibility === 'agent') {
    const { agent } = readSessionKey(key)
    for (const record of records) if (record.agent === agent && isShared(record)) seen.add(record)
  }
  return records.filter((record) => seen.has(record))
}

/** By each transcript's own first line: one key may have been started by several. */
function treeOf(own: readonly SessionRecord[], records: readonly SessionRecord[]): Set<SessionRecord> {
  const seen = new Set(own)
  const startedBy = Map.groupBy(records, ({ spawnedBy }) => spawnedBy)
  // A set is walked to the end of what is added meanwhile, and holds each once, also where sessions started each other.
  for (const { key } of seen) {
    if (key !== null) for (const started of startedBy.get(key) ?? []) seen.add(started)
  }
  return seen
}

const SHARED_WORDS = ['group', 'channel', 'room']

/** True for what is said in front of several people, or by machinery; the key has the last word, since a thread may be one of a direct chat. */
function isShared({ key, spawnedBy }: SessionRecord): boolean {
  if (key === null || spawnedBy !== null) return false
  const { kind, chatType } = readSessionKey(key)
  if (kind === 'cron' || kind === 'hook') return true
  const parts = key.split(':')
  if (parts.some((part) => part === 'direct' || part === 'dm')) return false
  return kind === 'chat' && chatType !== 'direct' && parts.some((part) => SHARED_WORDS.includes(part))
}
