import { ConfigError, dayInZone } from '@mnemark/spec'
import { isAbsolute } from 'node:path'
import type { SummaryWriter } from '../compaction/summarise.ts'
import type { Redact } from '../context/labelled-text.ts'
import type { FlushNotes } from '../flush/flush-to-notes.ts'
import { type CompactionSettings, limitsOf } from '../tokens/limits.ts'
import type { SessionProblem } from '../folder/sessions-folder.ts'
import { checkMaintenance, type MaintenancePolicy, type PruneReport } from '../folder/prune.ts'
import type { Excerpt } from '../lifecycle/excerpt.ts'
import { checkResetPolicy, type ResetPolicy, type ResetReason } from '../lifecycle/reset-policy.ts'

/** When appended bytes must be on the disk: after each append, at most a second later and on close, or when the system likes. A killed process loses nothing by any of them; a power cut may. */
export type SyncPolicy = 'always' | 'interval' | 'never'

/** A session is about to give way to a new one. Nothing has moved yet. */
export interface ResetEvent {
  readonly key: string
  readonly sessionId: string
  readonly reason: ResetReason
  /** The last things said in this very session; null where nothing was. */
  readonly excerpt: Excerpt | null
  /** The user's day of the last message of a person, else of now: where a note about it belongs. */
  readonly day: string
}

export interface SessionsOptions {
  /** Absolute; made where it is missing, for its owner alone. `<user state>/agents/<id>/sessions` by custom. */
  readonly folder: string
  /** The agent whose sessions these are. Default: `main`. */
  readonly agent?: string
  /** IANA name of the user's zone. Default: the system's. */
  readonly timeZone?: string
  readonly compaction?: CompactionSettings
  /** Writes summaries and flushes; without one nothing is compacted. */
  readonly generator?: SummaryWriter
  /** Where a flush writes: a `Workspace`. Null or absent: read-only or none, and each flush is recorded as skipped. */
  readonly notes?: FlushNotes | null
  /** Hides secrets from the generator; it is given whole messages. */
  readonly redact?: Redact
  /** Default: daily at 04:00. */
  readonly reset?: ResetPolicy
  readonly maintenance?: MaintenancePolicy
  /** Default: `interval`. */
  readonly fsync?: SyncPolicy
  /** Called before a session gives way; what it throws ends the reset, and nothing has changed. */
  readonly onReset?: (event: ResetEvent) => Promise<void> | void
  /** Given what a clean-up removed, or with the mode `warn` would have, where that is anything. */
  readonly onPrune?: (report: PruneReport) => void
  /** Called once for each fault that was dealt with; `problems` of the sessions keeps them too. */
  readonly onProblem?: (problem: SessionProblem) => void
  /** In ms since 1970. Default: the system's clock. */
  readonly now?: () => number
}

/** @throws ConfigError `invalid-value` naming the option */
export function checkSessionsOptions({ folder, timeZone, reset, maintenance, fsync, compaction }: SessionsOptions): void {
  if (!isAbsolute(folder)) throw new ConfigError('invalid-value', `folder: expected an absolute path, got ${folder}`)
  if (timeZone !== undefined) dayInZone(0, timeZone)
  if (fsync !== undefined && !['always', 'interval', 'never'].includes(fsync)) {
    throw new ConfigError('invalid-value', `fsync: expected always, interval or never, got ${String(fsync)}`)
  }
  // The window is that of each request; any will do to check the rest.
  limitsOf(100_000, compaction)
  checkResetPolicy(reset ?? {})
  checkMaintenance(maintenance ?? {})
}
