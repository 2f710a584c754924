import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { WireReply } from './exchange.ts'

/**
 * Delivery of a reply: whole; compressed; in pieces without a length; a byte at a time; cut off in the middle; the
 * connection reset before or within it; headers and no body; nothing at all.
 */
export type Delivery = 'whole' | 'gzip' | 'chunked' | 'slow' | 'cut' | 'reset' | 'stall' | 'silence'

const SLOW_PIECES = 50

export function bytesOfReply({ body, lines }: WireReply): Buffer {
  if (lines !== undefined) return Buffer.from([...lines].join(''))
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Sends the reply; resolves when nothing more will be sent. */
export async function deliver(response: ServerResponse, reply: WireReply, delivery: Delivery): Promise<void> {
  if (reply.lines !== undefined && ['whole', 'chunked', 'slow'].includes(delivery)) return inLines(response, reply, reply.lines)
  const bytes = bytesOfReply(reply)
  const type = typeof reply.body === 'string' ? 'text/plain' : 'application/json'
  const headers = { 'content-type': type, ...reply.headers }
  switch (delivery) {
    case 'silence':
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'gzip':
      response.writeHead(reply.status, { ...headers, 'content-encoding': 'gzip' }).end(gzipSync(bytes))
      return
    case 'chunked':
      return inPieces(response.writeHead(reply.status, headers), bytes, 3)
    case 'slow':
      return inPieces(response.writeHead(reply.status, headers), bytes, SLOW_PIECES)
    case 'stall':
    case 'cut':
      return halfOnly(response.writeHead(reply.status, { ...headers, 'content-length': bytes.length }), bytes, delivery)
    case 'whole':
      response.writeHead(reply.status, { ...headers, 'content-length': bytes.length }).end(bytes)
      return
  }
}

async function inPieces(response: ServerResponse, bytes: Buffer, pieces: number): Promise<void> {
  const size = Math.max(1, Math.ceil(bytes.length / pieces))
  for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
    response.write(bytes.subarray(start, start + size))
    await setImmediate()
  }
  response.end()
}

function halfOnly(response: ServerResponse, bytes: Buffer, delivery: 'stall' | 'cut'): Promise<void> {
  return new Promise((resolve) => {
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
      if (delivery === 'cut') response.socket?.destroy()
      resolve()
    })
  })
}

/** Larger pieces: one system call per line would take most of the time. */
const PIECE_LENGTH = 2 ** 18

async function inLines(response: ServerResponse, { status, headers }: WireReply, lines: Iterable<string>): Promise<void> {
  response.writeHead(status, headers)
  // A client that disconnects is no error of the server.
  await pipeline(Readable.from(inSomeSize(lines)), response).catch(() => {})
}

function* inSomeSize(lines: Iterable<string>): Generator<string> {
  let piece = ''
  for (const line of lines) {
    piece += line
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  yield piece
}
