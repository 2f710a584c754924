import { Transform } from 'node:stream'
import type { TransformCallback } from 'node:stream'
import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { answerToMalformed, malformed } from './malformed-message.ts'
import type { MalformedAnswer } from './malformed-message.ts'

/** A message is one line of at most this many bytes. */
export const MAX_MESSAGE_BYTES: number = 10 * 1_024 * 1_024
const LINE_END = 10
/** How many bytes at each end of an overlong line are kept, to find the id. */
const KEPT_BYTES = 300
/** Where clients write the id: after `jsonrpc` at the beginning, or as the last member, before the final brace. */
const FIRST_ID = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[^"\\]{0,100}")\s*[,}]/u
const LAST_ID = /[,{]\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{0,100}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/u

/** Passes on lines that are messages, one at a time, and has `answer` told what to say to the others: a client that waits for one would wait for good. */
export class MessageLines extends Transform {
  readonly #answer: (answer: MalformedAnswer) => void
  readonly #mostBytes: number
  /** The line that has not ended yet; beyond the limit only its first and last bytes. */
  #pieces: Buffer[] = []
  #bytes = 0

  constructor(answer: (answer: MalformedAnswer) => void, mostBytes: number = MAX_MESSAGE_BYTES) {
    super({ readableObjectMode: true })
    this.#answer = answer
    this.#mostBytes = mostBytes
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      this.#add(chunk.subarray(start, end))
      this.#endLine()
      start = end + 1
    }
    this.#add(chunk.subarray(start))
    done()
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length
    this.#pieces.push(piece)
    if (this.#bytes <= this.#mostBytes) return
    const rest = Buffer.concat(this.#pieces)
    // Copied, because slices would keep the whole line in memory.
    this.#pieces = [Buffer.from(rest.subarray(0, KEPT_BYTES)), Buffer.from(rest.subarray(KEPT_BYTES).subarray(-KEPT_BYTES))]
  }

  #endLine(): void {
    const line = Buffer.concat(this.#pieces)
    const isTooLong = this.#bytes > this.#mostBytes
    this.#pieces = []
    this.#bytes = 0
    const answer = isTooLong ? tooLong(line, this.#mostBytes) : answerToLine(line)
    if (answer === null) this.push(Buffer.concat([line, Buffer.of(LINE_END)]))
    else if (answer !== 'none') this.#answer(answer)
  }
}

function answerToLine(line: Buffer): MalformedAnswer | 'none' | null {
  const text = line.toString('utf8')
  if (text.trim() === '') return 'none'
  // Over stdio there are no lists of messages.
  if (text.trimStart().startsWith('['))
    return malformed(null, ProtocolErrorCode.InvalidRequest, 'Invalid request: one message a line, no list.')
  return answerToMalformed(text)
}

function tooLong(ends: Buffer, mostBytes: number): MalformedAnswer {
  const text = ends.toString('utf8')
  const id = (FIRST_ID.exec(text) ?? LAST_ID.exec(text))?.[1]
  const message = `Invalid request: a message may have ${mostBytes} bytes at most. Send less at a time.`
  return malformed(id === undefined ? null : JSON.parse(id), ProtocolErrorCode.InvalidRequest, message)
}
