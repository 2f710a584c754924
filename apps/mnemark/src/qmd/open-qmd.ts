import { type QueryContext, readQuery, withFallback } from '@mnemark/core/backend'
import type { MemoryBackend, SearchQuery, SearchReply } from '@mnemark/spec'
import { createQmdBackend } from '@mnemark/store-qmd'
import type { QmdBackend } from '@mnemark/store-qmd'
import type { ForgottenNotes } from '../state/forgotten-notes.ts'
import { prepareState } from '../state/workspace-state.ts'
import { findQmdPlace, openQmdReader } from './qmd-place.ts'
import type { QmdAgent } from './qmd-place.ts'
import { withoutUndefined } from '../config/without-undefined.ts'

export interface OpenQmdOptions {
  /** Answers while QMD cannot. */
  readonly builtIn: MemoryBackend
  readonly forgotten: ForgottenNotes | null
  readonly isReadOnly: boolean
  /** The context for reading days and places in a query. */
  readonly queryContext: () => QueryContext
  readonly log: ((message: string) => void) | undefined
}
export interface OpenQmd {
  readonly memory: MemoryBackend
  /** For long-running processes. */
  start(): Promise<void>
}

/** QMD in front of the built-in engine, or alone if no fallback is configured. Closing it closes both. */
export async function openQmd(settings: QmdAgent, options: OpenQmdOptions): Promise<OpenQmd> {
  const { qmd, memory } = settings
  if (!options.isReadOnly) prepareState(settings)
  const place = findQmdPlace(settings)
  const backend = createQmdBackend({
    ...place,
    reader: await openQmdReader(settings, place),
    command: qmd.command,
    searchMode: qmd.searchMode,
    update: qmd.update,
    limits: qmd.limits,
    ...withoutUndefined({ citations: memory.citations, log: options.log }),
  })
  // QMD knows only words and globs; queries are parsed for it as for the built-in engine.
  const read = (query: SearchQuery): SearchQuery => readQuery(query, options.queryContext()).query
  const known = withoutForgottenHits(backend, options.forgotten)
  const front = changed(known, {
    search: async (query) => known.search(read(query)),
    list: async ({ filter, ...query }) => {
      const { caller } = query
      const asked = read({ text: '', caller, ...(filter && { filter }) }).filter
      return known.list({ ...query, ...(asked && { filter: asked }) })
    },
  })
  const whole =
    qmd.fallback === 'none'
      ? closingBoth(front, options.builtIn)
      : listingBy(
          options.builtIn,
          withFallback(front, options.builtIn, {
            coolDownMs: qmd.coolDownMs,
            cannotAnswer: (query) => backend.cannotAnswer(read(query)),
          }),
        )
  return { memory: whole, start: () => backend.start() }
}

/** QMD's index keeps a note as long as its file exists; forgotten notes are filtered out here. */
function withoutForgottenHits(backend: QmdBackend, forgotten: ForgottenNotes | null): MemoryBackend {
  if (forgotten === null) return backend
  return changed(backend, {
    search: async (query) => {
      const reply: SearchReply = await backend.search(query)
      const paths = forgotten.read()
      return paths.size === 0 ? reply : { ...reply, hits: reply.hits.filter(({ path }) => !paths.has(path)) }
    },
    list: async ({ filter, ...query }) => {
      const excludePaths = [...forgotten.read()].map(asGlob)
      return backend.list({ ...query, filter: { ...filter, all: [...(filter?.all ?? []), { excludePaths }] } })
    },
  })
}

function asGlob(path: string): string {
  return path.replaceAll(/[*?[\]{}()!+@\\]/g, '\\$&')
}

/** The built-in index has days and tags, which QMD lacks; it is updated when it is asked. */
function listingBy(builtIn: MemoryBackend, memory: MemoryBackend): MemoryBackend {
  return changed(memory, { list: (query) => builtIn.list(query) })
}

function closingBoth(front: MemoryBackend, builtIn: MemoryBackend): MemoryBackend {
  return changed(front, { close: async () => void (await Promise.all([front.close(), builtIn.close()])) })
}

function changed(backend: MemoryBackend, members: Partial<MemoryBackend>): MemoryBackend {
  return {
    specVersion: backend.specVersion,
    name: backend.name,
    search: (query) => backend.search(query),
    list: (query) => backend.list(query),
    read: (request) => backend.read(request),
    sync: (options) => backend.sync(options),
    status: (options) => backend.status(options),
    close: () => backend.close(),
    ...members,
  }
}
