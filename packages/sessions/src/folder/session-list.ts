import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '@mnemark/workspace'
import type { IoCount } from '../transcript/read-lines.ts'
import { stampOf } from './file-name.ts'
import type { SessionRecord } from './record.ts'
import { writeWhole } from './write-file.ts'

/** The list of active sessions, for people and for other programs. It is never the truth: the transcripts tell all of it. */
export const LIST_FILE = 'sessions.json'

/** An entry under its key, with the names that the field uses; what another program wrote into it stays. */
type ListEntry = Readonly<Record<string, unknown>>

export interface ListReading {
  readonly entries: ReadonlyMap<string, ListEntry>
  /** The name under which a damaged file was kept; null where it was none. */
  readonly keptAs: string | null
}

/** Reads `sessions.json`. A damaged one is moved aside, so that nothing ever writes an empty list over it. */
export function readList(folder: string, nowMs: number, io: IoCount): ListReading {
  const path = join(folder, LIST_FILE)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return { entries: new Map(), keptAs: null }
    throw error
  }
  io.read += Buffer.byteLength(text)
  const entries = parseList(text)
  if (entries !== null) return { entries, keptAs: null }
  const keptAs = `${LIST_FILE}.damaged.${stampOf(nowMs)}`
  renameSync(path, join(folder, keptAs))
  return { entries: new Map(), keptAs }
}

function parseList(text: string): ReadonlyMap<string, ListEntry> | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const entries = Object.entries(value).filter(
    (pair): pair is [string, ListEntry] => typeof pair[1] === 'object' && pair[1] !== null && !Array.isArray(pair[1]),
  )
  return new Map(entries)
}

/** Ids by which older files, which do not name their key, are found. */
export function keysById(entries: ReadonlyMap<string, ListEntry>): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  for (const [key, { sessionId }] of entries) if (typeof sessionId === 'string') keys.set(sessionId, key)
  return keys
}

export function writeList(
  folder: string,
  records: readonly SessionRecord[],
  before: ReadonlyMap<string, ListEntry>,
  io: IoCount,
): number {
  const list: Record<string, ListEntry> = {}
  // Entries of other programs without a transcript here are theirs to remove.
  for (const [key, entry] of before) if (entry['format'] !== 1 && typeof entry['sessionId'] === 'string') list[key] = entry
  for (const record of records) {
    if (record.state === 'active' && record.key !== null) list[record.key] = { ...before.get(record.key), ...entryOf(record) }
  }
  const text = `${JSON.stringify(list)}\n`
  writeWhole(join(folder, LIST_FILE), LIST_FILE, text, { io, syncs: false })
  return Buffer.byteLength(text)
}

function entryOf({ id, counters, ...record }: SessionRecord): ListEntry {
  const [inputTokens, outputTokens, cacheRead, cacheWrite] = counters.totals
  return {
    sessionId: id,
    createdAt: record.createdAt,
    sessionStartedAt: record.createdAt,
    updatedAt: Math.round(record.updatedAt),
    lastInteractionAt: record.lastInteractionAt,
    chatType: record.chatType,
    channel: record.channel,
    spawnedBy: record.spawnedBy,
    inputTokens,
    outputTokens,
    cacheRead,
    cacheWrite,
    totalTokens: counters.context,
    totalTokensFresh: counters.context !== null,
    compactionCount: counters.compactions,
    memoryFlushCompactionCount: counters.flush?.cycle ?? null,
    bytes: record.bytes,
    format: 1,
  }
}
