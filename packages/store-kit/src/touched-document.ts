import type { DocumentStat, StoredDocument } from '@mnemark/spec'

/**
 * A document with a new stat, as for `ChangeSet.touch`: an inode or version missing from the stat is removed,
 * everything else stays.
 */
export function touchedDocument(document: StoredDocument, stat: DocumentStat): StoredDocument {
  const { inode: _inode, version: _version, ...content } = document
  const { size, modifiedAtMs, inode, version } = stat
  return {
    ...content,
    size,
    modifiedAtMs,
    ...(inode !== undefined && { inode }),
    ...(version !== undefined && { version }),
  }
}
