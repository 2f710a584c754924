import type { CommandSpec } from '../command.ts'
import type { OptionSpec } from '../command-line/command-line.ts'
import { valueKindOf, WORKSPACE_NAMES, wordKindOf } from './value-choices.ts'
import type { ValueKind } from './value-choices.ts'

type Options = Readonly<Record<string, OptionSpec>>

/** A completion script for zsh: a file `_mnemark` in a folder of `$fpath`. */
export function zshCompletion(commands: Readonly<Record<string, CommandSpec>>, globalOptions: Options): string {
  const described = Object.entries(commands).map(
    ([name, { summary }]) => `    ${quote(`${name}:${summary.replaceAll(':', '\\:')}`)}`,
  )
  const cases = Object.entries(commands).map(([name, spec]) => commandCase(name, spec, globalOptions))
  return `#compdef mnemark
_mnemark() {
  local state line
  local -a commands=(
${described.join('\n')}
  )
  _arguments -C \\
${optionLines(globalOptions, '    ')}
    '1:command:->command' \\
    '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $words[1] in
${cases.join('\n')}
      esac ;;
  esac
}
if [ "$funcstack[1]" = _mnemark ]; then _mnemark "$@"; else compdef _mnemark mnemark; fi
`
}

function commandCase(name: string, spec: CommandSpec, globalOptions: Options): string {
  return `        ${name}) _arguments \\
${optionLines({ ...spec.options, ...globalOptions }, '            ')}
            ${quote(`*:argument:${actionOf(wordKindOf(spec))}`)} ;;`
}

function optionLines(options: Options, indent: string): string {
  return Object.entries(options)
    .map(([name, spec]) => `${indent}${optionLine(name, spec)} \\`)
    .join('\n')
}

function optionLine(name: string, spec: OptionSpec): string {
  const kind = valueKindOf(spec)
  const value = kind === null ? '' : `:${spec.value}:${actionOf(kind)}`
  const repeat = spec.isRepeatable === true ? '*' : ''
  const dashes = name.length === 1 ? '-' : '--'
  return quote(`${repeat}${dashes}${name}[${spec.summary.replace(/[[\]:]/g, '\\$&')}]${value}`)
}

function actionOf(kind: ValueKind): string {
  return kind.kind === 'words' ? `(${kind.words.join(' ')})` : ACTIONS[kind.kind]
}

const ACTIONS = {
  files: '_files',
  folders: '_files -/',
  workspaces: `compadd -- $(${WORKSPACE_NAMES})`,
  text: ' ',
} as const

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
