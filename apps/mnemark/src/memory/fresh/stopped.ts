import { EXIT } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'

/** A signal from a person or the system ended a command; the message reports what was kept. */
export class Stopped extends CommandError {
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals, { message, next }: { readonly message: string; readonly next: string }) {
    super('stopped', message, { next, exitCode: EXIT.unavailable })
    this.name = 'Stopped'
    this.signal = signal
  }
}
