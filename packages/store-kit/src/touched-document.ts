import type { ChangeSet, StoredDocument } from '@mnemark/spec'

/**
 * A document with a new stat, as for `ChangeSet.touch`: an inode or version missing from the stat is removed,
 * everything else stays, but for a recipe that is given.
 */
export function touchedDocument(document: StoredDocument, stat: ChangeSet['touch'][number]): StoredDocument {
  const { inode: _inode, version: _version, ...content } = document
  const { size, modifiedAtMs, inode, version, recipe } = stat
  return {
    ...content,
    size,
    modifiedAtMs,
    ...(inode !== undefined && { inode }),
    ...(version !== undefined && { version }),
    ...(recipe !== undefined && { recipe }),
  }
}
