import type { CommandSpec, CommandTable, Invocation } from './command.ts'
import { UnknownWord } from './command-line/command-line.ts'
import type { OptionSpec } from './command-line/command-line.ts'
import { EXIT } from './exit-code.ts'
import type { ExitCode } from './exit-code.ts'
import type { Console } from './terminal/console.ts'

/** `mnemark help`, with or without a command. */
export async function help({ words: [name], console, table }: Invocation): Promise<ExitCode> {
  if (name === undefined || Object.hasOwn(table.commands, name)) return printHelp(console, table, name ?? null)
  const unknown = new UnknownWord(`unknown command ${JSON.stringify(name)}`, {
    kind: 'command',
    typed: name,
    words: Object.keys(table.commands),
    next: 'mnemark help lists the commands.',
  })
  throw (await import('./command-line/did-you-mean.ts')).didYouMean(unknown)
}

export function printHelp(console: Console, table: CommandTable, command: string | null): ExitCode {
  const spec = command === null ? undefined : table.commands[command]
  const text =
    command === null || spec === undefined
      ? overview(table, console.columns)
      : helpOf({ name: command, spec, table }, console.columns)
  console.document({ help: text })
  console.print(text)
  return EXIT.done
}

/** The page of `mnemark --help`; `cells` of a line, or null where it is no terminal. */
function overview({ commands: specs, globalOptions }: CommandTable, cells: number | null): string {
  const commands = Object.values(specs).map((spec) => [spec.usage, spec.summary] as const)
  const examples = Object.values(specs).flatMap((spec) => spec.examples.slice(0, 1))
  return [
    'Memory search over Markdown notes: cited answers from plain files, in any language.',
    section('Usage', ['mnemark COMMAND [options]']),
    section('Commands', columns(commands, cells)),
    section('Options of every command', columns(optionRows(globalOptions), cells)),
    section('Examples', examples),
    'Exit codes: 0 done, 1 nothing found or a check failed, 2 bad use, 3 unavailable, 4 index or configuration broken.',
    'mnemark COMMAND --help shows the options of a command.',
  ].join('\n\n')
}

/** The page of one command. */
function helpOf(
  { name, spec, table }: { readonly name: string; readonly spec: CommandSpec; readonly table: CommandTable },
  cells: number | null,
): string {
  const own = optionRows(spec.options)
  return [
    `mnemark ${name}: ${spec.summary}`,
    section('Usage', [`mnemark ${spec.usage} [options]`]),
    ...(own.length === 0 ? [] : [section('Options', columns(own, cells))]),
    section('Options of every command', columns(optionRows(table.globalOptions), cells)),
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

/** Lays out two columns; where the first is too wide, the second goes below it. */
function columns(rows: readonly (readonly [string, string])[], cells: number | null): readonly string[] {
  const most = cells === null ? Number.POSITIVE_INFINITY : Math.floor(cells / 3)
  const width = Math.max(0, ...rows.map(([left]) => left.length).filter((length) => length <= most)) + 2
  return rows.flatMap(([left, right]) => (left.length <= most ? [left.padEnd(width) + right] : [left, ' '.repeat(width) + right]))
}

function section(title: string, lines: readonly string[]): string {
  return [`${title}:`, ...lines.map((line) => `  ${line}`)].join('\n')
}
