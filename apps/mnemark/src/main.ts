import { isTyped, readCommandLine } from './command-line/command-line.ts'
import { COMMANDS, GLOBAL_OPTIONS } from './commands.ts'
import { EXIT } from './exit-code.ts'
import type { ExitCode } from './exit-code.ts'
import { CommandError, toMaskedFailure } from './failure.ts'
import { createConsole } from './output/console.ts'
import type { Console } from './output/console.ts'

/** Runs one command line and returns what the process ends with; whatever goes wrong is reported here. */
export async function main(argv: readonly string[], host: NodeJS.Process): Promise<ExitCode> {
  endQuietlyWhenNobodyReads(host)
  const console = createConsole({
    stdout: host.stdout,
    stderr: host.stderr,
    stdin: host.stdin,
    isJson: isTyped(argv, '--json'),
    isQuiet: isTyped(argv, '--quiet'),
    environment: host.env,
  })
  try {
    return await run(argv, host, console)
  } catch (error) {
    const { exitCode, code, message, next } = await toMaskedFailure(error)
    console.document({ error: { code, message, next } })
    host.stderr.write(`mnemark: ${message}\n${next}\n`)
    if (host.env.MNEMARK_DEBUG === '1' && error instanceof Error) host.stderr.write(`${error.stack}\n`)
    return exitCode
  }
}

async function run(argv: readonly string[], host: NodeJS.Process, console: Console): Promise<ExitCode> {
  const { command, words, options } = readCommandLine(argv, { globalOptions: GLOBAL_OPTIONS, commands: COMMANDS })
  if (options.has('version')) return printVersion(console)
  const spec = command === null ? undefined : COMMANDS[command]
  if (options.has('help')) {
    const { helpOf, overview } = await import('./help.ts')
    const text = command === null || spec === undefined ? overview() : helpOf(command, spec)
    console.document({ help: text })
    console.print(text)
    return EXIT.done
  }
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
      ...named('workspace', options.get('workspace')),
      ...named('agent', options.get('agent')),
      ...named('config', options.get('config')),
      ...named('state', options.get('state')),
    },
    console,
    environment: host.env,
    currentFolder: host.cwd(),
  })
}

function named<Name extends string>(name: Name, value: string | undefined): Partial<Record<Name, string>> {
  // Safe: a record of one known name; TypeScript widens computed keys to string.
  return value === undefined ? {} : ({ [name]: value } as Record<Name, string>)
}

async function printVersion(console: Console): Promise<ExitCode> {
  const { readVersion } = await import('./output/version.ts')
  const version = readVersion()
  console.document({ version })
  console.print(version)
  return EXIT.done
}

/** `mnemark search … | head -1` closes the pipe early; that is no fault. */
function endQuietlyWhenNobodyReads(host: NodeJS.Process): void {
  for (const stream of [host.stdout, host.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') host.exit(EXIT.done)
      throw error
    })
  }
}
