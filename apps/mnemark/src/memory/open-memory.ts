import type { Degradation, MemoryBackend } from '@mnemark/spec'
import type { SqliteMemoryStore } from '@mnemark/store-sqlite'
import { openWorkspace } from '@mnemark/workspace'
import type { WatchOptions, Workspace } from '@mnemark/workspace'
import type { Settings } from '../config/load-settings.ts'
import { EXIT } from '../exit-code.ts'
import { CommandError } from '../failure.ts'
import { findHistoryPlace, findIndexPlace, prepareIndexPlace } from './index-place.ts'
import { ForgottenNotes, withoutForgotten } from './forgotten-notes.ts'
import { MendingMemory } from './mending-memory.ts'
import type { OpenIndex } from './mending-memory.ts'
import { setAsideIndex } from './set-aside-index.ts'

// The only place where the packages are joined: notes, store and engine.

/** Everything open for one command. */
export interface OpenMemory {
  readonly memory: MemoryBackend
  readonly notes: Workspace
  /** The index file; null where there is none yet and nothing may be written. */
  readonly indexFile: string | null
  /** True where this command made the index. */
  readonly isNew: boolean
  /** What is unusual about the place of the index, else null. */
  readonly note: string | null
  /** The store under the memory, as it is now. */
  readonly store: SqliteMemoryStore
  /** Repairs of the index that no search reply has told yet. */
  takeRepairs(): readonly Degradation[]
  /** Closes the store as well. */
  close(): Promise<void>
}

/** The notes alone: no index is needed to read, append or edit. */
export function openNotes(settings: Settings, watch: WatchOptions = {}): Promise<Workspace> {
  const historyDir = findHistoryPlace(settings)
  return openWorkspace({
    root: settings.workspace,
    extraPaths: settings.extraPaths,
    watch,
    ...(historyDir === null ? {} : { historyDir }),
    ...(settings.timeZone === undefined ? {} : { timeZone: settings.timeZone }),
  })
}

/** Loads the SQLite engine only when an index is opened. Throws StoreError. */
export async function openStore(file: string, isErasing = false): Promise<SqliteMemoryStore> {
  const { openSqliteStore } = await import('@mnemark/store-sqlite')
  return openSqliteStore({ path: file, isErasing })
}

export interface OpenOptions {
  readonly isReadOnly?: boolean
  /** Overwrite what is deleted. */
  readonly isErasing?: boolean
  /** How the notes are watched, where they are. */
  readonly watch?: WatchOptions
}

/**
 * With `isReadOnly` nothing is made or repaired: where there is no index yet, an empty one in memory stands in for it. Otherwise a
 * damaged index is repaired, or set aside and built again, on the way.
 */
export async function openMemory(settings: Settings, options: OpenOptions = {}): Promise<OpenMemory> {
  requireSource(settings)
  const isReadOnly = options.isReadOnly === true
  const place = isReadOnly ? findIndexPlace(settings) : prepareIndexPlace(settings)
  // The engine is loaded beside the notes, before it is needed.
  const [notes, { fileIdentity }] = await Promise.all([
    openNotes(settings, options.watch),
    import('@mnemark/store-sqlite'),
    import('@mnemark/core'),
  ])
  const common = { notes, indexFile: place?.file ?? null, isNew: place?.isNew ?? true, note: place?.note ?? null }
  if (isReadOnly || place === null) {
    const index = await openIndex({ file: place?.file ?? ':memory:', notes, settings, isErasing: false })
    return { ...common, ...index, takeRepairs: () => [], close: () => index.memory.close() }
  }
  let identity = fileIdentity(place.file)
  const open = async (): Promise<OpenIndex> => {
    const index = await openIndex({ file: place.file, notes, settings, isErasing: options.isErasing === true })
    identity = fileIdentity(place.file)
    return index
  }
  const memory = await MendingMemory.open({ open, setAside: (error) => setAsideIndex({ ...place, identity }, error) })
  return {
    ...common,
    memory,
    get store() {
      return memory.store
    },
    takeRepairs: () => memory.takeRepairs(),
    close: () => memory.close(),
  }
}

interface IndexOptions {
  readonly file: string
  readonly notes: Workspace
  readonly settings: Settings
  readonly isErasing: boolean
}

async function openIndex({ file, notes, settings, isErasing }: IndexOptions): Promise<OpenIndex> {
  const { createMemory } = await import('@mnemark/core')
  const store = await openStore(file, isErasing)
  try {
    const source = withoutForgotten(notes.source, new ForgottenNotes(file))
    const memory = await createMemory({ store, sources: [source], reader: notes.reader, settings: settings.memory })
    return { store, memory }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Without its one source the index would look emptied, and every search would find nothing without a word. */
function requireSource({ sources }: Settings): void {
  if (sources.includes('memory')) return
  throw new CommandError(
    'no-source',
    `memorySearch.sources names only ${sources.map((source) => `"${source}"`).join(', ') || 'nothing'}`,
    {
      exitCode: EXIT.unavailable,
      next: 'Add "memory", the only source of this version.',
    },
  )
}
