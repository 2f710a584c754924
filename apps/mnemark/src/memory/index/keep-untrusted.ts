import type { CallOptions, DocumentSource, DocumentStat, MemoryStore, SkippedDocument } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'

const EXTRA = 'extra/'
/** The reason makes the index keep the rows of an unreadable file. */
const REASON = 'unreadable: extraPaths is not trusted'

/** Wraps the source: while `extraPaths` is untrusted, indexed notes from there are listed as skipped, so that none is removed. */
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
