import { StringDecoder } from 'node:string_decoder'

/** How the bytes of a note are to be read, judged by its first bytes. */
export interface TextFormat {
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be'
  readonly bomBytes: number
  /** `cr` for files of the old Mac kind: no line feed at all, lines end in a carriage return. */
  readonly lineEnds: 'lf' | 'cr'
  /** Why the bytes are no text; null when they are. */
  readonly problem: 'binary content' | 'text that is not UTF-8' | null
}

/** How many bytes `sniffFormat` looks at. Index and reader both use this much, so that they number lines alike. */
export const SNIFF_BYTES = 65_536

const MIN_ODD_CHARACTERS = 16
const MAX_CONTROL_SHARE = 0.02
const MAX_REPLACED_SHARE = 0.3

/** @param head the first `SNIFF_BYTES` of the file, or all of it when it is shorter */
export function sniffFormat(head: Buffer): TextFormat {
  const { encoding, bomBytes } = sniffEncoding(head)
  const text = decodeWhole(head.subarray(bomBytes), encoding)
  return { encoding, bomBytes, lineEnds: hasOnlyCarriageReturns(text) ? 'cr' : 'lf', problem: findProblem(text) }
}

function sniffEncoding(head: Buffer): Pick<TextFormat, 'encoding' | 'bomBytes'> {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf8', bomBytes: 3 }
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf16le', bomBytes: 2 }
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf16be', bomBytes: 2 }
  return { encoding: 'utf8', bomBytes: 0 }
}

function hasOnlyCarriageReturns(text: string): boolean {
  return text.includes('\r') && !text.includes('\n')
}

function findProblem(text: string): TextFormat['problem'] {
  let controls = 0
  let replaced = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 9 || (code > 13 && code < 27)) controls += 1
    else if (code === 0xfffd) replaced += 1
  }
  if (controls >= MIN_ODD_CHARACTERS && controls > text.length * MAX_CONTROL_SHARE) return 'binary content'
  if (replaced >= MIN_ODD_CHARACTERS && replaced > text.length * MAX_REPLACED_SHARE) return 'text that is not UTF-8'
  return null
}

function decodeWhole(bytes: Buffer, encoding: TextFormat['encoding']): string {
  if (encoding === 'utf8') return bytes.toString('utf8')
  return createDecoder(encoding).write(bytes).toWellFormed()
}

/** Text piece by piece: characters cut by the border of two pieces come out whole. */
export interface PieceDecoder {
  write(bytes: Buffer): string
  end(): string
}

export function createDecoder(encoding: TextFormat['encoding']): PieceDecoder {
  if (encoding !== 'utf16be') {
    const decoder = new StringDecoder(encoding)
    return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() }
  }
  const decoder = new StringDecoder('utf16le')
  let odd: Buffer = Buffer.alloc(0)
  return {
    write(bytes) {
      const all = Buffer.concat([odd, bytes])
      const even = all.length - (all.length % 2)
      odd = all.subarray(even)
      return decoder.write(Buffer.from(all.subarray(0, even)).swap16())
    },
    end: () => decoder.end(),
  }
}

/**
 * The text of a whole file as the index sees it: byte-order mark dropped, lines ended by a line feed, carriage returns gone or
 * blank, NUL shown as `␀`, anything undecodable as U+FFFD. Lines keep their numbers; nothing inside a line moves but
 * undecodable bytes.
 */
export function decodeForIndex(bytes: Buffer, format: TextFormat): string {
  return normaliseLineEnds(maskNul(decodeWhole(bytes.subarray(format.bomBytes), format.encoding)), format.lineEnds)
}

export function maskNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '␀') : text
}

export function normaliseLineEnds(text: string, lineEnds: TextFormat['lineEnds']): string {
  if (!text.includes('\r')) return text
  if (lineEnds === 'cr') return text.replace(/\r\n?/gu, '\n')
  return text.replace(/\r+/gu, (run: string, offset: number) => {
    const next = text[offset + run.length]
    return next === undefined || next === '\n' ? '' : ' '.repeat(run.length)
  })
}
