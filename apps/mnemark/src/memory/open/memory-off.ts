import type { Settings } from '../../config/load-settings.ts'
import { EXIT } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'

/** Throws CommandError where the configuration switches memory off. */
export function requireMemory({ switchedOffBy, configFile }: Settings): void {
  if (switchedOffBy === null) return
  throw new CommandError('memory-off', `memory is switched off by ${switchedOffBy} in ${configFile}`, {
    exitCode: EXIT.unavailable,
    next: 'Remove that key to switch it on again, or use another configuration with --config FILE.',
  })
}
