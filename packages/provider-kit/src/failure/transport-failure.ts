import { errorChain, textMember } from './error-chain.ts'
import type { ServiceFailure } from './service-failure.ts'

/** OpenSSL's and Node's codes for a certificate or handshake that is not trusted. */
const TLS =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|EPROTO$)/
/** Codes of the operating system, undici and HTTP/2 for a connection that failed or broke. */
const CONNECTION =
  /^(?:ECONN|EPIPE$|ETIMEDOUT$|ENOTFOUND$|EAI_|EHOST|ENET|EADDRNOTAVAIL$|UND_ERR_|ERR_HTTP2_|ERR_STREAM_PREMATURE_CLOSE$|HPE_|Z_BUF_ERROR$)/

/** Classifies a failed connection by the codes along the error's causes, never by messages; undefined if none is known. */
export function transportFailure(error: unknown): ServiceFailure | undefined {
  const codes = errorChain(error).flatMap((link) => textMember(link, 'code') ?? [])
  const tls = codes.find((code) => TLS.test(code))
  if (tls !== undefined) return { code: 'tls', summary: `the connection is not trusted (${tls})` }
  const connection = codes.find((code) => CONNECTION.test(code))
  return connection === undefined ? undefined : { code: 'unavailable', summary: `the connection failed (${connection})` }
}

/** True for the errors that libraries throw at a time-out or an abort. */
export function isTimeout(error: unknown): boolean {
  return errorChain(error).some((link) => ['TimeoutError', 'AbortError'].includes(textMember(link, 'name') ?? ''))
}
