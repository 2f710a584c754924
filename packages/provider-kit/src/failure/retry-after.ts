import type { ResponseHeaders } from './service-failure.ts'

const NUMBER = /^\d+(?:\.\d+)?$/
/** The three date forms of HTTP (RFC 9110 §5.6.7); `Date.parse` accepts more, which is ignored. */
const HTTP_DATE = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? /i

/**
 * How long the service asks to wait, in milliseconds from now: `retry-after-ms` first, then `retry-after` as seconds or as a
 * date. Undefined without a readable hint, 0 for a date that has passed. Not capped; the caller decides.
 */
export function retryAfterMs(headers: ResponseHeaders, nowMs: number = Date.now()): number | undefined {
  const milliseconds = headers.get('retry-after-ms')?.trim() ?? ''
  if (NUMBER.test(milliseconds)) return Math.ceil(Number(milliseconds))
  const hint = headers.get('retry-after')?.trim() ?? ''
  if (NUMBER.test(hint)) return Math.ceil(Number(hint) * 1000)
  const dateMs = HTTP_DATE.test(hint) ? Date.parse(/gmt$/i.test(hint) ? hint : `${hint} GMT`) : Number.NaN
  return Number.isFinite(dateMs) ? Math.max(0, dateMs - nowMs) : undefined
}
