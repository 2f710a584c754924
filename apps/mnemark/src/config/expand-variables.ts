import { ConfigError } from '@mnemark/spec'

export type Environment = Readonly<Record<string, string | undefined>>

const VARIABLE = /\$?\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/**
 * Replaces `${NAME}` by the environment's value; `$${NAME}` becomes the text `${NAME}`. Throws ConfigError for an unset variable.
 */
export function expandVariables(text: string, key: string, environment: Environment): string {
  return text.replace(VARIABLE, (match, name: string) => {
    if (match.startsWith('$$')) return match.slice(1)
    const value = environment[name]
    if (value === undefined || value === '') {
      throw new ConfigError('unset-variable', `${key} needs the environment variable ${name}, which is not set`)
    }
    return value
  })
}

/** The same for every text inside an object; keys stay as they are. */
export function expandAll(
  values: Readonly<Record<string, unknown>>,
  key: string,
  environment: Environment,
): Readonly<Record<string, unknown>> {
  const expand = (value: unknown, at: string): unknown => {
    if (typeof value === 'string') return expandVariables(value, at, environment)
    if (Array.isArray(value)) return value.map((item, index) => expand(item, `${at}.${index}`))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expand(member, `${at}.${name}`)]))
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(value, `${key}.${name}`)]))
}
