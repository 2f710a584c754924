import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Settings } from '../config/load-settings.ts'
import { userFolders } from '../config/files/user-folders.ts'
import { EXIT } from '../exit-code.ts'
import { CommandError } from '../failure.ts'

const FORM = /^[\w-]{43}$/
const FILE = 'serve.token'

/** The token a client must send, and its source. */
export interface ServeToken {
  readonly token: string
  /** Null if the configuration sets it. */
  readonly file: string | null
  /** True if it was generated just now. */
  readonly isNew: boolean
}

/** The token of the configuration, else the one kept in the user's state folder (or in `--state`), made where there is none; only its owner may read it. */
export function serveToken(
  settings: Pick<Settings, 'serve' | 'stateFolder'>,
  options: { readonly isRenewing?: boolean } = {},
): ServeToken {
  if (settings.serve.token !== null) return { token: settings.serve.token, file: null, isNew: false }
  const file = join(settings.stateFolder ?? userFolders().state, FILE)
  const kept = options.isRenewing === true ? null : readToken(file)
  if (kept !== null) return { token: kept, file, isNew: false }
  return { token: makeToken(file), file, isNew: true }
}

/** Null for a file that is missing or holds something else. Makes the file private, however it was copied here. */
function readToken(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8').trim()
    chmodSync(file, 0o600)
    return FORM.test(text) ? text : null
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw unusable(file, error)
  }
}

function makeToken(file: string): string {
  const token = randomBytes(32).toString('base64url')
  const temporary = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // Written to a temporary file first: nobody ever reads half a token.
    writeFileSync(temporary, `${token}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, file)
    return token
  } catch (error) {
    rmSync(temporary, { force: true })
    throw unusable(file, error)
  }
}

function unusable(file: string, cause: unknown): CommandError {
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
  return new CommandError('no-token', `the token cannot be kept at ${file}: ${reason}`, {
    exitCode: EXIT.unavailable,
    next: 'Name a writable folder with --state DIR, or set serve.token to "${NAME}" of a variable.',
  })
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
