import type { CommandSpec } from '../command.ts'
import type { OptionSpec } from '../command-line/command-line.ts'
import { valueKindOf, WORKSPACE_NAMES, wordKindOf } from './value-choices.ts'
import type { ValueKind } from './value-choices.ts'

type Options = Readonly<Record<string, OptionSpec>>

/** A completion script for bash: `source <(mnemark completion bash)`. */
export function bashCompletion(commands: Readonly<Record<string, CommandSpec>>, globalOptions: Options): string {
  return `# bash completion for mnemark
_mnemark() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command='' word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in ${Object.keys(commands).join('|')}) command=$word; break ;; esac
  done
  case "$command $prev" in
${valueCases(commands, globalOptions)}
  esac
  if [[ -z $command ]]; then
    COMPREPLY=($(compgen -W "${[...Object.keys(commands), ...flags(globalOptions)].join(' ')}" -- "$cur"))
    return
  fi
  case $command in
${Object.entries(commands)
  .map(([name, spec]) => commandCase(name, spec, globalOptions))
  .join('\n')}
  esac
}
complete -F _mnemark mnemark
`
}

/** The values that may follow an option; named with its command where another command's option of that name takes other values. */
function valueCases(commands: Readonly<Record<string, CommandSpec>>, globalOptions: Options): string {
  const cases = new Map<string, Map<string, string[]>>()
  for (const [command, options] of [['', globalOptions], ...Object.entries(commands).map(optionsOf)] as const) {
    for (const [name, spec] of Object.entries(options)) {
      const kind = valueKindOf(spec)
      if (kind === null) continue
      const names = [`--${name}`, ...(spec.short === undefined ? [] : [`-${spec.short}`])].join(' ')
      const replies = cases.get(names) ?? new Map<string, string[]>()
      cases.set(names, replies.set(replyOf(kind, ''), [...(replies.get(replyOf(kind, '')) ?? []), command]))
    }
  }
  return [...cases].flatMap(([names, replies]) => casesOf(names.split(' '), replies)).join('\n')
}

function optionsOf([command, { options }]: readonly [string, CommandSpec]): readonly [string, Options] {
  return [command, options]
}

function casesOf(names: readonly string[], replies: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [...replies].map(([reply, commands]) => {
    const owners = replies.size === 1 ? ['*'] : commands
    const patterns = owners.flatMap((owner) => names.map((name) => `${owner}' ${name}'`))
    return `    ${patterns.join('|')}) ${reply}; return ;;`
  })
}

function commandCase(name: string, spec: CommandSpec, globalOptions: Options): string {
  const options = [...flags(spec.options), ...flags(globalOptions)].join(' ')
  const word = `[[ $cur != -* ]] && { ${replyOf(wordKindOf(spec), '+')}; }`
  return `    ${name}) COMPREPLY=($(compgen -W "${options}" -- "$cur")); ${word} ;;`
}

function replyOf(kind: ValueKind, plus: '+' | ''): string {
  switch (kind.kind) {
    case 'words':
      return `COMPREPLY${plus}=($(compgen -W "${kind.words.join(' ')}" -- "$cur"))`
    case 'files':
      return `COMPREPLY${plus}=($(compgen -f -- "$cur")); compopt -o filenames 2>/dev/null`
    case 'folders':
      return `COMPREPLY${plus}=($(compgen -d -- "$cur")); compopt -o filenames 2>/dev/null`
    case 'workspaces':
      return `COMPREPLY${plus}=($(compgen -W "$(${WORKSPACE_NAMES})" -- "$cur"))`
    case 'text':
      return ':'
  }
}

function flags(options: Options): readonly string[] {
  return Object.keys(options).map((name) => (name.length === 1 ? `-${name}` : `--${name}`))
}
