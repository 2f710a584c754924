import { spawn } from 'node:child_process'
import type { Environment } from '../config/expand-variables.ts'
import { EXIT } from '../exit-code.ts'
import { CommandError } from '../failure.ts'
import { editorCommand } from './editor-command.ts'

export interface OpenAt {
  /** Absolute. */
  readonly file: string
  readonly line?: number
  readonly environment: Environment
  /** True if stdout is for a document: then an editor in the terminal draws on stderr. */
  readonly isJson: boolean
}

/** Opens a file at a line in the user's editor, waits for its end, and returns the program. Throws CommandError. */
export async function openInEditor({ file, line, environment, isJson }: OpenAt): Promise<string> {
  const { program, arguments: argv, variable } = editorCommand(file, line, environment)
  // Ctrl+C belongs to the editor in the same terminal, from its first moment on.
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  try {
    const child = spawn(program, argv, { stdio: ['inherit', isJson ? 2 : 'inherit', 'inherit'] })
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('exit', resolve)
    })
    if (code === 0) return program
    throw new CommandError('editor-failed', `${program} ended with ${code === null ? 'a signal' : `exit code ${code}`}`, {
      next: `Start it by hand to see why: ${variable} names it.`,
      exitCode: EXIT.unavailable,
    })
  } catch (error) {
    if (error instanceof CommandError) throw error
    const reason =
      error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'there is no such program' : String(error)
    throw new CommandError('no-editor', `the editor ${JSON.stringify(program)} of ${variable} cannot be started: ${reason}`, {
      next: `Check ${variable}, and that the program is on PATH.`,
      exitCode: EXIT.unavailable,
    })
  } finally {
    process.off('SIGINT', ignore)
  }
}
