import { WorkspaceError } from '@mnemark/spec'

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EIO: 'input/output error',
  ENOENT: 'it does not exist',
  ENOTDIR: 'it is not a folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many links',
  EROFS: 'the disk is read-only',
  ENOSPC: 'no space left on the disk',
  EMFILE: 'too many open files',
}

/** The code of a system error, or '' for anything else, such as an error that a caller's function throws. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && SYSTEM_CODE.test(error.code)
    ? error.code
    : ''
}

const SYSTEM_CODE = /^[A-Z][A-Z0-9_]+$/

/** Describes a system error in a few words. Never its own message, which holds an absolute path. */
export function systemReason(error: unknown): string {
  const code = systemCode(error)
  const words = WORDS[code]
  if (words === undefined) return code === '' ? 'it could not be read' : `system error ${code}`
  return `${words} (${code})`
}

/** Error codes of file systems without hard links. */
const LINKLESS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'])

export function hasNoLinks(error: unknown): boolean {
  return LINKLESS.has(systemCode(error))
}

export function isMissing(error: unknown): boolean {
  const code = systemCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** The same message for every refused path, so that a refusal reveals nothing about files outside the roots. */
export function refusedPath(): WorkspaceError {
  return new WorkspaceError('refused', 'This path is not a note of this workspace. Use a path as search shows it.')
}

/** The note or folder is there, or was a moment ago, and could not be read. `cause.code` is ENOENT when it vanished. */
export function unreadable(path: string, cause: unknown): WorkspaceError {
  const what =
    systemCode(cause) === 'ENOENT' ? `${path} vanished before it was read.` : `${path} cannot be read: ${systemReason(cause)}.`
  return new WorkspaceError('unreadable', what, { cause })
}
