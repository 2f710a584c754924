import type { Invocation } from '../../command.ts'
import { bashCompletion } from '../../completion/bash.ts'
import { fishCompletion } from '../../completion/fish.ts'
import { zshCompletion } from '../../completion/zsh.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

/** Prints what a shell needs to complete commands and options. */
export async function completion({ words, console, table }: Invocation): Promise<ExitCode> {
  const shell = words[0] ?? ''
  if (shell !== 'bash' && shell !== 'zsh' && shell !== 'fish') {
    throw new CommandError('bad-use', `no completion for ${JSON.stringify(shell)}; shells: ${Object.keys(SHELLS).join(', ')}`, {
      next: 'mnemark completion --help shows where each script goes.',
    })
  }
  const script = SHELLS[shell](table.commands, table.globalOptions)
  console.document({ shell, script })
  console.verbatim(script.trimEnd())
  return EXIT.done
}
