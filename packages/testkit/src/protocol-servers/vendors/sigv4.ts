/** The service's half of AWS Signature Version 4: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
import { createHmac, hash } from 'node:crypto'
import type { WireRequest } from '../wire/exchange.ts'

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([\da-f]{64})$/
/** Headers that the signature must cover if they are sent; it may cover others. */
const ALWAYS_SIGNED = ['host', 'x-amz-date', 'x-amz-security-token']
const CLOCK_TOLERANCE_MS = 5 * 60_000

export interface SignatureExpectation {
  readonly secretAccessKey: string
  readonly service: string
  /** Default: now. */
  readonly nowMs?: number
}

/** The signer of a request, and the region. */
export interface Signer {
  readonly accessKeyId: string
  readonly region: string
}

/** Undefined where the signature is missing, does not match the request, or is of another time. */
export function signerOf(
  request: WireRequest,
  { secretAccessKey, service, nowMs = Date.now() }: SignatureExpectation,
): Signer | undefined {
  const match = AUTHORIZATION.exec(request.headers['authorization'] ?? '')
  if (match === null) return undefined
  const [, accessKeyId = '', day = '', region = '', signedService = '', names = '', signature = ''] = match
  const time = request.headers['x-amz-date'] ?? ''
  const signed = names.split(';')
  const isCovered = ALWAYS_SIGNED.every((name) => request.headers[name] === undefined || signed.includes(name))
  if (signedService !== service || !isCovered || !time.startsWith(day) || !isNear(time, nowMs)) return undefined
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', canonicalRequest(request, signed), 'hex')].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<Buffer>(
    (previous, part) => hmac(previous, part),
    Buffer.from(`AWS4${secretAccessKey}`),
  )
  return hmac(key, text).toString('hex') === signature ? { accessKeyId, region } : undefined
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

function isNear(time: string, nowMs: number): boolean {
  const [, year, month, day, hours, minutes, seconds] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? []
  const sentMs = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`)
  return Math.abs(nowMs - sentMs) <= CLOCK_TOLERANCE_MS
}

/** Path segments are encoded once more than on the wire, for every service but S3. */
function canonicalRequest({ method, path, query, headers, bytes }: WireRequest, signed: readonly string[]): string {
  const uri = path.split('/').map(encoded).join('/')
  const lines = signed.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/\s+/g, ' ')}\n`).join('')
  return [method, uri, query, lines, signed.join(';'), hash('sha256', bytes, 'hex')].join('\n')
}

const encoded = (segment: string): string =>
  encodeURIComponent(segment).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
