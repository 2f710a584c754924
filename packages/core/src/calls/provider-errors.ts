import { ProviderError, type ProviderErrorCode, type ProviderErrorDetails } from '@mnemark/spec'

/** The service that is called, for messages. */
export interface Service {
  readonly provider: string
  readonly model: string
}

/** Codes of the operating system, undici and HTTP/2 for a connection that failed or broke. */
const CONNECTION = /^(?:E[A-Z_]+|UND_ERR_\w+|ERR_HTTP2_\w+|ERR_STREAM_PREMATURE_CLOSE)$/
const MAX_CAUSES = 8

export function providerError(
  { provider, model }: Service,
  code: ProviderErrorCode,
  words: string,
  details: Omit<ProviderErrorDetails, 'provider'> = {},
): ProviderError {
  return new ProviderError(code, `${provider} (${model}): ${words}`, { provider, ...details })
}

/**
 * An adapter rejects with ProviderError; other errors are converted here without their message, which may hold
 * anything: a lost connection is `unavailable`, the rest `bad-response`.
 */
export function asProviderError(service: Service, error: unknown): ProviderError {
  if (ProviderError.isInstance(error)) return error
  const code = connectionCode(error)
  return code === undefined
    ? providerError(service, 'bad-response', 'the call failed with an error that is no ProviderError. Report it to its author.')
    : providerError(service, 'unavailable', `the connection failed (${code}). Check that the service can be reached.`)
}

function connectionCode(error: unknown): string | undefined {
  let link = error
  for (let depth = 0; depth < MAX_CAUSES && typeof link === 'object' && link !== null; depth++) {
    if ('code' in link && typeof link.code === 'string' && CONNECTION.test(link.code)) return link.code
    link = 'cause' in link ? link.cause : undefined
  }
  return undefined
}
