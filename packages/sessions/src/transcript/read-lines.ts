import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Bytes that went through the files of a folder of sessions. */
export interface IoCount {
  read: number
  written: number
}

/** One line of a file. */
export interface RawLine {
  /** From 1. */
  readonly line: number
  /** In bytes from the beginning of the file. */
  readonly offset: number
  /** In bytes, without the line feed. */
  readonly length: number
  readonly bytes: Buffer
  /** False for the rest of a file that does not end in a line feed. */
  readonly isEnded: boolean
}

const PIECE = 256 * 1024
const LINE_FEED = 0x0a

export interface LineStart {
  readonly line: number
  readonly offset: number
}

/** The lines of an open file from a place on, at most one piece and one line in memory. */
export function* linesFrom(descriptor: number, io: IoCount, from: LineStart = { line: 1, offset: 0 }): Generator<RawLine> {
  let { line, offset } = from
  let rest: Buffer[] = []
  let length = 0
  for (let position = offset; ; ) {
    const piece = readPiece(descriptor, position, PIECE)
    io.read += piece.length
    if (piece.length === 0) break
    position += piece.length
    let start = 0
    for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, start)) {
      rest.push(piece.subarray(start, end))
      length += end - start
      yield { line, offset, length, bytes: rest.length === 1 ? rest[0]! : Buffer.concat(rest), isEnded: true }
      line += 1
      offset += length + 1
      rest = []
      length = 0
      start = end + 1
    }
    if (start < piece.length) {
      rest.push(piece.subarray(start))
      length += piece.length - start
    }
  }
  if (length > 0) yield { line, offset, length, bytes: Buffer.concat(rest), isEnded: false }
}

/** The bytes at a place, fewer at the end of the file. */
export function readPiece(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(descriptor, buffer, filled, length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return buffer.subarray(0, filled)
}

/** The last complete lines of a file, newest first, read from its end in growing pieces. The numbers of the lines are unknown there. */
export function* lastLines(descriptor: number, io: IoCount): Generator<Omit<RawLine, 'line'>> {
  let end = fstatSync(descriptor).size
  let rest: Buffer[] = []
  let isEnded = false
  for (let size = 16 * 1024; end > 0; size = Math.min(size * 2, 8 * 1024 * 1024)) {
    const start = Math.max(0, end - size)
    let piece = readPiece(descriptor, start, end - start)
    io.read += piece.length
    for (let feed = piece.lastIndexOf(LINE_FEED); feed !== -1; feed = piece.lastIndexOf(LINE_FEED)) {
      const bytes = Buffer.concat([piece.subarray(feed + 1), ...rest])
      if (bytes.length > 0) yield { offset: start + feed + 1, length: bytes.length, bytes, isEnded }
      isEnded = true
      rest = []
      piece = piece.subarray(0, feed)
    }
    rest.unshift(piece)
    end = start
  }
  const bytes = Buffer.concat(rest)
  if (bytes.length > 0) yield { offset: 0, length: bytes.length, bytes, isEnded }
}

/** Some lines of a file as text. */
export function readRawLines(
  path: string,
  { from, count }: { readonly from: number; readonly count: number },
  io: IoCount,
): readonly string[] {
  const descriptor = openSync(path, 'r')
  try {
    const lines: string[] = []
    for (const { line, bytes } of linesFrom(descriptor, io)) {
      if (line >= from + count) break
      if (line >= from) lines.push(bytes.toString('utf8'))
    }
    return lines
  } finally {
    closeSync(descriptor)
  }
}
