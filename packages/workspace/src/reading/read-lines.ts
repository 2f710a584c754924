import { readSync } from 'node:fs'
import { createDecoder, FormatFinder, SNIFF_BYTES, type TextFormat } from './decode.ts'
import { LineCollector, type LineExcerpt, type LineWindow } from './line-collector.ts'
import { createYielder } from '../listing/yield-to-event-loop.ts'

const PIECE_BYTES = 262_144
const BYTES_BETWEEN_YIELDS = 16 * PIECE_BYTES

/**
 * Reads lines out of an open file in pieces: memory is bounded by the window, and nothing after the window is decoded but the rest of a line
 * that was cut. Bytes that are no text give their problem instead.
 * @param isIndexed a file that the index reads too is looked through first, so that both find the same encoding; of another only the
 * beginning counts
 */
export async function readLineWindow(
  descriptor: number,
  window: LineWindow,
  { isIndexed, signal }: { readonly isIndexed: boolean; readonly signal?: AbortSignal | undefined },
): Promise<LineExcerpt | { readonly problem: NonNullable<TextFormat['problem']> }> {
  const yieldAfter = createYielder(BYTES_BETWEEN_YIELDS)
  const format = await findFormatOf(descriptor, isIndexed, (bytes) => yieldAfter(bytes, signal))
  if (format.problem !== null) return { problem: format.problem }
  const collector = new LineCollector(window, format.lineEnds)
  const decoder = createDecoder(format.encoding)
  let position = format.bomBytes
  for (let isFull = false; !isFull; ) {
    const piece = readPiece(descriptor, position, PIECE_BYTES)
    position += piece.length
    const isLast = piece.length === 0
    isFull = collector.take((isLast ? decoder.end() : decoder.write(piece)).toWellFormed(), isLast) || isLast
    await yieldAfter(piece.length, signal)
  }
  return collector.finish()
}

async function findFormatOf(
  descriptor: number,
  isIndexed: boolean,
  yieldAfter: (bytes: number) => Promise<void> | undefined,
): Promise<TextFormat> {
  const finder = new FormatFinder()
  let position = 0
  for (;;) {
    const wanted = isIndexed ? PIECE_BYTES : SNIFF_BYTES
    const piece = readPiece(descriptor, position, wanted)
    position += piece.length
    finder.take(piece)
    if (piece.length < wanted) return finder.finish({ isWhole: true })
    if (!isIndexed) return finder.finish({ isWhole: false })
    await yieldAfter(piece.length)
  }
}

/** Shared by all reads, which are synchronous: the bytes are copied out, so that small notes take little memory. */
let scratch: Buffer | null = null

/** Reads full pieces, except the last. */
function readPiece(descriptor: number, position: number, bytes: number): Buffer {
  scratch ??= Buffer.allocUnsafeSlow(PIECE_BYTES)
  let length = 0
  while (length < bytes) {
    const count = readSync(descriptor, scratch, length, bytes - length, position + length)
    if (count === 0) break
    length += count
  }
  return Buffer.from(scratch.subarray(0, length))
}
