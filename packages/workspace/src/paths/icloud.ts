import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { WorkspaceError } from '@mnemark/spec'

/** How a listing marks a note that is not on this machine. The prefix keeps its rows. */
export const NOT_DOWNLOADED = 'unreadable: in iCloud and not downloaded'

/** The note for which iCloud Drive keeps a placeholder of this name until it is downloaded; null for other files. */
export function noteOfPlaceholder(name: string): string | null {
  return /^\.(.+\.(?:md|markdown))\.icloud$/iu.exec(name)?.[1] ?? null
}

export function isNotDownloaded(absolute: string): boolean {
  return existsSync(join(dirname(absolute), `.${basename(absolute)}.icloud`))
}

/** @throws WorkspaceError `unreadable` where the note is in iCloud only: a file made in its place would be in conflict with it */
export function requireDownloaded(path: string, absolute: string): void {
  if (!isNotDownloaded(absolute)) return
  const message = `${path} is in iCloud and not downloaded to this machine; nothing was read or written.`
  throw new WorkspaceError('unreadable', `${message} Open it in Finder, or run brctl download on it, and try again.`)
}
