import { isAscii, isUtf8 } from 'node:buffer'

/** How to decode the bytes of a note. */
export interface TextFormat {
  /** The label for `TextDecoder`. */
  readonly encoding: string
  readonly bomBytes: number
  /** `cr` for old Mac files: no line feed at all, lines end in a carriage return. */
  readonly lineEnds: 'lf' | 'cr'
  /** True if some bytes are not UTF-8; they are shown as U+FFFD. */
  readonly hasLostBytes: boolean
  /** Why the bytes are not text; null if they are. */
  readonly problem: 'binary content' | 'text in an encoding that is not recognised' | null
}

/** How many bytes are examined to recognise an encoding. */
export const SNIFF_BYTES = 65_536

/** Enough for the word around the first unusual byte. */
const CONTEXT_BYTES = 64
const MIN_ODD_CHARACTERS = 16
const MAX_CONTROL_SHARE = 0.02
/** Text still counts as UTF-8 with this many broken characters for each whole one that is not ASCII. */
const MAX_LOST_SHARE = 0.25
/** Text that no encoding fits is read as UTF-8 with this many bytes above ASCII for each byte of it. */
const MAX_STRAY_SHARE = 0.001

/**
 * Examines a note piece by piece, however it is cut, and finds its format. The index and the reader share this class, so that
 * they see the same text.
 */
export class FormatFinder {
  #head: Buffer = Buffer.alloc(0)
  /** The bytes from the first one that is not ASCII, with the word before it. */
  #sample: Buffer = Buffer.alloc(0)
  /** The end of the ASCII text so far. */
  #before: Buffer = Buffer.alloc(0)
  #length = 0
  /** The bytes of a character that is cut by the border of two pieces. */
  #cut: Buffer = Buffer.alloc(0)
  #isUtf8 = true

  take(piece: Buffer): void {
    if (this.#head.length < SNIFF_BYTES) {
      this.#head = Buffer.concat([this.#head, piece.subarray(0, SNIFF_BYTES - this.#head.length)])
    }
    this.#length += piece.length
    if (this.#sample.length < SNIFF_BYTES) this.#takeSample(piece)
    if (!this.#isUtf8 || this.#sample.length === 0) return
    const bytes = this.#cut.length === 0 ? piece : Buffer.concat([this.#cut, piece])
    const whole = bytes.length - unfinishedBytes(bytes)
    this.#isUtf8 = isUtf8(bytes.subarray(0, whole))
    this.#cut = Buffer.from(bytes.subarray(whole))
  }

  #takeSample(piece: Buffer): void {
    const isBegun = this.#sample.length > 0
    const bytes = isBegun ? piece : Buffer.concat([this.#before, piece])
    if (!isBegun && isAscii(bytes)) this.#before = Buffer.from(bytes.subarray(-CONTEXT_BYTES))
    else {
      const from = isBegun ? 0 : Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - CONTEXT_BYTES)
      this.#sample = Buffer.concat([this.#sample, bytes.subarray(from, from + SNIFF_BYTES - this.#sample.length)])
    }
  }

  /** `isWhole`: nothing follows what was taken, so that a character without its end is a broken one. */
  async finish({ isWhole }: { readonly isWhole: boolean }): Promise<TextFormat> {
    const head = this.#head
    const marked = byteOrderMark(head) ?? unmarkedUtf16(head)
    if (marked?.encoding === 'utf-8') return { ...formatOf(head, marked), hasLostBytes: !this.#isWholeUtf8(isWhole) }
    if (marked !== null) return formatOf(head, marked)
    if (this.#isWholeUtf8(isWhole)) {
      return formatOf(head, { encoding: isIso2022(head) ? 'iso-2022-jp' : 'utf-8', bomBytes: 0 })
    }
    return this.#ofOtherEncoding()
  }

  #isWholeUtf8(isWhole: boolean): boolean {
    return this.#isUtf8 && (this.#cut.length === 0 || !isWhole)
  }

  async #ofOtherEncoding(): Promise<TextFormat> {
    const asUtf8 = formatOf(this.#head, { encoding: 'utf-8', bomBytes: 0 })
    if (asUtf8.problem !== null) return asUtf8
    if (isUtf8ButForSome(this.#sample)) return { ...asUtf8, hasLostBytes: true }
    // Loaded only for the few files that need it.
    const { detectEncoding } = await import('./detect-encoding.ts')
    const encoding = detectEncoding(this.#sample)
    if (encoding !== null) return formatOf(this.#head, { encoding, bomBytes: 0 })
    const strays = count(this.#sample.toString('latin1'), /[\x80-\xff]/gu)
    const length = this.#sample.length < SNIFF_BYTES ? this.#length : SNIFF_BYTES
    if (strays <= length * MAX_STRAY_SHARE) return { ...asUtf8, hasLostBytes: true }
    return { ...asUtf8, problem: 'text in an encoding that is not recognised' }
  }
}

/** Finds the format of a whole file. */
export function findFormat(bytes: Buffer): Promise<TextFormat> {
  const finder = new FormatFinder()
  finder.take(bytes)
  return finder.finish({ isWhole: true })
}

/**
 * The format of a file that `append` and `edit` may write to; null for any other encoding and for invalid UTF-8. Needs no
 * detector.
 */
export function plainFormat(bytes: Buffer): TextFormat | null {
  const head = bytes.subarray(0, SNIFF_BYTES)
  const marked = byteOrderMark(head) ?? unmarkedUtf16(head)
  if ((marked !== null && marked.encoding !== 'utf-8') || !isUtf8(bytes) || isIso2022(head)) return null
  const format = formatOf(head, marked ?? { encoding: 'utf-8', bomBytes: 0 })
  return format.problem === null ? format : null
}

type Encoding = Pick<TextFormat, 'encoding' | 'bomBytes'>

function formatOf(head: Buffer, { encoding, bomBytes }: Encoding): TextFormat {
  const text = decodeWhole(head.subarray(bomBytes), encoding)
  const problem = isBinary(text) ? 'binary content' : null
  return { encoding, bomBytes, lineEnds: hasOnlyCarriageReturns(text) ? 'cr' : 'lf', hasLostBytes: false, problem }
}

const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['gb18030', [0x84, 0x31, 0x95, 0x33]],
]

/** Programs that add a byte-order mark to a file that has one leave several. */
function byteOrderMark(head: Buffer): Encoding | null {
  for (const [encoding, mark] of MARKS) {
    let bomBytes = 0
    while (mark.every((byte, index) => head[bomBytes + index] === byte)) bomBytes += mark.length
    if (bomBytes > 0) return { encoding, bomBytes }
  }
  return null
}

const LEAST_UTF16 = 8
const UTF16_SHARE = 0.9

/**
 * UTF-16 without a mark: one byte of each pair is nearly always zero or that of one script, which never happens in other text.
 */
function unmarkedUtf16(head: Buffer): Encoding | null {
  if (head.length < LEAST_UTF16 || head.length % 2 !== 0 || !head.includes(0)) return null
  for (const [encoding, first] of [['utf-16le', 1] as const, ['utf-16be', 0] as const]) {
    const counts = new Map<number, number>()
    let otherZeros = 0
    for (let at = 0; at < head.length; at += 2) {
      const high = head[at + first] ?? 0
      counts.set(high, (counts.get(high) ?? 0) + 1)
      if (head[at + 1 - first] === 0) otherZeros += 1
    }
    const pairs = head.length / 2
    const zeros = counts.get(0) ?? 0
    counts.delete(0)
    const commonest = [...counts.entries()].sort((left, right) => right[1] - left[1])[0]
    const script = commonest !== undefined && commonest[0] < 0x31 ? commonest[1] : 0
    if (zeros >= pairs * 0.05 && zeros + script >= pairs * UTF16_SHARE && otherZeros < pairs * 0.02)
      return { encoding, bomBytes: 0 }
  }
  return null
}

/** Japanese as mail programs encode it: plain bytes, with sequences that switch between tables. */
function isIso2022(head: Buffer): boolean {
  return head.includes('\u001b$B') && head.includes('\u001b(B')
}

/** How many bytes at the end begin a character without completing it. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

/** Characters of several bytes are hardly ever whole by chance. Halves of a pair, written as if they were characters, are UTF-8 too. */
function isUtf8ButForSome(sample: Buffer): boolean {
  const text = sample.toString('latin1').replace(/\xed[\xa0-\xbf][\x80-\xbf]/gu, '')
  const decoded = Buffer.from(text, 'latin1').toString('utf8')
  const lost = count(decoded, /\ufffd/gu)
  if (lost === 0) return true
  return lost <= Math.max(1, count(decoded, /[^\0-\x7f\ufffd]/gu) * MAX_LOST_SHARE) && /[^\0-\x7f\ufffd]/u.test(decoded)
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

function hasOnlyCarriageReturns(text: string): boolean {
  return text.includes('\r') && !text.includes('\n')
}

function isBinary(text: string): boolean {
  let controls = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 9 || (code > 13 && code < 27)) controls += 1
  }
  return controls >= MIN_ODD_CHARACTERS && controls > text.length * MAX_CONTROL_SHARE
}

function decodeWhole(bytes: Buffer, encoding: string): string {
  if (encoding === 'utf-8') return bytes.toString('utf8')
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
}

/** Decodes text piece by piece: characters cut by the border of two pieces come out whole. */
export interface PieceDecoder {
  write(bytes: Buffer): string
  end(): string
}

export function createDecoder(encoding: string): PieceDecoder {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() }
}

/**
 * The text of a whole file as the index sees it: byte-order mark dropped, lines ended by a line feed, carriage returns gone or
 * blank, NUL shown as `␀`, a byte-order mark inside as a blank, anything undecodable as U+FFFD. Lines keep their numbers; nothing inside a
 * line moves but undecodable bytes.
 */
export function decodeForIndex(bytes: Buffer, format: TextFormat): string {
  return normaliseLineEnds(withoutTraps(decodeWhole(bytes.subarray(format.bomBytes), format.encoding)), format.lineEnds)
}

/** Shows NUL as a sign, and a byte-order mark left between two joined files as a blank. */
export function withoutTraps(text: string): string {
  const shown = text.includes('\0') ? text.replaceAll('\0', '␀') : text
  return shown.includes('\ufeff') ? shown.replaceAll('\ufeff', ' ') : shown
}

export function normaliseLineEnds(text: string, lineEnds: TextFormat['lineEnds']): string {
  if (!text.includes('\r')) return text
  if (lineEnds === 'cr') return text.replace(/\r\n?/gu, '\n')
  return text.replace(/\r+/gu, (run: string, offset: number) => {
    const next = text[offset + run.length]
    return next === undefined || next === '\n' ? '' : ' '.repeat(run.length)
  })
}
