import { homedir } from 'node:os'
import { join } from 'node:path'

/** `~` and `~/…` as the home folder; anything else as it is. */
export function expandHome(path: string): string {
  if (path === '~') return homedir()
  return path.startsWith('~/') || path.startsWith('~\\') ? join(homedir(), path.slice(2)) : path
}
