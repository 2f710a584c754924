import type { OptionSpec } from './command-line/command-line.ts'
import { COMMANDS, GLOBAL_OPTIONS } from './commands.ts'
import type { CommandSpec } from './commands.ts'

/** The page of `mnemark --help`. */
export function overview(): string {
  const commands = Object.values(COMMANDS).map((spec) => [spec.usage, spec.summary] as const)
  const examples = Object.values(COMMANDS).flatMap((spec) => spec.examples.slice(0, 1))
  return [
    'Memory search over Markdown notes: cited answers from plain files, in any language.',
    section('Usage', ['mnemark COMMAND [options]']),
    section('Commands', columns(commands)),
    section('Options of every command', columns(optionRows(GLOBAL_OPTIONS))),
    section('Examples', examples),
    'Exit codes: 0 done, 1 nothing found or a check failed, 2 bad use, 3 unavailable, 4 index or configuration broken.',
    'mnemark COMMAND --help shows the options of a command.',
  ].join('\n\n')
}

/** The page of one command. */
export function helpOf(name: string, spec: CommandSpec): string {
  const own = optionRows(spec.options)
  return [
    `mnemark ${name}: ${spec.summary}`,
    section('Usage', [`mnemark ${spec.usage} [options]`]),
    ...(own.length === 0 ? [] : [section('Options', columns(own))]),
    section('Options of every command', columns(optionRows(GLOBAL_OPTIONS))),
    section('Examples', spec.examples),
  ].join('\n\n')
}

function optionRows(options: Readonly<Record<string, OptionSpec>>): readonly (readonly [string, string])[] {
  return Object.entries(options).map(([name, { short, value, summary, isRepeatable }]) => {
    const names = short === undefined ? `--${name}` : `-${short}, --${name}`
    const repeat = isRepeatable === true ? ' (may be repeated)' : ''
    return [value === undefined ? names : `${names} ${value}`, summary + repeat]
  })
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return rows.map(([left, right]) => left.padEnd(width) + right)
}

function section(title: string, lines: readonly string[]): string {
  return [`${title}:`, ...lines.map((line) => `  ${line}`)].join('\n')
}
