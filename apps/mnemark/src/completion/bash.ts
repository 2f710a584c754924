import type { CommandSpec } from '../command.ts'
import type { OptionSpec } from '../command-line/command-line.ts'
import { valueKindOf, WORKSPACE_NAMES, wordKindOf } from './value-choices.ts'
import type { ValueKind } from './value-choices.ts'

type Options = Readonly<Record<string, OptionSpec>>

/** A completion script for bash: `source <(mnemark completion bash)`. */
export function bashCompletion(commands: Readonly<Record<string, CommandSpec>>, globalOptions: Options): string {
  const all = { ...globalOptions, ...Object.assign({}, ...Object.values(commands).map(({ options }) => options)) } as Options
  return `# bash completion for mnemark
_mnemark() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command='' word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in ${Object.keys(commands).join('|')}) command=$word; break ;; esac
  done
  case $prev in
${valueCases(all)}
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

function valueCases(options: Options): string {
  const cases = Object.entries(options).flatMap(([name, spec]) => {
    const kind = valueKindOf(spec)
    if (kind === null) return []
    const names = [`--${name}`, ...(spec.short === undefined ? [] : [`-${spec.short}`])].join('|')
    return [`    ${names}) ${replyOf(kind, '')}; return ;;`]
  })
  return cases.join('\n')
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
