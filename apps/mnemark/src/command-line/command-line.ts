import { parseArgs } from 'node:util'
import { CommandError } from '../failure.ts'

/** One option of the command line. Without `value` it is a switch. */
export interface OptionSpec {
  readonly short?: string
  /** Placeholder of the value, for the help. */
  readonly value?: string
  /** The allowed values, if there are few: for completion. */
  readonly choices?: readonly string[]
  /** May be given several times; every value counts. */
  readonly isRepeatable?: boolean
  readonly summary: string
}

/** The grammar of all commands. Options of one name mean the same kind of value in every command. */
export interface Grammar {
  readonly globalOptions: Readonly<Record<string, OptionSpec>>
  readonly commands: Readonly<Record<string, { readonly options: Readonly<Record<string, OptionSpec>> }>>
}

/** A parsed command line. `command` is null if only options were given. */
export interface CommandLine {
  readonly command: string | null
  readonly words: readonly string[]
  readonly options: Options
}

/** An unknown command or option, with the known ones. */
export class UnknownWord extends CommandError {
  readonly kind: 'command' | 'option'
  /** Without dashes. */
  readonly typed: string
  /** The words that would have been valid there. */
  readonly words: readonly string[]
  /** Commands that have this option. */
  readonly elsewhere: readonly string[]

  constructor(
    message: string,
    details: Pick<UnknownWord, 'kind' | 'typed' | 'words' | 'next'> & { readonly elsewhere?: readonly string[] },
  ) {
    super(`unknown-${details.kind}`, message, details)
    this.name = 'UnknownWord'
    this.kind = details.kind
    this.typed = details.typed
    this.words = details.words
    this.elsewhere = details.elsewhere ?? []
  }
}

export class Options {
  readonly #values: ReadonlyMap<string, readonly string[]>

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  /** The last value given: a later one corrects an earlier. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.at(-1)
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? []
  }
}

/**
 * Reads a command line: global options stand before or after the command, `--` ends the options. Throws UnknownWord for
 * unknown commands and options, CommandError for missing or needless values.
 */
export function readCommandLine(argv: readonly string[], grammar: Grammar): CommandLine {
  const known = everyOption(grammar)
  const { tokens } = parseArgs({
    args: [...argv],
    options: parserOptions(known),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map<string, string[]>()
  const words: string[] = []
  const commandAt = tokens.findIndex(({ kind }) => kind === 'positional')
  const first = tokens[commandAt]
  const command = first?.kind === 'positional' ? first.value : null
  // The first unknown option is reported first: its value may look like a command.
  const stranger = tokens.slice(0, Math.max(0, commandAt)).find((token) => token.kind === 'option' && !known.has(token.name))
  if (stranger?.kind === 'option') throw unknownOption(stranger, [...known.keys()], { command: null, grammar })
  const allowed = command === null ? known : optionsOf(command, grammar)
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const spec = allowed.get(token.name)
    if (spec === undefined) throw unknownOption(token, [...allowed.keys()], { command, grammar })
    if ((spec.value === undefined) !== (token.value === undefined)) throw wrongValue(token.rawName, spec)
    values.set(token.name, [...(values.get(token.name) ?? []), token.value ?? ''])
  }
  return { command, words: words.slice(1), options: new Options(values) }
}

/** True if `name` comes before `--`: to report a command line that cannot be read. */
export function isTyped(argv: readonly string[], name: string): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).includes(name)
}

function everyOption(grammar: Grammar): ReadonlyMap<string, OptionSpec> {
  const perCommand = Object.values(grammar.commands).flatMap((command) => Object.entries(command.options))
  return new Map([...perCommand, ...Object.entries(grammar.globalOptions)])
}

function parserOptions(known: ReadonlyMap<string, OptionSpec>): Record<string, { type: 'string' | 'boolean'; short?: string }> {
  const entries = [...known].map(([name, { value, short }]) => {
    const type: 'string' | 'boolean' = value === undefined ? 'boolean' : 'string'
    return [name, short === undefined ? { type } : { type, short }] as const
  })
  return Object.fromEntries(entries)
}

/** By name: its own and those of every command. */
function optionsOf(command: string, { globalOptions, commands }: Grammar): ReadonlyMap<string, OptionSpec> {
  const own = Object.hasOwn(commands, command) ? commands[command]?.options : undefined
  if (own !== undefined) return new Map([...Object.entries(globalOptions), ...Object.entries(own)])
  throw new UnknownWord(`unknown command ${JSON.stringify(command)}`, {
    kind: 'command',
    typed: command,
    words: Object.keys(commands),
    next: `mnemark --help lists the commands. To search for it: mnemark search ${JSON.stringify(command)}`,
  })
}

function unknownOption(
  { name, rawName }: { readonly name: string; readonly rawName: string },
  words: readonly string[],
  { command, grammar }: { readonly command: string | null; readonly grammar: Grammar },
): UnknownWord {
  const elsewhere = Object.entries(grammar.commands).filter(([, { options }]) => Object.hasOwn(options, name))
  return new UnknownWord(`unknown option ${rawName}${command === null ? '' : ` for ${command}`}`, {
    kind: 'option',
    typed: name,
    words,
    elsewhere: elsewhere.map(([other]) => other),
    next: `Text that begins with a dash goes after --, as in: mnemark search -- "-draft plan". mnemark ${command === null ? '' : `${command} `}--help lists the options.`,
  })
}

function wrongValue(rawName: string, spec: OptionSpec): CommandError {
  const message = spec.value === undefined ? `${rawName} takes no value` : `${rawName} needs a value: ${rawName} ${spec.value}`
  return new CommandError('bad-option', message, { next: 'mnemark --help lists the options.' })
}
