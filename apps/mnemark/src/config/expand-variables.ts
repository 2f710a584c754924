import { ConfigError } from '@mnemark/spec'

export type Environment = Readonly<Record<string, string | undefined>>

const VARIABLE = /\$?\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** Puts the environment's values in place of `${NAME}`; `$${NAME}` stays as the text `${NAME}`. Throws ConfigError where one is not set. */
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
