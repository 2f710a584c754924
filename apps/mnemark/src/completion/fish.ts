import type { CommandSpec } from '../command.ts'
import type { OptionSpec } from '../command-line/command-line.ts'
import { valueKindOf, WORKSPACE_NAMES, wordKindOf } from './value-choices.ts'
import type { ValueKind } from './value-choices.ts'

type Options = Readonly<Record<string, OptionSpec>>

/** A completion script for fish: `mnemark completion fish | source`. */
export function fishCompletion(commands: Readonly<Record<string, CommandSpec>>, globalOptions: Options): string {
  const lines = Object.entries(commands).flatMap(([name, spec]) => [
    `complete -c mnemark -n __fish_use_subcommand -f -a ${name} -d ${quote(spec.summary)}`,
    `complete -c mnemark -n ${seen(name)} ${WORDS[wordKindOf(spec).kind]}${choicesPart(wordKindOf(spec))}`,
    ...Object.entries(spec.options).map(
      ([option, optionSpec]) => `complete -c mnemark -n ${seen(name)} ${optionPart(option, optionSpec)}`,
    ),
  ])
  const global = Object.entries(globalOptions).map(([name, spec]) => `complete -c mnemark ${optionPart(name, spec)}`)
  return ['# fish completion for mnemark', ...global, ...lines, ''].join('\n')
}

function seen(command: string): string {
  return quote(`__fish_seen_subcommand_from ${command}`)
}

function optionPart(name: string, spec: OptionSpec): string {
  const kind = valueKindOf(spec)
  const short = spec.short === undefined ? '' : ` -s ${spec.short}`
  const long = name.length === 1 ? '' : ` -l ${name}`
  const value = kind === null ? '' : VALUES[kind.kind] + choicesPart(kind)
  return `${short}${long}${value} -d ${quote(spec.summary)}`.trim()
}

function choicesPart(kind: ValueKind): string {
  return kind.kind === 'words' ? ` -a ${quote(kind.words.join(' '))}` : ''
}

const FOLDERS = "-a '(__fish_complete_directories)'"
const NAMES = `-a '(${WORKSPACE_NAMES})'`
const WORDS = { words: '-f', files: '-F', folders: `-f ${FOLDERS}`, workspaces: `-f ${NAMES}`, text: '-f' } as const
const VALUES = { words: ' -x', files: ' -r -F', folders: ` -x ${FOLDERS}`, workspaces: ` -x ${NAMES}`, text: ' -x' } as const

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
