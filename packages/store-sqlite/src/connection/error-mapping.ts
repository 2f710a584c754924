import type { StoreErrorCode } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'

/** The driver's own error class is recognised by name, so that this module does not load the driver. */
interface SqliteFailure extends Error {
  readonly code: string
}

function isSqliteFailure(error: unknown): error is SqliteFailure {
  return error instanceof Error && error.name === 'SqliteError' && 'code' in error && typeof error.code === 'string'
}

export function isBusy(error: unknown): boolean {
  return isSqliteFailure(error) && /^SQLITE_(BUSY|LOCKED)/.test(error.code)
}

/** The side files of the journal cannot be made: the folder is read-only. */
export function isCannotOpen(error: unknown): boolean {
  return isSqliteFailure(error) && /^SQLITE_(CANTOPEN|READONLY)/.test(error.code)
}

const NEXT_STEP = 'Move it away: a new one is built from the notes.'

const RULES: readonly (readonly [pattern: RegExp, code: StoreErrorCode, text: string])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, 'busy', 'is busy: another process is writing to it. Try again.'],
  // Keys are checked before they are written, so a duplicate means a damaged table.
  [/^SQLITE_(CORRUPT|NOTADB|CONSTRAINT_(PRIMARYKEY|ROWID|UNIQUE))/, 'corrupt', `is damaged or not an index. ${NEXT_STEP}`],
  // The second code: no room for the file that the processes share.
  [/^SQLITE_(FULL|IOERR_SHMSIZE)/, 'full', 'cannot grow: the disk is full. Free some space and try again.'],
  [/^SQLITE_(READONLY|PERM|AUTH)/, 'read-only', 'cannot be written: the file or its folder is read-only.'],
  [/^SQLITE_CANTOPEN/, 'read-only', 'cannot be opened. Check that the file and its folder may be read and written.'],
  [
    /^SQLITE_IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHMOPEN|SHMMAP|LOCK)/,
    'read-only',
    'could not be written: the disk reported an error. Check the disk.',
  ],
  [/^SQLITE_IOERR/, 'corrupt', `could not be read or written: the disk reported an error. Check the disk. ${NEXT_STEP}`],
]

/** Converts driver errors to StoreErrors that name the file; other errors are returned unchanged. */
export function mapError(error: unknown, path: string): unknown {
  if (!isSqliteFailure(error)) return error
  const rule = RULES.find(([pattern]) => pattern.test(error.code))
  if (!rule && /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(error.code)) {
    return new TypeError(`A value cannot be kept in the index (${error.message}).`, { cause: error })
  }
  const [, code, text] = rule ?? [undefined, 'corrupt' as const, `does not have the expected tables. ${NEXT_STEP}`]
  return new StoreError(code, `The index ${path} ${text}`, { cause: error })
}

/** The same, including errors of making and opening the file itself. */
export function mapOpenError(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return mapError(error, path)
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
    return new StoreError('full', `The index ${path} cannot be made: the disk is full.`, { cause: error })
  }
  const text = `cannot be made or opened (${String(error.code)}). Check that its folder exists and may be written.`
  return new StoreError('read-only', `The index ${path} ${text}`, { cause: error })
}
