import { ConfigError } from '@mnemark/spec'
import type { Invocation } from '../command.ts'
import { loadSettings } from '../config/load-settings.ts'
import type { Settings } from '../config/load-settings.ts'
import { untrustedMessage } from '../config/describe-untrusted.ts'
import { CommandError, toFailure } from '../failure.ts'
import type { Check } from './check.ts'

/** Loads the settings, or null if they are unusable, with the findings. Throws CommandError for a wrong option. */
export async function checkConfiguration({
  globalOptions,
  currentFolder,
  environment,
}: Invocation): Promise<{ readonly settings: Settings | null; readonly check: Check }> {
  try {
    const settings = await loadSettings(globalOptions, currentFolder, environment)
    return { settings, check: describe(settings) }
  } catch (error) {
    // A wrong option is the caller's mistake, not a finding.
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
  if (settings.untrusted !== null) {
    const message = untrustedMessage(settings.untrusted, settings.workspace)
    return { name: 'configuration', status: 'warning', message, next: 'mnemark trust shows what they want to do.' }
  }
  const unused = settings.notHonoured.map((key) => `${key} has no effect in this version`)
  const message = [file, ...settings.warnings, ...unused].join('; ')
  if (settings.warnings.length === 0) return { name: 'configuration', status: 'ok', message }
  return { name: 'configuration', status: 'warning', message, next: 'mnemark config check lists every problem.' }
}
