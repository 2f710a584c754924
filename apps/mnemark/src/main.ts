import { isTyped, readCommandLine, UnknownWord } from './command-line/command-line.ts'
import type { CommandLine, Options } from './command-line/command-line.ts'
import { COMMANDS, GLOBAL_OPTIONS } from './commands.ts'
import { EXIT } from './exit-code.ts'
import type { ExitCode } from './exit-code.ts'
import { CommandError, toMaskedFailure } from './failure.ts'
import { createConsole } from './terminal/console.ts'
import type { Stopped } from './memory/fresh/stopped.ts'
import type { Console } from './terminal/console.ts'
import { readVersion } from './terminal/version.ts'

const TABLE = { commands: COMMANDS, globalOptions: GLOBAL_OPTIONS }

/** Runs one command line and returns the exit code; all errors are reported here. */
export async function main(argv: readonly string[], host: NodeJS.Process): Promise<ExitCode> {
  endQuietlyWhenNobodyReads(host)
  const isAtTerminal = host.stdout.isTTY === true || host.stderr.isTTY === true
  const console = createConsole({
    stdout: host.stdout,
    stderr: host.stderr,
    stdin: host.stdin,
    isJson: isTyped(argv, '--json'),
    isQuiet: isTyped(argv, '--quiet'),
    environment: host.env,
    ...(isAtTerminal && { wrap: (await import('./terminal/wrap-lines.ts')).wrapLines }),
  })
  try {
    return await run(argv, host, console)
  } catch (error) {
    const { exitCode, code, message, next } = await toMaskedFailure(error)
    console.document({ error: { code, message, next } })
    console.fail(`mnemark: ${message}\n${next}`)
    if (host.env.MNEMARK_DEBUG === '1' && error instanceof Error) console.fail(error.stack ?? '')
    // Ends by the same signal, so that a shell running several commands stops as well.
    if (isStopped(error)) host.kill(host.pid, error.signal)
    return exitCode
  }
}

async function run(argv: readonly string[], host: NodeJS.Process, console: Console): Promise<ExitCode> {
  const { command, words, options } = await read(argv)
  if (options.has('version')) return printVersion(console)
  const spec = command === null ? undefined : TABLE.commands[command]
  // Typed without anything: a person who wants to know what there is.
  if (options.has('help') || argv.length === 0) return (await import('./help.ts')).printHelp(console, TABLE, command)
  if (spec === undefined) {
    throw new CommandError('no-command', 'no command given', { next: 'mnemark --help lists the commands.' })
  }
  if (words.length < spec.words.least || words.length > spec.words.most) {
    throw new CommandError('bad-use', `expected: mnemark ${spec.usage}`, { next: `mnemark ${command} --help shows examples.` })
  }
  const execute = await spec.load()
  return execute({
    words,
    options,
    globalOptions: {
      ...named('workspace', await workspaceOf(options)),
      ...named('agent', options.get('agent')),
      ...named('config', options.get('config')),
      ...named('state', options.get('state')),
    },
    console,
    environment: host.env,
    currentFolder: host.cwd(),
    table: TABLE,
  })
}

async function read(argv: readonly string[]): Promise<CommandLine> {
  try {
    return readCommandLine(argv, TABLE)
  } catch (error) {
    if (!(error instanceof UnknownWord)) throw error
    throw (await import('./command-line/did-you-mean.ts')).didYouMean(error)
  }
}

/** The requested folder, by its path or its name. */
async function workspaceOf(options: Options): Promise<string | undefined> {
  const name = options.get('w')?.trim()
  if (name === undefined || name === '') return options.get('workspace')
  if (options.has('workspace') || options.all('w').length > 1) {
    throw new CommandError('bad-use', '-w and --workspace name one workspace between them', { next: 'Give one of them, once.' })
  }
  return (await import('./config/read/named-workspaces.ts')).folderOfName(name)
}

function named<Name extends string>(name: Name, value: string | undefined): Partial<Record<Name, string>> {
  // Safe: a record with one known name; TypeScript widens computed keys to string.
  return value === undefined ? {} : ({ [name]: value } as Record<Name, string>)
}

async function printVersion(console: Console): Promise<ExitCode> {
  const version = readVersion()
  console.document({ version })
  console.print(version)
  return EXIT.done
}

/** Only a command that can be stopped has loaded the class. */
function isStopped(error: unknown): error is Stopped {
  return error instanceof CommandError && error.code === 'stopped'
}

/** `mnemark search … | head -1` closes the pipe early; that is not an error. */
function endQuietlyWhenNobodyReads(host: NodeJS.Process): void {
  for (const stream of [host.stdout, host.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') host.exit(EXIT.done)
      throw error
    })
  }
}
