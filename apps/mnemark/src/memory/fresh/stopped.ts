import { EXIT } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'

/** A person, or the system, ended a command by a signal; what it says is what was kept. */
export class Stopped extends CommandError {
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals, { message, next }: { readonly message: string; readonly next: string }) {
    super('stopped', message, { next, exitCode: EXIT.unavailable })
    this.name = 'Stopped'
    this.signal = signal
  }
}
