import { statSync } from 'node:fs'
import { basename } from 'node:path'
import getArgumentsForFile from 'launch-editor/get-args.js'
import { parse } from 'shell-quote'
import type { Environment } from '../config/expand-variables.ts'
import { EXIT } from '../exit-code.ts'
import { CommandError } from '../failure.ts'

/** A program and what it is started with; no shell reads it. */
export interface EditorCommand {
  readonly program: string
  readonly arguments: readonly string[]
  /** The variable it comes from. */
  readonly variable: 'VISUAL' | 'EDITOR'
}

/** Of terminal editors that launch-editor does not know: `+LINE` as in vi. */
const TAKE_PLUS_LINE = new Set(['vi', 'nvi', 'nvim', 'view', 'vis', 'nano', 'pico', 'micro', 'kak', 'ne', 'jed', 'mcedit'])
const TAKE_COLON_LINE = new Set(['hx', 'helix'])

/**
 * How the editor of `VISUAL`, else `EDITOR`, opens an absolute path at a line. An editor that is not known opens the file at its
 * beginning. Throws CommandError `no-editor` or `bad-editor`.
 */
export function editorCommand(file: string, line: number | undefined, environment: Environment): EditorCommand {
  const variable = (['VISUAL', 'EDITOR'] as const).find((name) => (environment[name] ?? '').trim() !== '')
  if (variable === undefined) {
    throw new CommandError('no-editor', 'no editor is named: VISUAL and EDITOR are not set', {
      next: 'Name one, as in: export EDITOR=nano, or: export VISUAL="code --wait".',
      exitCode: EXIT.unavailable,
    })
  }
  const [program = '', ...own] = wordsOf(environment[variable] ?? '', variable, environment)
  return { program, arguments: [...own, ...positionIn(program, file, line)], variable }
}

/** As a shell would split it, and no more: a path with blanks that is a program stays whole. */
function wordsOf(text: string, variable: string, environment: Environment): readonly string[] {
  if (statSync(text, { throwIfNoEntry: false })?.isFile() === true) return [text]
  const words = parse(text, (name) => environment[name] ?? '')
  const plain = words.filter((word) => typeof word === 'string')
  if (plain.length === words.length && plain.length > 0) return plain
  throw new CommandError(
    'bad-editor',
    `${variable} is ${JSON.stringify(text)}: expected a program and its options; no shell runs it`,
    {
      next: 'Put what needs a shell into a script of its own, and name that.',
    },
  )
}

function positionIn(program: string, file: string, line: number | undefined): readonly string[] {
  if (line === undefined) return [file]
  const name = basename(program).replace(/\.(?:exe|cmd|bat)$/i, '')
  if (TAKE_PLUS_LINE.has(name)) return [`+${line}`, file]
  if (TAKE_COLON_LINE.has(name)) return [`${file}:${line}`]
  return getArgumentsForFile(program, file, line).map(String)
}
