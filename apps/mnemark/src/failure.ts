import { BackendError, ConfigError, ProviderError, StoreError, WorkspaceError } from '@mnemark/spec'
import type { StoreErrorCode } from '@mnemark/spec'
import { EXIT } from './exit-code.ts'
import type { ExitCode } from './exit-code.ts'

/** An error that ends a command, with the next step. `code` is stable, for programs. */
export class CommandError extends Error {
  readonly code: string
  readonly exitCode: ExitCode
  readonly next: string

  constructor(code: string, message: string, details: { readonly next: string; readonly exitCode?: ExitCode }) {
    super(message)
    this.name = 'CommandError'
    this.code = code
    this.exitCode = details.exitCode ?? EXIT.usage
    this.next = details.next
  }
}

/** How a failed command is reported: the exit code and the `error` object of `--json`. */
export interface Failure {
  readonly exitCode: ExitCode
  readonly code: string
  readonly message: string
  readonly next: string
}

const DOCTOR = 'Run mnemark doctor --fix.'
const AGAIN = 'Try again in a moment; mnemark doctor looks for the cause.'

const STORE_FAILURES: Record<StoreErrorCode, readonly [ExitCode, string]> = {
  corrupt: [EXIT.broken, DOCTOR],
  'space-mismatch': [EXIT.broken, DOCTOR],
  'schema-too-new': [EXIT.broken, 'Update Mnemark, or remove the index file: it is built again from the notes.'],
  'engine-missing': [EXIT.unavailable, 'Run mnemark doctor: it names the command that repairs the native part.'],
  'read-only': [EXIT.unavailable, 'Name a writable place with --state DIR or with store.path.'],
  full: [EXIT.unavailable, 'Free some space, or name another place with --state DIR or with store.path.'],
  busy: [EXIT.unavailable, 'Another process is writing to this index; try again when it is done.'],
  'lease-held': [EXIT.unavailable, 'Another process is writing to this index; try again when it is done.'],
  closed: [EXIT.unavailable, AGAIN],
  unsupported: [EXIT.unavailable, AGAIN],
  cancelled: [EXIT.unavailable, AGAIN],
}

const SYSTEM_NEXT: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some space on the disk and try again.',
  EACCES: 'Check the permissions of the file.',
  EPERM: 'Check the permissions of the file.',
  EROFS: 'The place is read-only: choose another one.',
  EMFILE: 'Too many files are open on this system; try again with fewer programs running.',
}

/** Turns any thrown value into a failure that a person can act on; never a stack trace. */
export function toFailure(error: unknown): Failure {
  if (error instanceof CommandError) return error
  if (ConfigError.isInstance(error)) {
    return failure(error, EXIT.broken, 'Correct the configuration; docs/configuration.md lists every key.')
  }
  if (StoreError.isInstance(error)) return failure(error, ...STORE_FAILURES[error.code])
  if (WorkspaceError.isInstance(error)) {
    return error.code === 'refused'
      ? failure(error, EXIT.usage, 'mnemark get --help and mnemark append --help show examples.')
      : failure(error, EXIT.unavailable, 'Check that the file can be read, and try again.')
  }
  if (ProviderError.isInstance(error) || BackendError.isInstance(error)) {
    return failure(error, EXIT.unavailable, 'Run mnemark status, or search with --keywords.')
  }
  return systemFailure(error)
}

/** The same for people and logs: a provider's or a program's own words may quote a key. */
export async function toMaskedFailure(error: unknown): Promise<Failure> {
  // Compiling its patterns takes time; a command that succeeds does not need them.
  const { maskMessage } = await import('@mnemark/masking')
  const { exitCode, code, message, next } = toFailure(error)
  return { exitCode, code, message: maskMessage(message), next }
}

function failure(error: Error & { readonly code: string }, exitCode: ExitCode, next: string): Failure {
  return { exitCode, code: error.code, message: error.message, next }
}

function systemFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unexpected'
  const next = SYSTEM_NEXT[code] ?? 'Run mnemark doctor. MNEMARK_DEBUG=1 shows where it happened.'
  return { exitCode: EXIT.unavailable, code, message, next }
}
