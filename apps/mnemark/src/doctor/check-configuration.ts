import { ConfigError } from '@mnemark/spec'
import type { Invocation } from '../command.ts'
import type { Environment } from '../config/expand-variables.ts'
import { loadSettings } from '../config/load-settings.ts'
import type { Settings } from '../config/load-settings.ts'
import { CommandError, toFailure } from '../failure.ts'
import type { Check } from './check.ts'

/** The settings, or null where they cannot be used, with what was found. Throws CommandError for a wrong option. */
export async function checkConfiguration({
  globalOptions,
  currentFolder,
  environment,
}: Invocation): Promise<{ readonly settings: Settings | null; readonly check: Check }> {
  try {
    const settings = await loadSettings(globalOptions, currentFolder, environment)
    return { settings, check: describe(settings) }
  } catch (error) {
    // A wrong option is the caller's mistake and no finding.
    if (error instanceof CommandError || !ConfigError.isInstance(error)) throw error
    const { message, next } = toFailure(error)
    return { settings: null, check: { name: 'configuration', status: 'failed', message, next } }
  }
}

function describe(settings: Settings): Check {
  const file = settings.configFile ?? 'no file, defaults'
  if (settings.switchedOffBy !== null) {
    const message = `${file}: memory is switched off by ${settings.switchedOffBy}`
    return { name: 'configuration', status: 'warning', message }
  }
  const unused = settings.notHonoured.map((key) => `${key} has no effect in this version`)
  const message = [file, ...settings.warnings, ...unused].join('; ')
  if (settings.warnings.length === 0) return { name: 'configuration', status: 'ok', message }
  return { name: 'configuration', status: 'warning', message, next: 'mnemark config check lists every problem.' }
}

/** Environment variables that hold a key, by provider, in the order they are looked at. */
const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  openai: ['OPENAI_API_KEY'],
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  voyage: ['VOYAGE_API_KEY'],
  mistral: ['MISTRAL_API_KEY'],
}

/** Which providers have a key and where from; never the key. A named provider without one is a warning. */
export function checkKeys({ provider, config }: Pick<Settings, 'provider' | 'config'>, environment: Environment): Check {
  const present = configuredKeys(config, environment)
  for (const [name, variables] of Object.entries(KEY_VARIABLES)) {
    const variable = variables.find((candidate) => (environment[candidate] ?? '').trim() !== '')
    if (variable !== undefined && !present.has(name)) present.set(name, `${name} (${variable})`)
  }
  const message = present.size === 0 ? 'none: keywords need none' : `present for ${[...present.values()].join(', ')}`
  const wanted = [provider.requested, ...provider.fallbacks.map(({ id }) => id)].find(
    (name) => name in KEY_VARIABLES && !present.has(name),
  )
  if (wanted === undefined) return { name: 'keys', status: 'ok', message }
  return {
    name: 'keys',
    status: 'warning',
    message: `${message}; none for ${wanted}, which the configuration names`,
    next: `Set ${KEY_VARIABLES[wanted]?.[0]} in the environment, or models.providers.${wanted}.apiKey.`,
  }
}

/** Where the configuration holds a key, by provider. */
function configuredKeys(config: Settings['config'], environment: Environment): Map<string, string> {
  const present = new Map<string, string>()
  for (const [id, provider] of Object.entries(config.models?.providers ?? {})) {
    if (!('apiKey' in provider) || !isPresent(provider.apiKey, environment)) continue
    const name = id === 'google' ? 'gemini' : id
    present.set(name, `${name} (models.providers.${id}.apiKey)`)
  }
  return present
}

/** A text, or an object that says where the secret is kept; `${NAME}` counts where the variable is set. */
function isPresent(value: unknown, environment: Environment): boolean {
  if (typeof value !== 'string') return typeof value === 'object' && value !== null
  const variable = /^\$\{(\w+)\}$/.exec(value.trim())?.[1]
  return (variable === undefined ? value : (environment[variable] ?? '')).trim() !== ''
}
