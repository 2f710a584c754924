import { statSync } from 'node:fs'
import type { Root } from './root.ts'

/** Device and inode of each folder that held notes, by its configured path. */
export type RootIdentities = Readonly<Record<string, string>>

/**
 * Remembers which folders held notes. An empty folder in the place of another does not prove that the notes are gone: a disk may
 * not be mounted, or the folder was moved away and made again.
 */
export class KnownRoots {
  readonly #identities = new Map<string, string>()

  /** Folders that held notes in an earlier listing, perhaps of another process. */
  expect(identities: RootIdentities): void {
    for (const [base, identity] of Object.entries(identities)) this.#identities.set(base, identity)
  }

  remember(root: Root): void {
    const identity = identityOf(root)
    if (identity !== null) this.#identities.set(root.base, identity)
  }

  /** True if the folder is not the one that held notes. */
  isReplaced(root: Root): boolean {
    const known = this.#identities.get(root.base)
    const identity = known === undefined ? null : identityOf(root)
    return identity !== null && identity !== known
  }

  get identities(): RootIdentities {
    return Object.fromEntries(this.#identities)
  }
}

/** Null for single files, for folders that could not be read with the roots, and on file systems without inodes. */
export function identityOf(root: Root): string | null {
  if (root.problem !== null || root.file !== null) return null
  const stats = statSync(root.realBase, { bigint: true, throwIfNoEntry: false })
  // Gone since the roots were read.
  if (stats === undefined) return 'gone'
  return stats.ino === 0n ? null : `${stats.dev}:${stats.ino}`
}
