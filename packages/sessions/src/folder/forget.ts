import { closeSync, constants, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { sha256 } from '@mnemark/spec'
import { isMissing } from '@mnemark/workspace'
import type { Entry } from '../transcript/entry.ts'
import { asEntry, parseLine } from '../transcript/parse-line.ts'
import { type IoCount, linesFrom } from '../transcript/read-lines.ts'
import { writeWhole } from './write-file.ts'

/** The result of forgetting: erased parts, and places to be looked at by hand. */
export interface ForgetReport {
  /** Ids of the sessions that were erased as a whole. */
  readonly sessions: readonly string[]
  /** Lines that were overwritten, duplicates and summaries among them. */
  readonly lines: number
  /** Summaries among them: they were made from what is forgotten. */
  readonly summaries: number
  /** Notes that a flush of these sessions wrote into; they are the person's, and were not changed. */
  readonly notes: readonly string[]
  /** Lines that could not be read, and so not be told apart; they stay unless a whole session was erased. */
  readonly unreadable: number
}

/** Names of forgotten sessions, hashed: an import or a restored file does not bring them back. */
const FORGOTTEN_FILE = '.forgotten.json'

export class ForgottenSessions {
  readonly #path: string
  readonly #io: IoCount

  constructor(path: (name: string) => string, io: IoCount) {
    this.#path = path(FORGOTTEN_FILE)
    this.#io = io
  }

  has(id: string): boolean {
    return this.#hashes().has(sha256(id))
  }

  all(): ReadonlySet<string> {
    return this.#hashes()
  }

  add(ids: readonly string[]): void {
    const hashes = [...new Set([...this.#hashes(), ...ids.map((id) => sha256(id))])].toSorted()
    writeWhole(this.#path, 'The list of forgotten sessions', `${JSON.stringify(hashes)}\n`, { io: this.#io, syncs: true })
  }

  #hashes(): Set<string> {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path, 'utf8'))
      return new Set(Array.isArray(value) ? value.filter((hash) => typeof hash === 'string') : [])
    } catch (error) {
      if (isMissing(error)) return new Set()
      throw error
    }
  }
}

export interface ErasedLines {
  lines: number
  summaries: number
  unreadable: number
  readonly notes: Set<string>
}

/**
 * Overwrites lines in place, each by a tombstone of its length, so that citations of other lines stay. With `ids` null: every line, and the
 * file is removed.
 */
export function eraseLines(path: string, ids: ReadonlySet<string> | null, io: IoCount): ErasedLines {
  const erased: ErasedLines = { lines: 0, summaries: 0, unreadable: 0, notes: new Set() }
  const descriptor = openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0))
  try {
    const affected = ids === null ? null : withSummaries(descriptor, ids, io)
    for (const { bytes, offset, length } of linesFrom(descriptor, io)) {
      const entry = asEntry(parseLine(bytes))
      if (entry === null && parseLine(bytes) === null && length > 0) erased.unreadable += 1
      if (entry?.type === 'flush' && entry.path !== undefined) erased.notes.add(entry.path)
      if (affected !== null && (entry === null || !affected.has(entry.id))) continue
      const tombstone = affected === null || entry === null ? Buffer.alloc(length, ' ') : tombstoneOf(entry, length)
      writeSync(descriptor, tombstone, 0, length, offset)
      erased.lines += 1
      if (entry?.type === 'compaction') erased.summaries += 1
    }
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  if (ids === null) rmSync(path)
  return erased
}

/** Also the summaries and the flushed texts that the lines went into, and every summary made from those. */
function withSummaries(descriptor: number, ids: ReadonlySet<string>, io: IoCount): ReadonlySet<string> {
  const all = new Set(ids)
  for (const { bytes } of linesFrom(descriptor, io)) {
    const entry = asEntry(parseLine(bytes))
    if (entry?.type === 'compaction' && isMadeFrom(entry, all)) all.add(entry.id)
    // A flush looks at the whole conversation so far.
    if (entry?.type === 'flush' && entry.text !== undefined) all.add(entry.id)
  }
  return all
}

function isMadeFrom({ details }: Extract<Entry, { type: 'compaction' }>, ids: ReadonlySet<string>): boolean {
  // A summary that does not name its sources may be made from any line.
  if (details?.covers === undefined) return true
  return details.covers.some((id) => ids.has(id)) || (details.previous !== null && ids.has(details.previous))
}

/** The place of the line in the tree, and nothing of what it said. */
function tombstoneOf({ id, parentId, timestamp, counters }: Entry, length: number): Buffer {
  const forms = [{ timestamp, counters }, { timestamp }, {}]
  for (const form of forms) {
    const text = JSON.stringify({ type: 'tombstone', id, parentId, ...form })
    const missing = length - Buffer.byteLength(text)
    if (missing >= 0) return Buffer.from(text + ' '.repeat(missing))
  }
  return Buffer.alloc(length, ' ')
}
