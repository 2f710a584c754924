import { closeSync, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { readSessionKey } from '../lifecycle/session-key.ts'
import type { ChatType, Counters, SessionHeader } from '../transcript/entry.ts'
import { asHeader, parseLine } from '../transcript/parse-line.ts'
import { type IoCount, linesFrom } from '../transcript/read-lines.ts'
import { readTail } from '../transcript/transcript-file.ts'
import type { TranscriptName } from './file-name.ts'

/** One transcript, by its own head and tail. Times are in ms since 1970. */
export interface SessionRecord {
  /** By the name of the file, which citations use. */
  readonly id: string
  /** The id in its first line; null without one. Another one than `id` where a file was copied or renamed. */
  readonly headerId: string | null
  /** Name in the folder. */
  readonly file: string
  /** Null where neither the transcript nor the list of sessions knows it. */
  readonly key: string | null
  /** `active`: new messages of its key go here. `archived`: another took over. `deleted`: taken off the list, readable until it is pruned. */
  readonly state: 'active' | 'archived' | 'deleted'
  readonly agent: string
  readonly chatType: ChatType
  readonly channel: string | null
  /** Id of the session before it. */
  readonly previous: string | null
  /** Key of the session that started it. */
  readonly spawnedBy: string | null
  readonly createdAt: number
  /** The last write of any kind. */
  readonly updatedAt: number
  /** The last message of a person; null before the first. Resets look at this alone. */
  readonly lastInteractionAt: number | null
  readonly counters: Counters
  readonly bytes: number
}

/** The head and tail of a transcript, before it is known which of its key is active. */
export type RecordOfFile = Omit<SessionRecord, 'state'>

/** Reads the first line and the last ones. A file without a header is a transcript as well: its first bytes may have been lost. */
export function readRecord(folder: string, name: TranscriptName, io: IoCount): RecordOfFile {
  const descriptor = openSync(join(folder, name.file), 'r')
  try {
    const stats = fstatSync(descriptor)
    const header = readHeader(descriptor, io)
    const { counters } = readTail(descriptor, io)
    const created = Date.parse(header?.timestamp ?? '')
    return {
      ...placeOf(header),
      id: name.id,
      headerId: header?.id ?? null,
      file: name.file,
      createdAt: Number.isFinite(created) ? created : stats.birthtimeMs,
      updatedAt: stats.mtimeMs,
      lastInteractionAt: counters.interaction,
      counters,
      bytes: stats.size,
    }
  } finally {
    closeSync(descriptor)
  }
}

function readHeader(descriptor: number, io: IoCount): SessionHeader | null {
  for (const { bytes } of linesFrom(descriptor, io)) return asHeader(parseLine(bytes))
  return null
}

function placeOf(
  header: SessionHeader | null,
): Pick<SessionRecord, 'key' | 'agent' | 'chatType' | 'channel' | 'previous' | 'spawnedBy'> {
  const key = typeof header?.key === 'string' ? header.key : null
  const read = keyOrNull(key)
  return {
    key: read?.key ?? null,
    agent: header?.agent ?? read?.agent ?? 'main',
    chatType: header?.chatType ?? read?.chatType ?? 'direct',
    channel: header?.channel ?? read?.channel ?? null,
    previous: header?.previous ?? null,
    spawnedBy: header?.spawnedBy ?? null,
  }
}

function keyOrNull(key: string | null): ReturnType<typeof readSessionKey> | null {
  try {
    return key === null ? null : readSessionKey(key)
  } catch {
    return null
  }
}
