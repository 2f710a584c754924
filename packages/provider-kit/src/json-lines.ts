/** Longer than any line with a vector; what is longer is skipped, not kept. */
const MAX_LINE_LENGTH = 4 * 2 ** 20

/** The parsed lines of a file as they arrive. Blank lines, and those that are not JSON or far too long, are left out. */
export async function* jsonLines(file: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  for await (const line of linesOf(file)) {
    const value = parsed(line)
    if (value !== undefined) yield value
  }
}

async function* linesOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let line = ''
  let isSkipping = false
  for await (const bytes of file) {
    const parts = decoder.decode(bytes, { stream: true }).split('\n')
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        if (!isSkipping) yield line
        line = ''
        isSkipping = false
      }
      isSkipping ||= line.length + part.length > MAX_LINE_LENGTH
      line = isSkipping ? '' : line + part
    }
  }
  if (!isSkipping) yield line + decoder.decode()
}

function parsed(line: string): unknown {
  if (line.trim() === '') return undefined
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
