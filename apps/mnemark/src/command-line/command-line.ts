import { parseArgs } from 'node:util'
import { CommandError } from '../failure.ts'

/** One option of the command line. Without `value` it is a switch. */
export interface OptionSpec {
  readonly short?: string
  /** Placeholder of the value, for the help. */
  readonly value?: string
  /** The values there are, where they are few: for completion. */
  readonly choices?: readonly string[]
  /** May be given several times; every value counts. */
  readonly isRepeatable?: boolean
  readonly summary: string
}

/** What a command accepts. Options of one name mean the same kind of value in every command. */
export interface Grammar {
  readonly globalOptions: Readonly<Record<string, OptionSpec>>
  readonly commands: Readonly<Record<string, { readonly options: Readonly<Record<string, OptionSpec>> }>>
}

/** What was typed. `command` is null where only options were given. */
export interface CommandLine {
  readonly command: string | null
  readonly words: readonly string[]
  readonly options: Options
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
 * Reads a command line: global options stand before or after the command, `--` ends the options. Throws CommandError for unknown
 * options, missing or needless values, and unknown commands.
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
  const typed: { readonly name: string; readonly rawName: string }[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const spec = known.get(token.name)
    if (spec === undefined) throw unknownOption(token.rawName, [...known.keys()])
    if ((spec.value === undefined) !== (token.value === undefined)) throw wrongValue(token.rawName, spec)
    values.set(token.name, [...(values.get(token.name) ?? []), token.value ?? ''])
    typed.push(token)
  }
  const command = words.shift() ?? null
  if (command !== null) requireOptionsOf(command, typed, grammar)
  return { command, words, options: new Options(values) }
}

/** True where `name` is typed before `--`: for the report of a command line that cannot be read. */
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

function requireOptionsOf(
  command: string,
  typed: readonly { readonly name: string; readonly rawName: string }[],
  grammar: Grammar,
): void {
  const options = Object.hasOwn(grammar.commands, command) ? grammar.commands[command]?.options : undefined
  if (options === undefined) {
    const names = Object.keys(grammar.commands).join(', ')
    throw new CommandError('unknown-command', `unknown command ${JSON.stringify(command)}; commands: ${names}`, {
      next: 'mnemark --help lists what each command does.',
    })
  }
  const allowed = { ...grammar.globalOptions, ...options }
  for (const { name, rawName } of typed) {
    if (!Object.hasOwn(allowed, name)) throw unknownOption(rawName, Object.keys(allowed), command)
  }
}

function unknownOption(rawName: string, known: readonly string[], command?: string): CommandError {
  const place = command === undefined ? '' : ` for ${command}`
  const close = known.find((name) => name.startsWith(rawName.replace(/^-+/, '').slice(0, 3)))
  const hint = close === undefined ? '' : `; did you mean --${close}?`
  return new CommandError('unknown-option', `unknown option ${rawName}${place}${hint}`, {
    next: 'Text that begins with a dash goes after --, as in: mnemark search -- "-draft plan". mnemark --help lists the options.',
  })
}

function wrongValue(rawName: string, spec: OptionSpec): CommandError {
  const message = spec.value === undefined ? `${rawName} takes no value` : `${rawName} needs a value: ${rawName} ${spec.value}`
  return new CommandError('bad-option', message, { next: 'mnemark --help lists the options.' })
}
