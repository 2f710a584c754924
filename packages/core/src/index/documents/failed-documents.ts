import type { DocumentId, DocumentStat, MemoryStore } from '@mnemark/spec'
import { documentKey } from '@mnemark/spec'

const SETTING = 'index.failed'

/** A document that could not be indexed. It is tried again when it changes, and by every sync except those of searches. */
export interface FailedDocument extends DocumentId {
  readonly reason: string
  readonly size: number
  readonly modifiedAtMs: number
}

export async function readFailed(store: MemoryStore): Promise<ReadonlyMap<string, FailedDocument>> {
  const text = await store.settings.get(SETTING)
  // Only writeFailed writes this setting.
  const failed: FailedDocument[] = text === undefined ? [] : JSON.parse(text)
  return new Map(failed.map((document) => [documentKey(document), document]))
}

export function isStillFailed(failed: ReadonlyMap<string, FailedDocument>, stat: DocumentStat): boolean {
  const known = failed.get(documentKey(stat))
  return known !== undefined && known.size === stat.size && known.modifiedAtMs === stat.modifiedAtMs
}

export function encodeFailed(failed: Iterable<FailedDocument>): { readonly key: string; readonly value: string } {
  return { key: SETTING, value: JSON.stringify([...failed]) }
}
