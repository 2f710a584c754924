import { randomBytes } from 'node:crypto'
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { WorkspaceError } from '@mnemark/spec'
import { isMissing, systemCode, systemReason } from '@mnemark/workspace'
import { type Counters, countEntry, type Entry, NO_COUNTERS } from './entry.ts'
import { asEntry, parseLine } from './parse-line.ts'
import { type IoCount, lastLines, linesFrom } from './read-lines.ts'

/** An entry before it has its place. */
export type NewEntry = Unplaced<Entry>
type Unplaced<One> = One extends Entry ? Omit<One, 'id' | 'parentId' | 'timestamp' | 'counters'> & Placement : never

interface Placement {
  /** Default: a random one. */
  readonly id?: string
  /** Default: where the conversation stands. */
  readonly parentId?: string | null
  /** Default: now; null where the time is unknown. */
  readonly timestamp?: string | null
}

export interface Written {
  readonly id: string
  /** False where the id stands in the last lines already, and nothing was written. */
  readonly isNew: boolean
}

/** The end of a transcript: all that an append needs to know of it. */
export interface Tail {
  readonly size: number
  readonly inode: number
  readonly leaf: string | null
  readonly counters: Counters
  /** False after a crash in the middle of a line, and for a last record without its line feed. */
  readonly isEnded: boolean
}

/** A second message of one id is recognised this far back; beyond, readers ignore it. */
const ID_WINDOW = 256 * 1024
const NO_TAIL: Tail = { size: 0, inode: -1, leaf: null, counters: NO_COUNTERS, isEnded: true }

export interface AppendSettings {
  readonly nowMs: number
  /** Whether the bytes must have reached the disk on return. */
  readonly syncs: boolean
}

/** Appends to one file. Everything here is synchronous and belongs inside the lock of the session's key. */
export class TranscriptFile {
  readonly path: string
  readonly #name: string
  readonly #io: IoCount
  #tail: Tail | null = null
  #isShared = false

  /** @param name for messages: never an absolute path */
  constructor(path: string, name: string, io: IoCount) {
    this.path = path
    this.#name = name
    this.#io = io
  }

  /** The state of the file now; read again only where it changed. That of an empty file where there is none. */
  tail(): Tail {
    let descriptor: number
    try {
      descriptor = openSync(this.path, 'r')
    } catch (error) {
      if (isMissing(error)) return NO_TAIL
      throw error
    }
    try {
      return this.#tailOf(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }

  /** True where another program has written to the file since it was first looked at. */
  get isShared(): boolean {
    return this.#isShared
  }

  /**
   * Appends entries in one write, each a child of the one before. A line that a crash left torn is ended first. A write that fails takes back
   * what it wrote.
   * @throws WorkspaceError `unreadable` where the system refuses
   */
  append(entries: readonly NewEntry[], { nowMs, syncs }: AppendSettings): readonly Written[] {
    const descriptor = this.#open()
    try {
      const tail = this.#tailOf(descriptor)
      const known = entries.some(({ id }) => id !== undefined) ? recentIds(descriptor, this.#io) : new Set<string>()
      const placed = placeEntries(entries, tail, { nowMs, known })
      if (placed.text !== '') {
        this.#write(descriptor, Buffer.from((tail.isEnded ? '' : '\n') + placed.text, 'utf8'), tail)
        const { size } = fstatSync(descriptor)
        this.#tail = { ...tail, size, leaf: placed.leaf, counters: placed.counters, isEnded: true }
      }
      if (syncs) fsyncSync(descriptor)
      return placed.written
    } finally {
      closeSync(descriptor)
    }
  }

  /** Waits until what was appended is on the disk; a file that was removed meanwhile has nothing to wait for. */
  sync(): void {
    let descriptor: number
    try {
      descriptor = openSync(this.path, 'r')
    } catch (error) {
      if (isMissing(error)) return
      throw error
    }
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }

  #open(): number {
    try {
      return openSync(this.path, constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0))
    } catch (error) {
      throw cannotWrite(this.#name, error)
    }
  }

  #write(descriptor: number, bytes: Buffer, tail: Tail): void {
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
      this.#io.written += bytes.length
    } catch (error) {
      ftruncateSync(descriptor, tail.size)
      throw cannotWrite(this.#name, error)
    }
  }

  #tailOf(descriptor: number): Tail {
    const { size, ino } = fstatSync(descriptor)
    if (this.#tail?.size === size && this.#tail.inode === ino) return this.#tail
    this.#isShared ||= this.#tail !== null
    this.#tail = readTail(descriptor, this.#io)
    return this.#tail
  }
}

function cannotWrite(name: string, error: unknown): unknown {
  if (systemCode(error) === '') return error
  return new WorkspaceError('unreadable', `${name} cannot be written: ${systemReason(error)}. Nothing was added to it.`, {
    cause: error,
  })
}

/** Reads a file from its end; as a whole only where another program wrote it and nothing in it counts. */
export function readTail(descriptor: number, io: IoCount): Tail {
  const { size, ino: inode } = fstatSync(descriptor)
  let isEnded = true
  let isFirst = true
  for (const { bytes, isEnded: hasFeed } of lastLines(descriptor, io)) {
    if (isFirst) isEnded = hasFeed
    isFirst = false
    const entry = asEntry(parseLine(bytes))
    if (entry === null) continue
    const counters = entry.counters ?? countAll(descriptor, io)
    return { size, inode, leaf: leafOf(entry), counters, isEnded }
  }
  return { size, inode, leaf: null, counters: NO_COUNTERS, isEnded }
}

function leafOf(entry: Entry): string {
  const target: unknown = 'targetId' in entry ? entry.targetId : undefined
  return entry.type === 'leaf' && typeof target === 'string' ? target : entry.id
}

function countAll(descriptor: number, io: IoCount): Counters {
  let counters = NO_COUNTERS
  const seen = new Set<string>()
  for (const { bytes } of linesFrom(descriptor, io)) {
    const entry = asEntry(parseLine(bytes))
    if (entry === null || seen.has(entry.id)) continue
    seen.add(entry.id)
    counters = entry.counters ?? countEntry(counters, entry)
  }
  return counters
}

function recentIds(descriptor: number, io: IoCount): Set<string> {
  const { size } = fstatSync(descriptor)
  const ids = new Set<string>()
  for (const { bytes, offset } of lastLines(descriptor, io)) {
    const entry = asEntry(parseLine(bytes))
    if (entry !== null) ids.add(entry.id)
    if (size - offset > ID_WINDOW) break
  }
  return ids
}

interface Placed {
  readonly text: string
  readonly written: readonly Written[]
  readonly leaf: string | null
  readonly counters: Counters
}

function placeEntries(entries: readonly NewEntry[], tail: Tail, { nowMs, known }: { nowMs: number; known: Set<string> }): Placed {
  let { leaf, counters } = tail
  let text = ''
  const written: Written[] = []
  for (const { id = randomBytes(8).toString('hex'), parentId = leaf, timestamp, ...rest } of entries) {
    const isNew = !known.has(id)
    written.push({ id, isNew })
    if (!isNew) continue
    known.add(id)
    const { type, ...fields } = rest
    const time = timestamp === null ? {} : { timestamp: timestamp ?? new Date(nowMs).toISOString() }
    counters = countEntry(counters, { ...rest, ...time } as Entry)
    text += `${JSON.stringify({ type, id, parentId, ...time, ...fields, counters })}\n`
    leaf = id
  }
  return { text, written, leaf, counters }
}
