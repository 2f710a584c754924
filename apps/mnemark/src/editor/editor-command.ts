import { basename } from 'node:path'
import getArgumentsForFile from 'launch-editor/get-args.js'
import type { Environment } from '../config/expand-variables.ts'
import { EXIT } from '../exit-code.ts'
import { CommandError } from '../failure.ts'
import { programWords } from './program-words.ts'

/** A program and its arguments; no shell reads them. */
export interface EditorCommand {
  readonly program: string
  readonly arguments: readonly string[]
  /** The variable that names it. */
  readonly variable: 'VISUAL' | 'EDITOR'
}

/** Terminal editors unknown to launch-editor that take `+LINE` as vi does. */
const TAKE_PLUS_LINE = new Set(['vi', 'nvi', 'nvim', 'view', 'vis', 'nano', 'pico', 'micro', 'kak', 'ne', 'jed', 'mcedit'])
const TAKE_COLON_LINE = new Set(['hx', 'helix'])

/**
 * The command to open an absolute path at a line in the editor of `VISUAL`, else `EDITOR`. An unknown editor opens the file at
 * its beginning. Throws CommandError `no-editor` or `bad-program`.
 */
export function editorCommand(file: string, line: number | undefined, environment: Environment): EditorCommand {
  const variable = (['VISUAL', 'EDITOR'] as const).find((name) => (environment[name] ?? '').trim() !== '')
  if (variable === undefined) {
    throw new CommandError('no-editor', 'no editor is named: VISUAL and EDITOR are not set', {
      next: 'Name one, as in: export EDITOR=nano, or: export VISUAL="code --wait".',
      exitCode: EXIT.unavailable,
    })
  }
  const [program = '', ...own] = programWords(variable, environment)
  return { program, arguments: [...own, ...positionIn(program, file, line)], variable }
}

function positionIn(program: string, file: string, line: number | undefined): readonly string[] {
  if (line === undefined) return [file]
  const name = basename(program).replace(/\.(?:exe|cmd|bat)$/i, '')
  if (TAKE_PLUS_LINE.has(name)) return [`+${line}`, file]
  if (TAKE_COLON_LINE.has(name)) return [`${file}:${line}`]
  return getArgumentsForFile(program, file, line).map(String)
}
