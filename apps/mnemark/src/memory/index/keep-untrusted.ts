import type { CallOptions, DocumentSource, DocumentStat, MemoryStore, SkippedDocument } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'

const EXTRA = 'extra/'
/** The index keeps the rows of a file that is there and cannot be read. */
const REASON = 'unreadable: extraPaths is not trusted'

/** The source; where `extraPaths` does not count for now, what the index has from there is listed as skipped, so that nothing of it goes. */
export function keepingUntrusted(
  source: DocumentSource,
  { untrusted }: Pick<Settings, 'untrusted'>,
  store: MemoryStore,
): DocumentSource {
  const isWithheld = untrusted?.keys.some(({ path }) => path.at(-1) === 'extraPaths') ?? false
  return isWithheld ? { ...source, list: (options?: CallOptions) => listKeeping(source, store, options) } : source
}

async function* listKeeping(
  source: DocumentSource,
  store: MemoryStore,
  options: CallOptions | undefined,
): AsyncGenerator<DocumentStat | SkippedDocument> {
  yield* source.list(options)
  const snapshot = await store.snapshot()
  try {
    for await (const { path } of snapshot.documents(source.id)) {
      if (path.startsWith(EXTRA)) yield { source: source.id, path, skipped: REASON }
    }
  } finally {
    snapshot.release()
  }
}
