import type { Invocation } from '../command.ts'
import { loadSettings } from '../config/load-settings.ts'
import type { Settings } from '../config/load-settings.ts'

export interface SettingsNotes {
  /**
   * Which remarks on the settings go to stderr: `warnings` if the answer itself lists untrusted keys, `none` if it lists
   * everything.
   */
  readonly notes?: 'all' | 'warnings' | 'none'
  /** False: do not ask whether to trust the workspace's file. */
  readonly mayAsk?: boolean
}

/** The settings a command works with. A person at the terminal is first asked about a file of the workspace that is not trusted. */
export async function commandSettings(
  invocation: Invocation,
  { notes = 'all', mayAsk = true }: SettingsNotes = {},
): Promise<Settings> {
  const { globalOptions, currentFolder, environment, console } = invocation
  const load = (): Promise<Settings> => loadSettings(globalOptions, currentFolder, environment)
  let settings = await load()
  if (settings.untrusted !== null && !settings.untrusted.isRefused && mayAsk && console.canAsk) {
    const { askForTrust } = await import('../config/ask-for-trust.ts')
    if (await askForTrust(settings.untrusted, settings.workspace, console)) settings = await load()
  }
  if (mayAsk && console.canAsk) await askWhetherMoved(settings, console)
  if (notes !== 'none') for (const warning of settings.warnings) console.note(`mnemark: warning: ${warning}`)
  if (notes === 'all' && settings.untrusted !== null) {
    const { untrustedMessage } = await import('../config/describe-untrusted.ts')
    console.note(`mnemark: ${untrustedMessage(settings.untrusted, settings.workspace)}`)
  }
  return settings
}

/**
 * State kept for a workspace follows a moved folder only after a yes: a copy, or somebody else's folder, may hold the same mark.
 */
async function askWhetherMoved(settings: Settings, console: Invocation['console']): Promise<void> {
  const { adoptState, movedFrom, prepareState } = await import('../state/workspace-state.ts')
  const from = movedFrom(settings)
  if (from === null) return
  const { printableName } = await import('../terminal/isolate.ts')
  const answer = await console.ask(
    `This workspace seems to have been moved here from ${printableName(from)}.\nTake over its kept versions, trash and forgotten notes? [y/N] `,
  )
  if (answer === null) return
  if (/^y(?:es)?$/i.test(answer)) adoptState(settings, from)
  // Once it has its own mark, nobody is asked again.
  else prepareState(settings)
}
