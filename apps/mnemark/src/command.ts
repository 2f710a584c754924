import type { Options, OptionSpec } from './command-line/command-line.ts'
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
  /** All commands there are, for the page of help and for completion. */
  readonly table: CommandTable
}

export type Command = (invocation: Invocation) => Promise<ExitCode>

export interface CommandSpec {
  readonly usage: string
  readonly summary: string
  readonly words: { readonly least: number; readonly most: number }
  /** The first words there are, where they are few: for completion. */
  readonly wordChoices?: readonly string[]
  readonly options: Readonly<Record<string, OptionSpec>>
  readonly examples: readonly string[]
  /** Loads the command's own code only when it is run. */
  readonly load: () => Promise<Command>
}

export interface CommandTable {
  readonly commands: Readonly<Record<string, CommandSpec>>
  readonly globalOptions: Readonly<Record<string, OptionSpec>>
}
