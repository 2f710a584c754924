import { createHash, timingSafeEqual } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { validateHostHeader } from '@modelcontextprotocol/server'
import type { Context, MiddlewareHandler } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { cors } from 'hono/cors'
import type { ServeSettings } from '../../config/resolve/settings.ts'
import type { LimitByAddress, RateLimit } from './rate-limit.ts'
import { CALLER_HEADERS } from '../caller-headers.ts'
import { failed } from '../failed.ts'

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]']

/** A page elsewhere cannot reach this server under a name of its own: the names are those of this machine and the configured ones. */
export function onlyAllowedHosts({ host, allowedHosts }: ServeSettings): MiddlewareHandler {
  const names = [...LOCAL_NAMES, host.includes(':') ? `[${host}]` : host, ...allowedHosts].map((name) => name.toLowerCase())
  return async (context, next) => {
    if (validateHostHeader(context.req.header('host')?.toLowerCase(), names).ok) return next()
    return failed(context, 403, {
      code: 'refused-host',
      message: 'This server is not known under that name.',
      next: 'Call it as 127.0.0.1, or add the name to serve.allowedHosts.',
    })
  }
}

/**
 * Browsers state which page a request comes from: only pages of this server and of allowed origins may call. Other programs state
 * nothing.
 */
export function knownOrigin({ allowedOrigins }: ServeSettings): MiddlewareHandler {
  return async (context, next) => {
    const origin = context.req.header('origin')
    const site = context.req.header('sec-fetch-site')
    const own = `http://${context.req.header('host') ?? ''}`
    const isKnown = origin === undefined ? site !== 'cross-site' : origin === own || allowedOrigins.includes(origin)
    if (isKnown) return next()
    return failed(context, 403, {
      code: 'refused-origin',
      message: 'A web page of another origin may not call this server.',
      next: 'Add the origin to serve.allowedOrigins.',
    })
  }
}

/** Lets browsers pass answers to pages of allowed origins. */
export function answersFor({ allowedOrigins }: ServeSettings): MiddlewareHandler {
  return cors({
    origin: [...allowedOrigins],
    allowHeaders: ['Authorization', 'Content-Type', 'Mcp-Session-Id', 'Mcp-Protocol-Version', 'Last-Event-ID', ...CALLER_HEADERS],
    exposeHeaders: ['Mcp-Session-Id', 'Retry-After'],
    maxAge: 600,
  })
}

/** Requires the token. Others are refused, and told to wait if they try too often from one address. */
export function bearer(token: string, strangers: LimitByAddress, known: (socket: Socket) => void = () => {}): MiddlewareHandler {
  const expected = digest(token)
  const body = {
    error: {
      code: 'unauthorised',
      message: 'The request brings no token, or a wrong one.',
      next: 'Send "Authorization: Bearer TOKEN"; mnemark serve token prints it.',
    },
  }
  const isExpected = (given: string): boolean => timingSafeEqual(digest(given), expected)
  const check = bearerAuth({
    verifyToken: isExpected,
    noAuthenticationHeader: { message: body },
    invalidAuthenticationHeader: { message: body },
    invalidToken: { message: body },
  })
  return async (context, next) => {
    const given = /^Bearer +([\w.~+/-]+=*) *$/i.exec(context.req.header('authorization') ?? '')?.[1]
    const socket = socketOf(context)
    if (given === undefined || !isExpected(given)) {
      const waitMs = strangers.take(socket?.remoteAddress ?? '')
      return waitMs === 0 ? check(context, next) : tooOften(context, waitMs)
    }
    if (socket !== null) known(socket)
    return check(context, next)
  }
}

/** The connection of a request; null for a request made in this process. */
function socketOf({ env }: Context): Socket | null {
  const incoming: unknown = typeof env === 'object' && env !== null && 'incoming' in env ? env.incoming : null
  return incoming instanceof IncomingMessage ? incoming.socket : null
}

export function rateLimited(limit: RateLimit): MiddlewareHandler {
  return async (context, next) => {
    const waitMs = limit.take()
    return waitMs === 0 ? next() : tooOften(context, waitMs)
  }
}

function tooOften(context: Context, waitMs: number): Response {
  const seconds = Math.ceil(waitMs / 1_000)
  context.header('Retry-After', String(seconds))
  return failed(context, 429, {
    code: 'too-many-requests',
    message: 'Too many requests in a short time.',
    next: `Wait ${seconds} s; serve.requestsPerMinute allows more.`,
  })
}

/** Answers hold note text, so browsers and proxies must not store them. */
export function notKept(): MiddlewareHandler {
  return async (context, next) => {
    await next()
    const { headers } = context.res
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
    headers.set('Cache-Control', isStream ? 'no-store, no-transform' : 'no-store')
  }
}

export function notTooLarge({ maxBodyBytes }: ServeSettings): MiddlewareHandler {
  const tooLarge = (context: Context): Response => {
    // The rest of the request is not read.
    context.header('Connection', 'close')
    return failed(context, 413, {
      code: 'too-large',
      message: `The request is larger than ${maxBodyBytes} bytes.`,
      next: 'Send less at a time; serve.maxBodyBytes allows more.',
    })
  }
  return async (context, next) => {
    const { raw } = context.req
    const isCounted = raw.headers.has('content-length') && !raw.headers.has('transfer-encoding')
    if (isCounted) return Number(raw.headers.get('content-length')) > maxBodyBytes ? tooLarge(context) : next()
    if (raw.body === null) return next()
    const body = await readBody(raw.body, maxBodyBytes)
    if (body === null) return tooLarge(context)
    const { url, method, headers, signal } = raw
    context.req.raw = new Request(url, { method, headers, body, signal })
    return next()
  }
}

/** Joins a body sent in pieces; null if it is longer than `mostBytes`. */
async function readBody(body: ReadableStream<Uint8Array>, mostBytes: number): Promise<Blob | null> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > mostBytes) return null
    pieces.push(new Uint8Array(piece))
  }
  return new Blob(pieces)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
