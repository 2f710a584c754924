/** Longer than any line with a vector; a longer line is skipped and not kept in memory. */
const MAX_LINE_BYTES = 4 * 2 ** 20
const LINE_FEED = 0x0a

/** Parses the lines of a file as they arrive. Skips blank lines, lines that are not JSON, and lines that are far too long. */
export async function* jsonLines(file: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const held = new HeldLine()
  for await (const bytes of file) {
    let start = 0
    // Split as bytes: making a text of every piece and of every line would be most of the work for a large file.
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      const value = parsed(held.finish(bytes.subarray(start, end)))
      if (value !== undefined) yield value
      start = end + 1
    }
    held.add(bytes.subarray(start))
  }
  const value = parsed(held.finish(new Uint8Array()))
  if (value !== undefined) yield value
}

/** A line whose end has not arrived yet. */
class HeldLine {
  #pieces: Uint8Array[] = []
  #length = 0

  add(piece: Uint8Array): void {
    this.#length += piece.length
    if (this.#length > MAX_LINE_BYTES) this.#pieces = []
    else if (piece.length > 0) this.#pieces.push(piece)
  }

  /** Returns the line with its last piece; empty if it was too long. */
  finish(last: Uint8Array): Buffer {
    this.add(last)
    const line = this.#length > MAX_LINE_BYTES ? Buffer.alloc(0) : Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#length = 0
    return line
  }
}

function parsed(line: Buffer): unknown {
  const text = line.toString()
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
