import { ConfigError } from '@mnemark/spec'
import type { ServeConfig } from '../schema/config.ts'
import { expandVariables } from '../expand-variables.ts'
import type { Environment } from '../expand-variables.ts'
import type { ServeSettings } from './settings.ts'

const LEAST_TOKEN_CHARACTERS = 16

/** The settings of servers, defaults filled in. Throws ConfigError for a token that could be guessed. */
export function resolveServe(config: ServeConfig = {}, environment: Environment): ServeSettings {
  const token = config.token === undefined ? null : expandVariables(config.token, 'serve.token', environment)
  if (token !== null && !/^[\x21-\x7e]{16,}$/.test(token)) {
    throw new ConfigError(
      'invalid-value',
      `serve.token is a text of ${token.length} characters; allowed: at least ${LEAST_TOKEN_CHARACTERS}, without blanks or letters beyond ASCII`,
    )
  }
  return {
    host: config.host ?? '127.0.0.1',
    port: config.port ?? 4774,
    token,
    allowedHosts: config.allowedHosts ?? [],
    allowedOrigins: config.allowedOrigins ?? [],
    isReadOnly: config.readOnly ?? false,
    isConnector: config.connector ?? false,
    isMasking: config.mask ?? true,
    maxConnections: config.maxConnections ?? 512,
    maxBodyBytes: config.maxBodyBytes ?? 1_048_576,
    requestsPerMinute: config.requestsPerMinute ?? 1_200,
    requestTimeoutMs: (config.requestTimeoutSeconds ?? 120) * 1_000,
  }
}
