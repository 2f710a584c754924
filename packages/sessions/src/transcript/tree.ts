import { closeSync, fstatSync, openSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { CallOptions } from '@mnemark/spec'
import { isMissing } from '@mnemark/workspace'
import type { Entry, SessionHeader } from './entry.ts'
import { asEntry, asHeader, parseLine } from './parse-line.ts'
import { type IoCount, linesFrom, type LineStart, readPiece } from './read-lines.ts'

/** Where an entry is and what it follows; its content stays in the file. */
export interface Node {
  readonly id: string
  readonly type: string
  /** The role of a message, else undefined. */
  readonly role: string | undefined
  /** Position of the parent among the nodes; -1 for a first one. */
  readonly parent: number
  /** From 1, as in citations. */
  readonly line: number
  readonly offset: number
  readonly length: number
}

/** Faults of a file, counted. None of them ends the reading. */
export interface TranscriptFaults {
  /** Lines that are no JSON objects, torn ones among them. */
  readonly unreadable: number
  /** Lines whose id stands in the file already; the first counts. */
  readonly duplicates: number
  /** Lines whose parent is missing or comes later; the line before is taken. */
  readonly strayParents: number
  /** Headers after the first line, as in files that were joined. */
  readonly extraHeaders: number
}

/** The file begins with this many bytes of lines between two turns of the event loop. */
const BYTES_PER_TURN = 4 * 1024 * 1024

/**
 * The entries of one transcript as a tree, read once and extended as the file grows.
 *
 * A parent always stands before its children in a file that is only appended to. One that does not is taken to be the line before, so there
 * are no cycles, and a line that a crash took away parts nothing from the rest.
 */
export class TranscriptTree {
  readonly #path: string
  readonly #io: IoCount
  readonly #nodes: Node[] = []
  readonly #places = new Map<string, number>()
  readonly #faults = { unreadable: 0, duplicates: 0, strayParents: 0, extraHeaders: 0 }
  #header: SessionHeader | null = null
  #next: LineStart = { line: 1, offset: 0 }
  #inode = -1
  #leaf = -1

  constructor(path: string, io: IoCount) {
    this.#path = path
    this.#io = io
  }

  get header(): SessionHeader | null {
    return this.#header
  }

  get nodes(): readonly Node[] {
    return this.#nodes
  }

  get faults(): TranscriptFaults {
    return { ...this.#faults }
  }

  /** Reads what was added since the last time; all of it where the file is another one or shorter. A line that is not ended waits. */
  async extend({ signal }: CallOptions = {}): Promise<void> {
    const descriptor = openOrNull(this.#path)
    // Pruned or deleted meanwhile: there is nothing to read.
    if (descriptor === null) return this.#restart(-1)
    try {
      const { ino, size } = fstatSync(descriptor)
      if (ino !== this.#inode || size < this.#next.offset) this.#restart(ino)
      let turn = this.#next.offset
      for (const raw of linesFrom(descriptor, this.#io, this.#next)) {
        const line = parseLine(raw.bytes)
        // A complete record that only lacks its line feed counts; half of one may be being written.
        if (!raw.isEnded && line === null) break
        this.#take(line, raw)
        if (!raw.isEnded) break
        this.#next = { line: raw.line + 1, offset: raw.offset + raw.length + 1 }
        if (raw.offset - turn < BYTES_PER_TURN) continue
        turn = raw.offset
        await setImmediate()
        signal?.throwIfAborted()
      }
    } finally {
      closeSync(descriptor)
    }
  }

  /** The places of the nodes from the first to where the conversation stands, or to another node. */
  path(id?: string): readonly number[] {
    const places: number[] = []
    for (let at = id === undefined ? this.#leaf : (this.#places.get(id) ?? -1); at !== -1; at = this.#nodes[at]!.parent) {
      places.push(at)
    }
    return places.reverse()
  }

  place(id: string): number | undefined {
    return this.#places.get(id)
  }

  /** Reads entries from the file; null for one that was overwritten meanwhile. */
  *entries(places: Iterable<number>): Generator<{ readonly node: Node; readonly entry: Entry | null }> {
    const descriptor = openOrNull(this.#path)
    if (descriptor === null) return
    try {
      for (const place of places) {
        const node = this.#nodes[place]!
        const bytes = readPiece(descriptor, node.offset, node.length)
        this.#io.read += bytes.length
        yield { node, entry: asEntry(parseLine(bytes)) }
      }
    } finally {
      closeSync(descriptor)
    }
  }

  #restart(inode: number): void {
    this.#inode = inode
    this.#nodes.length = 0
    this.#places.clear()
    Object.assign(this.#faults, { unreadable: 0, duplicates: 0, strayParents: 0, extraHeaders: 0 })
    this.#header = null
    this.#leaf = -1
    this.#next = { line: 1, offset: 0 }
  }

  #take(line: Readonly<Record<string, unknown>> | null, place: { line: number; offset: number; length: number }): void {
    const header = asHeader(line)
    if (header !== null) {
      if (this.#header === null) this.#header = header
      else this.#faults.extraHeaders += 1
      return
    }
    const entry = asEntry(line)
    if (entry === null) {
      // A blank line is what is left of a short line that was forgotten.
      if (place.length > 0 && line === null) this.#faults.unreadable += 1
      return
    }
    const known = this.#places.get(entry.id)
    if (known !== undefined) {
      // The same record without its line feed is read again once it has one.
      if (this.#nodes[known]!.offset !== place.offset) this.#faults.duplicates += 1
      return
    }
    this.#places.set(entry.id, this.#nodes.length)
    const role = entry.type === 'message' ? entry.message.role : undefined
    const parent = this.#parentOf(entry)
    this.#nodes.push({ id: entry.id, type: entry.type, role, parent, ...pick(place) })
    this.#leaf = this.#target(entry) ?? this.#nodes.length - 1
  }

  #parentOf({ parentId }: Entry): number {
    if (parentId === null) return -1
    const parent = typeof parentId === 'string' ? this.#places.get(parentId) : undefined
    if (parent !== undefined && parent < this.#nodes.length) return parent
    this.#faults.strayParents += 1
    return this.#leaf
  }

  /** Newer files of OpenClaw point elsewhere by a field; our own leaf lines are children of their target. */
  #target(entry: Entry): number | undefined {
    if (entry.type !== 'leaf') return undefined
    const target: unknown = 'targetId' in entry ? entry.targetId : undefined
    return typeof target === 'string' ? this.#places.get(target) : undefined
  }
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function pick({ line, offset, length }: { line: number; offset: number; length: number }): LineStart & { length: number } {
  return { line, offset, length }
}
