import type { MemoryBackend, MemoryStore } from '@mnemark/spec'
import { openWorkspace } from '@mnemark/workspace'
import type { Workspace } from '@mnemark/workspace'
import type { Settings } from '../config/load-settings.ts'
import { EXIT } from '../exit-code.ts'
import { CommandError } from '../failure.ts'
import { findIndexPlace, prepareIndexPlace } from './index-place.ts'
import type { IndexPlace } from './index-place.ts'

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
  close(): Promise<void>
}

/** The notes alone: no index is needed to read or append. */
export function openNotes(settings: Settings): Promise<Workspace> {
  return openWorkspace({
    root: settings.workspace,
    extraPaths: settings.extraPaths,
    ...(settings.timeZone === undefined ? {} : { timeZone: settings.timeZone }),
  })
}

/** Loads the SQLite engine only when an index is opened. Throws StoreError. */
export async function openStore(file: string): Promise<MemoryStore> {
  const { openSqliteStore } = await import('@mnemark/store-sqlite')
  return openSqliteStore({ path: file })
}

/** Renames a damaged index with its companions. Returns the new name of the file. */
export async function setAsideIndex(file: string): Promise<string> {
  const { setAsideDamagedStore } = await import('@mnemark/store-sqlite')
  return setAsideDamagedStore(file).at(-1) ?? file
}

/** With `isReadOnly` nothing is made: where there is no index yet, an empty one in memory stands in for it. */
export async function openMemory(settings: Settings, options: { readonly isReadOnly?: boolean } = {}): Promise<OpenMemory> {
  requireSource(settings)
  const place = options.isReadOnly === true ? existingPlace(settings) : prepareIndexPlace(settings)
  const [{ createMemory }, notes, store] = await Promise.all([
    import('@mnemark/core'),
    openNotes(settings),
    openStore(place?.file ?? ':memory:'),
  ])
  try {
    const memory = await createMemory({ store, sources: [notes.source], reader: notes.reader, settings: settings.memory })
    return {
      memory,
      notes,
      indexFile: place?.file ?? null,
      isNew: place?.isNew ?? true,
      note: place?.note ?? null,
      // Closes the store as well.
      close: () => memory.close(),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

function existingPlace(settings: Settings): IndexPlace | null {
  const file = findIndexPlace(settings)
  return file === null ? null : { file, isNew: false, note: null }
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
