import { type DocumentId, type DocumentSource, type DocumentStat, type SkippedDocument, WorkspaceError } from '@mnemark/spec'
import { identityOf, type KnownRoots } from './paths/known-roots.ts'
import { createYielder } from './listing/yield-to-event-loop.ts'
import { createTally, type ScanSettings, type ScanTally, scanRoot, SOURCE_ID } from './listing/scan.ts'
import { shownPath } from './listing/shown-path.ts'
import type { RootsSnapshot } from './listing/roots-snapshot.ts'
import type { CheckedWatchOptions } from './watching/watch-options.ts'
import { documentsAt } from './listing/documents-at.ts'
import { readDocument } from './reading/read-document.ts'

const ITEMS_BETWEEN_YIELDS = 256
const BYTES_BETWEEN_YIELDS = 2_000_000
/** Opening a file costs about as much as reading this many bytes. */
const BYTES_PER_OPEN = 8192

/** A note that was not read as plain UTF-8. */
export interface OtherEncoding {
  readonly path: string
  /** As `TextDecoder` calls it. */
  readonly encoding: string
  /** Some bytes mean nothing in it and are shown as U+FFFD. */
  readonly hasLostBytes: boolean
}

/** The notes as a `DocumentSource`, with the findings of its listings and readings. */
export interface WorkspaceSource {
  readonly documents: DocumentSource
  /** The counts of the last complete listing. */
  lastTally(): ScanTally | null
  /** Notes read so far that are not plain UTF-8. */
  otherEncodings(): readonly OtherEncoding[]
}

export interface SourceOptions {
  readonly settings: ScanSettings
  readonly known: KnownRoots
  readonly watch: CheckedWatchOptions
}

export function createSource(snapshotRoots: () => RootsSnapshot, { settings, known, watch }: SourceOptions): WorkspaceSource {
  const yieldWhileReading = createYielder(BYTES_BETWEEN_YIELDS)
  let listed: RootsSnapshot | null = null
  let tally: ScanTally | null = null
  const otherEncodings = new Map<string, OtherEncoding>()
  const documents: DocumentSource = {
    id: SOURCE_ID,
    async *list({ signal } = {}) {
      signal?.throwIfAborted()
      const snapshot = snapshotRoots()
      const current = createTally(snapshot.layout.failures, snapshot.roots.length > 1)
      const yieldAfter = createYielder(ITEMS_BETWEEN_YIELDS)
      listed = snapshot
      for (const root of snapshot.roots) {
        const [before, identity] = [notesMet(current), identityOf(root)]
        for (const item of scanRoot(root, settings, current)) {
          if (item !== null) yield item
          const yielded = yieldAfter(1, signal)
          if (yielded !== undefined) await yielded
        }
        // Missing notes may have gone with the folder itself.
        if (identityOf(root) !== identity) current.failures.push(`${root.label}: it was replaced while it was listed`)
        else if (notesMet(current) > before) known.remember(root)
        else if (known.isReplaced(root)) current.failures.push(`${root.label}: ${REPLACED}`)
      }
      tally = current
      if (current.failures.length > 0) throw incompleteListing(current.failures)
    },
    async *stat(ids, options = {}) {
      options.signal?.throwIfAborted()
      const snapshot = snapshotRoots()
      listed = snapshot
      // Only a listing can tell whether the notes are gone.
      if (snapshot.roots.some((root) => known.isReplaced(root))) return yield* only(ids, documents.list(options))
      const identities = snapshot.roots.map(identityOf)
      const found = documentsAt(ids, snapshot, settings)
      if (snapshot.roots.some((root, index) => identityOf(root) !== identities[index])) {
        throw incompleteListing(['a folder was replaced while it was looked at'])
      }
      if (found.isCertain) yield* found.items
      else yield* only(ids, documents.list(options))
      if (found.failures.length > 0) throw incompleteListing(found.failures)
    },
    shownPath: (place) => shownPath(place, snapshotRoots()),
    watch(onChange) {
      // Loaded here, because most runs do not watch.
      const running = import('./watching/watch.ts').then(
        ({ Watch }) => new Watch({ snapshotRoots, settings, source: documents, options: watch }, onChange),
      )
      return { close: async () => (await running).close() }
    },
    async read(document, { signal } = {}) {
      signal?.throwIfAborted()
      await yieldWhileReading(document.size + BYTES_PER_OPEN, signal)
      listed ??= snapshotRoots()
      const { path } = document
      const { format, ...content } = await readDocument(document, listed, settings)
      const { encoding, hasLostBytes } = format
      if (encoding === 'utf-8' && !hasLostBytes) otherEncodings.delete(path)
      else otherEncodings.set(path, { path, encoding, hasLostBytes })
      return content
    },
  }
  return { documents, lastTally: () => tally, otherEncodings: () => [...otherEncodings.values()] }
}

/** Why an empty folder says nothing about the notes that were there. */
export const REPLACED = 'it is another folder than before and holds no notes; is its disk mounted?'

/** Counts files that are notes, whether indexed, skipped or left out. */
function notesMet({ documents, skipped, leftOut }: ScanTally): number {
  return documents + [...skipped.values()].reduce((sum, count) => sum + count, 0) + (leftOut.get('same-file') ?? 0)
}

async function* only(
  ids: readonly DocumentId[],
  items: AsyncIterable<DocumentStat | SkippedDocument>,
): AsyncGenerator<DocumentStat | SkippedDocument> {
  const wanted = new Set(ids.map(({ path }) => path))
  for await (const item of items) if (wanted.has(item.path)) yield item
}

/** Thrown after everything that could be listed: notes missing from the listing are unknown, not gone. */
function incompleteListing(failures: readonly string[]): WorkspaceError {
  const shown = failures.slice(0, 3).join('; ')
  const rest = failures.length > 3 ? `; and ${failures.length - 3} more` : ''
  return new WorkspaceError('unreadable', `Not everything could be listed: ${shown}${rest}.`)
}
