import { formatExports, qmdVariables } from '@mnemark/store-qmd'
import type { Invocation } from '../../command.ts'
import { loadSettings } from '../../config/load-settings.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { findQmdPlace, usesQmd } from '../../qmd/qmd-place.ts'

/** Prints the environment with which `qmd`, typed by hand, uses the index and models of this agent. */
export async function qmd({ words, options, console, ...invocation }: Invocation): Promise<ExitCode> {
  if (words[0] !== 'env') {
    throw new CommandError('bad-use', `qmd takes "env"; got ${JSON.stringify(words[0])}`, {
      next: 'mnemark qmd --help shows examples.',
    })
  }
  const settings = await loadSettings(invocation.globalOptions, invocation.currentFolder, invocation.environment)
  if (!usesQmd(settings)) {
    throw new CommandError('no-qmd', 'memory.backend is not "qmd": there is no index of QMD for this agent', {
      exitCode: EXIT.unavailable,
      next: 'Set memory.backend to "qmd"; docs/qmd.md says how.',
    })
  }
  const { home } = findQmdPlace(settings)
  const shell = options.get('shell') ?? (process.platform === 'win32' ? 'powershell' : 'posix')
  if (shell !== 'posix' && shell !== 'powershell') {
    throw new CommandError('bad-option', `--shell is ${JSON.stringify(shell)}; allowed: posix, powershell`, {
      next: 'Correct it, or leave it out.',
    })
  }
  console.document({ environment: qmdVariables(home), home: home.root })
  console.verbatim(formatExports(home, shell, invocation.environment))
  return EXIT.done
}
