import { type DocumentId, type DocumentSource, type DocumentStat, type SkippedDocument, WorkspaceError } from '@mnemark/spec'
import { createPacer } from './pacer.ts'
import { createTally, type ScanSettings, type ScanTally, scanRoot, SOURCE_ID } from './scan.ts'
import { shownPath } from './shown-path.ts'
import type { Survey } from './survey.ts'
import type { CheckedWatchOptions } from './watch-options.ts'

const ITEMS_BETWEEN_PAUSES = 256
const BYTES_BETWEEN_PAUSES = 2_000_000
/** Opening a file costs about as much as reading this many bytes. */
const BYTES_PER_OPEN = 8192

/** The notes as a `DocumentSource`, and the counts of the last listing that ran to its end. */
export interface WorkspaceSource {
  readonly documents: DocumentSource
  lastTally(): ScanTally | null
}

export interface SourceOptions {
  readonly settings: ScanSettings
  readonly watch: CheckedWatchOptions
}

export function createSource(takeSurvey: () => Survey, { settings, watch }: SourceOptions): WorkspaceSource {
  const pauseReading = createPacer(BYTES_BETWEEN_PAUSES)
  let listed: Survey | null = null
  let tally: ScanTally | null = null
  const documents: DocumentSource = {
    id: SOURCE_ID,
    async *list({ signal } = {}) {
      signal?.throwIfAborted()
      const survey = takeSurvey()
      const current = createTally(survey.layout.failures, survey.roots.length > 1)
      const pause = createPacer(ITEMS_BETWEEN_PAUSES)
      listed = survey
      for (const root of survey.roots) {
        for (const item of scanRoot(root, settings, current)) {
          if (item !== null) yield item
          const paused = pause(1, signal)
          if (paused !== undefined) await paused
        }
      }
      tally = current
      if (current.failures.length > 0) throw incompleteListing(current.failures)
    },
    async *stat(ids, options = {}) {
      options.signal?.throwIfAborted()
      const survey = takeSurvey()
      listed = survey
      const { documentsAt } = await import('./documents-at.ts')
      const found = documentsAt(ids, survey, settings)
      if (found.isCertain) yield* found.items
      else yield* only(ids, documents.list(options))
      if (found.failures.length > 0) throw incompleteListing(found.failures)
    },
    shownPath: (place) => shownPath(place, takeSurvey()),
    watch(onChange) {
      // Loaded here, because most runs do not watch.
      const running = import('./watch.ts').then(
        ({ Watch }) => new Watch({ takeSurvey, settings, source: documents, options: watch }, onChange),
      )
      return { close: async () => (await running).close() }
    },
    async read(document, { signal } = {}) {
      signal?.throwIfAborted()
      await pauseReading(document.size + BYTES_PER_OPEN, signal)
      listed ??= takeSurvey()
      // Loaded with the first note that changed.
      const { readDocument } = await import('./read-document.ts')
      return readDocument(document, listed, settings)
    },
  }
  return { documents, lastTally: () => tally }
}

async function* only(
  ids: readonly DocumentId[],
  items: AsyncIterable<DocumentStat | SkippedDocument>,
): AsyncGenerator<DocumentStat | SkippedDocument> {
  const wanted = new Set(ids.map(({ path }) => path))
  for await (const item of items) if (wanted.has(item.path)) yield item
}

/** Thrown after everything that could be listed: what is missing from the listing is unknown, not gone. */
function incompleteListing(failures: readonly string[]): WorkspaceError {
  const shown = failures.slice(0, 3).join('; ')
  const rest = failures.length > 3 ? `; and ${failures.length - 3} more` : ''
  return new WorkspaceError('unreadable', `Not everything could be listed: ${shown}${rest}.`)
}
