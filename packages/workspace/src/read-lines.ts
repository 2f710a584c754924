import { readSync } from 'node:fs'
import { createDecoder, SNIFF_BYTES, sniffFormat, type TextFormat } from './decode.ts'
import { LineCollector, type LineExcerpt, type LineWindow } from './line-collector.ts'
import { createPacer } from './pacer.ts'

const PIECE_BYTES = 262_144
const PAUSE_BYTES = 16 * PIECE_BYTES

/**
 * Reads lines out of an open file in pieces: memory is bounded by the window, and nothing after the window is read but the rest
 * of a line that was cut. Bytes that are no text give their problem instead.
 */
export async function readLineWindow(
  descriptor: number,
  window: LineWindow,
  signal?: AbortSignal,
): Promise<LineExcerpt | { readonly problem: NonNullable<TextFormat['problem']> }> {
  const head = readPiece(descriptor, SNIFF_BYTES)
  const format = sniffFormat(head)
  if (format.problem !== null) return { problem: format.problem }
  const collector = new LineCollector(window, format.lineEnds)
  const decoder = createDecoder(format.encoding)
  const pause = createPacer(PAUSE_BYTES)
  let isFull = collector.take(decoder.write(head.subarray(format.bomBytes)).toWellFormed(), false)
  while (!isFull) {
    const piece = readPiece(descriptor, PIECE_BYTES)
    const isLast = piece.length === 0
    isFull = collector.take((isLast ? decoder.end() : decoder.write(piece)).toWellFormed(), isLast) || isLast
    await pause(piece.length, signal)
  }
  return collector.finish()
}

/** One for all reads, which are synchronous: what was read is copied out, so that small notes take little memory. */
let scratch: Buffer | null = null

/** Full pieces, so that the first one always is what the index looked at. */
function readPiece(descriptor: number, bytes: number): Buffer {
  scratch ??= Buffer.allocUnsafeSlow(PIECE_BYTES)
  let length = 0
  while (length < bytes) {
    const count = readSync(descriptor, scratch, length, bytes - length, null)
    if (count === 0) break
    length += count
  }
  return Buffer.from(scratch.subarray(0, length))
}
