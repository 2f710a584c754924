import { join, sep } from 'node:path'
import { otherNotes } from '../paths/agent-files.ts'
import { createYielder } from './yield-to-event-loop.ts'
import type { ScanSettings } from './scan.ts'
import type { RootsSnapshot } from './roots-snapshot.ts'

/** Notes in an agent's workspace that are outside its layout. */
export interface OutsideLayout {
  readonly notes: number
  /** Files and folders at the top that hold them, in order of their names. */
  readonly places: readonly string[]
}

const FOLDERS_BETWEEN_YIELDS = 64

/** The agent's own instructions and skills do not count, nor do notes of an extra path. */
export async function countOutside(
  snapshot: RootsSnapshot,
  settings: ScanSettings,
  signal?: AbortSignal,
): Promise<OutsideLayout> {
  const { layout, workspace, extras } = snapshot
  if (layout.kind === 'plain' || workspace.problem !== null) return { notes: 0, places: [] }
  const yieldAfter = createYielder(FOLDERS_BETWEEN_YIELDS)
  const places = new Set<string>()
  let notes = 0
  for (const path of otherNotes(workspace.realBase, settings.rules)) {
    if (path === null) await yieldAfter(1, signal)
    else if (!extras.some(({ root }) => isBelow(root, join(workspace.realBase, path)))) {
      notes += 1
      places.add(path.includes('/') ? `${path.slice(0, path.indexOf('/'))}/` : path)
    }
  }
  return { notes, places: [...places].sort() }
}

function isBelow(root: RootsSnapshot['extras'][number]['root'], absolute: string): boolean {
  if (root.file !== null) return root.file.realPath === absolute
  if (!absolute.startsWith(root.realBase + sep)) return false
  return root.selects(
    absolute
      .slice(root.realBase.length + 1)
      .split(sep)
      .join('/'),
  )
}
