import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { MEASURED } from './channels.ts'

/** Part of the recipe; raise it when the bytes of a segment change their meaning, so that an older index is rebuilt. */
export const SEGMENT_VERSION = 3

export interface SegmentHeader {
  /** Chunks in this segment, dead ones included. */
  readonly count: number
  /** Sum of lengths by channel, in the order of MEASURED. */
  readonly totals: readonly number[]
  /** Ids of deleted chunks of other segments, ascending. */
  readonly removed: readonly number[]
}

export function encodeHeader(header: SegmentHeader): Uint8Array {
  const writer = new ByteWriter(64)
  writer.byte(SEGMENT_VERSION)
  writer.varint(header.count)
  for (const total of header.totals) writer.varint(total)
  writeIds(writer, header.removed)
  return writer.toBytes()
}

/** False for a segment of another version of this program: its documents have another recipe and are indexed again. */
export function isOwnSegment(header: Uint8Array): boolean {
  return header[0] === SEGMENT_VERSION
}

/** Decodes the header of a segment that `isOwnSegment` accepts. */
export function decodeHeader(bytes: Uint8Array): SegmentHeader {
  const reader = new ByteReader(bytes, 1)
  const count = reader.varint()
  const totals = MEASURED.map(() => reader.varint())
  return { count, totals, removed: readIds(reader) }
}

/** Writes ascending ids as runs: distance from the last run, length of the run. */
export function writeIds(writer: ByteWriter, ids: readonly number[]): void {
  const runs: [start: number, length: number][] = []
  for (const id of ids) {
    const last = runs.at(-1)
    if (last && last[0] + last[1] === id) last[1] += 1
    else runs.push([id, 1])
  }
  writer.varint(runs.length)
  let end = 0
  for (const [start, length] of runs) {
    writer.varint(start - end)
    writer.varint(length)
    end = start + length
  }
}

/** Ascending runs of ids, [start, end). */
export type IdRuns = readonly (readonly [start: number, end: number])[]

export function readIdRuns(reader: ByteReader): IdRuns {
  const runs: [number, number][] = []
  let end = 0
  for (let left = reader.varint(); left > 0; left -= 1) {
    const start = end + reader.varint()
    end = start + reader.varint()
    runs.push([start, end])
  }
  return runs
}

export function readIds(reader: ByteReader): number[] {
  const ids: number[] = []
  for (const [start, end] of readIdRuns(reader)) for (let id = start; id < end; id += 1) ids.push(id)
  return ids
}

export function holdsId(runs: IdRuns, id: number): boolean {
  return (runs.findLast(([start]) => start <= id)?.[1] ?? 0) > id
}
