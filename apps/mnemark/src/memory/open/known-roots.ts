import type { MemoryStore } from '@mnemark/spec'
import type { RootIdentities, Workspace } from '@mnemark/workspace'
import { keepSetting } from '../index/index-setting.ts'

const SETTING = 'workspace.roots'

type Roots = Pick<Workspace, 'knownRoots' | 'expectRoots'>

/** Tells the workspace where earlier commands found notes: an empty folder there means a disk that is not mounted. */
export async function expectKnownRoots(store: MemoryStore, notes: Roots): Promise<void> {
  // Damaged data is repaired by its next reader.
  const kept = await store.settings.get(SETTING).catch(() => undefined)
  if (kept !== null && kept !== undefined) notes.expectRoots(readRoots(kept))
}

/** Keeps for later commands in which folders this one found notes. What cannot be kept now is kept by the next one. `isForced`: also that there are none. */
export async function keepKnownRoots(store: MemoryStore, notes: Roots, isForced = false): Promise<void> {
  const roots = notes.knownRoots()
  try {
    const kept = await store.settings.get(SETTING)
    const value = JSON.stringify(roots)
    if ((isForced || Object.keys(roots).length > 0) && value !== kept) await keepSetting(store, SETTING, value)
  } catch {
    // Another process writes, or the store is damaged: neither should make the command fail at its end.
  }
}

function readRoots(text: string): RootIdentities {
  try {
    const roots: unknown = JSON.parse(text)
    if (typeof roots !== 'object' || roots === null) return {}
    return Object.fromEntries(Object.entries(roots).flatMap(([base, id]) => (typeof id === 'string' ? [[base, id]] : [])))
  } catch {
    return {}
  }
}
