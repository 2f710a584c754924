import { rmSync, readdirSync, statSync } from 'node:fs'
import { ConfigError } from '@mnemark/spec'
import { readSessionKey } from '../lifecycle/session-key.ts'
import type { SessionRecord } from './record.ts'
import type { SessionsFolder } from './sessions-folder.ts'

/** Limits beyond which sessions are removed for good. */
export interface MaintenancePolicy {
  /** `warn`: nothing is removed, only reported. Default: `enforce`. */
  readonly mode?: 'enforce' | 'warn'
  /** Age of the last write: `30d`, `8w`, `6m`; 0 or false = never. Default: `30d`. */
  readonly pruneAfter?: string | 0 | false
  /** Active sessions kept. Default: any number. */
  readonly maxEntries?: number | false
  /** Bytes of all transcripts; when over, the oldest go until `lowWater` of it is left. Default: no limit. */
  readonly diskBudget?: number | false
  /** Share of the budget, above 0 to 1. Default: 0.8. */
  readonly lowWater?: number
}

export interface PruneReport {
  readonly removed: readonly { readonly id: string; readonly key: string | null; readonly why: 'age' | 'entries' | 'budget' }[]
  /** Bytes of the transcripts that were removed. */
  readonly bytes: number
  /** True where `warn` or a dry run kept what is listed. */
  readonly isDryRun: boolean
}

const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30 }
const DAY_MS = 86_400_000
/** Another process may be about to give such a file its name. */
const TEMPORARY_MS = 300_000

/** @throws ConfigError `invalid-value` */
export function checkMaintenance({ pruneAfter, maxEntries, diskBudget, lowWater }: MaintenancePolicy): void {
  ageOf(pruneAfter)
  for (const [name, count] of [
    ['maxEntries', maxEntries],
    ['diskBudget', diskBudget],
  ] as const) {
    if (count !== undefined && count !== false && !(Number.isSafeInteger(count) && count > 0)) {
      throw new ConfigError(
        'invalid-value',
        `maintenance.${name}: expected a whole number above 0, or false, got ${String(count)}`,
      )
    }
  }
  if (lowWater !== undefined && !(lowWater > 0 && lowWater <= 1)) {
    throw new ConfigError('invalid-value', `maintenance.lowWater: expected a share above 0, at most 1, got ${String(lowWater)}`)
  }
}

function ageOf(pruneAfter: MaintenancePolicy['pruneAfter'] = '30d'): number {
  if (pruneAfter === 0 || pruneAfter === false) return Number.POSITIVE_INFINITY
  const match = /^([1-9]\d{0,4})([dwm])$/u.exec(pruneAfter)
  if (match === null) {
    const got = String(pruneAfter)
    throw new ConfigError('invalid-value', `maintenance.pruneAfter: expected 30d, 8w, 6m, 0 or false, got ${got}`)
  }
  return Number(match[1]) * DAYS[match[2]!]! * DAY_MS
}

/**
 * Removes old transcripts. Under pressure archives go first, oldest first, then the oldest sessions. Never: the agent's main session, pinned
 * sessions, those of groups, channels and threads, and those in `open`.
 */
export function pruneSessions(
  folder: SessionsFolder,
  policy: MaintenancePolicy,
  { open, dryRun = false }: { readonly open: ReadonlySet<string>; readonly dryRun?: boolean },
): PruneReport {
  const isDryRun = dryRun || policy.mode === 'warn'
  const records = folder.records()
  const chosen = choose(records, policy, { nowMs: folder.now(), isKept: (record) => isKept(record, folder, open) })
  if (!isDryRun) {
    for (const { record } of chosen) remove(folder, record)
    removeTemporaryFiles(folder)
    if (chosen.length > 0) folder.noteAppend()
  }
  const removed = chosen.map(({ record: { id, key }, why }) => ({ id, key, why }))
  return { removed, bytes: chosen.reduce((sum, { record }) => sum + record.bytes, 0), isDryRun }
}

/** The pointer goes first: without it the next message of the key begins anew. */
function remove(folder: SessionsFolder, record: SessionRecord): void {
  if (record.state === 'active' && record.key !== null) folder.unpoint(record.key)
  rmSync(folder.file(record.file), { force: true })
}

function isKept(record: SessionRecord, folder: SessionsFolder, open: ReadonlySet<string>): boolean {
  if (open.has(record.id)) return true
  if (record.key === null) return false
  if (readSessionKey(record.key).kind === 'main') return true
  if (record.state !== 'active') return false
  return record.chatType !== 'direct' || folder.pointer(record.key)?.isPinned === true
}

interface Chosen {
  readonly record: SessionRecord
  readonly why: 'age' | 'entries' | 'budget'
}

function choose(
  records: readonly SessionRecord[],
  policy: MaintenancePolicy,
  { nowMs, isKept }: { readonly nowMs: number; readonly isKept: (record: SessionRecord) => boolean },
): readonly Chosen[] {
  const chosen = new Map<SessionRecord, Chosen['why']>()
  const candidates = records.filter((record) => !isKept(record)).toSorted(archivesFirst)
  for (const record of candidates) if (nowMs - record.updatedAt > ageOf(policy.pruneAfter)) chosen.set(record, 'age')
  const { maxEntries = false, diskBudget = false, lowWater = 0.8 } = policy
  if (maxEntries !== false) {
    const active = records.filter((record) => record.state === 'active' && !chosen.has(record)).length
    const over = candidates
      .filter((record) => record.state === 'active' && !chosen.has(record))
      .slice(0, Math.max(0, active - maxEntries))
    for (const record of over) chosen.set(record, 'entries')
  }
  if (diskBudget !== false) {
    let bytes = records.reduce((sum, record) => sum + (chosen.has(record) ? 0 : record.bytes), 0)
    const goal = bytes > diskBudget ? diskBudget * lowWater : Number.POSITIVE_INFINITY
    for (const record of candidates) {
      if (bytes <= goal) break
      if (chosen.has(record)) continue
      chosen.set(record, 'budget')
      bytes -= record.bytes
    }
  }
  return [...chosen].map(([record, why]) => ({ record, why }))
}

function archivesFirst(left: SessionRecord, right: SessionRecord): number {
  const rank = ({ state }: SessionRecord): number => (state === 'active' ? 1 : 0)
  return rank(left) - rank(right) || left.updatedAt - right.updatedAt
}

function removeTemporaryFiles(folder: SessionsFolder): void {
  for (const name of readdirSync(folder.path)) {
    if (!/\.\d+\.[\da-f]{12}\.tmp$/u.test(name)) continue
    const stats = statSync(folder.file(name), { throwIfNoEntry: false })
    if (stats !== undefined && folder.now() - stats.mtimeMs > TEMPORARY_MS) rmSync(folder.file(name), { force: true })
  }
}
