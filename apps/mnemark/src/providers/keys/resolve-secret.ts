import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigError } from '@mnemark/spec'
import { expandVariables } from '../../config/expand-variables.ts'
import { expandHome } from '../../config/files/home-path.ts'
import { isObject } from '../../config/schema/is-object.ts'
import type { Found } from '../../config/resolve/layers.ts'
import type { Secret } from '../../config/schema/schema-values.ts'
import type { ProviderSources } from './provider-context.ts'

const MOST_BYTES = 1 << 20

/**
 * The secret itself: a text with its variables, or the target of an OpenClaw reference. Throws ConfigError, never with the secret
 * in it.
 */
export function resolveSecret({ key, value }: Found<Secret>, sources: ProviderSources): string {
  if (typeof value === 'string') {
    const name = /^\$([A-Z_][A-Z0-9_]*)$/.exec(value)?.[1]
    return expandVariables(name === undefined ? value : `\${${name}}`, key, sources.environment)
  }
  if (value.source === 'env') return expandVariables(`\${${value.id}}`, key, sources.environment)
  if (value.source === 'file') return readSecret(key, value, sources)
  const reason = value.source === 'exec' ? 'secrets that a program prints are not followed' : 'its source is not known'
  throw new ConfigError('invalid-value', `${key}: ${reason}; allowed: a text such as "\${NAME}", source "env" or "file"`)
}

function readSecret(key: string, { provider = 'default', id }: Exclude<Secret, string>, sources: ProviderSources): string {
  const place = sources.config.secrets?.providers?.[provider]
  if (place?.path === undefined) {
    throw new ConfigError('invalid-value', `${key} is kept by secrets.providers.${provider}, which has no path`)
  }
  const file = resolve(dirname(sources.trustedFile ?? sources.workspace), expandHome(place.path))
  const text = readText(key, file)
  const secret = place.mode === 'singleValue' ? text.replace(/\r?\n$/, '') : pointedTo(text, id)
  if (typeof secret === 'string' && secret !== '') return secret
  throw new ConfigError('invalid-value', `${key}: ${file} holds no text at ${JSON.stringify(id)}`)
}

function readText(key: string, file: string): string {
  try {
    if (statSync(file).size > MOST_BYTES) throw new ConfigError('invalid-value', `${key}: ${file} is larger than 1 MiB`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (ConfigError.isInstance(error)) throw error
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new ConfigError('invalid-value', `${key}: ${file} cannot be read: ${reason}`)
  }
}

/** Resolves a JSON pointer (RFC 6901); undefined if the text is not JSON or has nothing there. */
function pointedTo(text: string, pointer: string): unknown {
  try {
    const steps = pointer.split('/').slice(1)
    const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    return names.reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined),
      JSON.parse(text),
    )
  } catch {
    return undefined
  }
}
