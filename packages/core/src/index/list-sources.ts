import type {
  CallOptions,
  DocumentId,
  DocumentSource,
  DocumentStat,
  SkippedDocument,
  StoredDocument,
  StoreSnapshot,
} from '@mnemark/spec'
import { documentKey } from './document-key.ts'
import type { KnownDocuments } from './known-documents.ts'

/** What a look at the sources found, beside what the index knows. */
export interface Listing {
  readonly listed: readonly DocumentStat[]
  readonly skipped: readonly SkippedDocument[]
  /** New, changed, or made by another recipe. */
  readonly changed: readonly DocumentStat[]
  readonly removed: readonly DocumentId[]
  /** Sources whose listing did not end well, with the reason: nothing of theirs may be pruned. */
  readonly failedSources: readonly { readonly source: string; readonly reason: string }[]
  readonly known: ReadonlyMap<string, StoredDocument>
}

export interface ListingOptions extends CallOptions {
  readonly recipe: string
  readonly known: KnownDocuments
  /** Everything counts as changed. */
  readonly force?: boolean | undefined
  /** Only these; nothing else is pruned. */
  readonly paths?: readonly DocumentId[] | undefined
  /** Called between documents, so that a long walk lets others work. */
  readonly breathe: () => Promise<void>
}

function isSame(stat: DocumentStat, stored: StoredDocument): boolean {
  if (stat.version !== undefined || stored.version !== undefined) return stat.version === stored.version
  return stat.size === stored.size && stat.modifiedAtMs === stored.modifiedAtMs && stat.inode === stored.inode
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export async function listSources(
  sources: readonly DocumentSource[],
  snapshot: StoreSnapshot,
  options: ListingOptions,
): Promise<Listing> {
  const known = await options.known.of(snapshot)
  const wanted = options.paths && new Set(options.paths.map(documentKey))
  const listed: DocumentStat[] = []
  const skipped: SkippedDocument[] = []
  const failedSources: { source: string; reason: string }[] = []
  const seen = new Set<string>()
  for (const source of sources) {
    try {
      for await (const item of source.list(options)) {
        await options.breathe()
        const key = documentKey(item)
        // What is listed twice is one document.
        if (seen.has(key) || (wanted && !wanted.has(key))) continue
        seen.add(key)
        if ('skipped' in item) skipped.push(item)
        else listed.push(item)
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      failedSources.push({ source: source.id, reason: reasonOf(error) })
    }
  }
  const changed = listed.filter((stat) => {
    const stored = known.get(documentKey(stat))
    return options.force === true || stored === undefined || stored.recipe !== options.recipe || !isSame(stat, stored)
  })
  return {
    listed,
    skipped,
    changed,
    removed: goneFrom(known, { listed, skipped, failedSources, sources, wanted }),
    failedSources,
    known,
  }
}

interface Seen {
  readonly listed: readonly DocumentStat[]
  readonly skipped: readonly SkippedDocument[]
  readonly failedSources: readonly { readonly source: string }[]
  readonly sources: readonly DocumentSource[]
  readonly wanted: ReadonlySet<string> | undefined
}

/**
 * Documents to prune. Of a source that could not be listed whole, and of one that is not asked at all, nothing goes; a file
 * that is there but unreadable keeps its rows, one that is no longer a note (too large now, a pipe) loses them.
 */
function goneFrom(known: ReadonlyMap<string, StoredDocument>, seen: Seen): readonly DocumentId[] {
  const failed = new Set(seen.failedSources.map(({ source }) => source))
  const asked = new Set(seen.sources.map(({ id }) => id).filter((id) => !failed.has(id)))
  const unreadable = seen.skipped.filter(({ skipped }) => skipped.startsWith('unreadable'))
  const present = new Set([...seen.listed, ...unreadable].map(documentKey))
  const gone: DocumentId[] = []
  for (const [key, document] of known) {
    if (asked.has(document.source) && !present.has(key) && (seen.wanted?.has(key) ?? true)) gone.push(document)
  }
  return gone
}
