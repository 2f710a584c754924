import type { Options } from './command-line/command-line.ts'
import type { Environment } from './config/expand-variables.ts'
import type { GlobalOptions } from './config/load-settings.ts'
import type { ExitCode } from './exit-code.ts'
import type { Console } from './terminal/console.ts'

/** One run of a command: what was typed, where, and where the answer goes. */
export interface Invocation {
  readonly words: readonly string[]
  readonly options: Options
  readonly globalOptions: GlobalOptions
  readonly console: Console
  readonly environment: Environment
  readonly currentFolder: string
}

export type Command = (invocation: Invocation) => Promise<ExitCode>
