import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { parse, sep } from 'node:path'
import { openWorkspace } from '@mnemark/workspace'
import type { Settings } from '../../config/load-settings.ts'
import { EXIT } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import type { Console } from '../../terminal/console.ts'
import { isolate, printable } from '../../terminal/isolate.ts'
import { findIndexPlace } from './index-place.ts'

/** Above either limit, the folder may be the wrong one. */
const MANY_NOTES = 2_000
const MANY_BYTES = 50_000_000
/** The limit of counting: beyond it the folder is large, and the index will report its size. */
const MOST_COUNTED = 20_000

/** The setting that lets servers index a large folder unasked. */
export const LARGE_FOLDER_SETTING = 'agents.defaults.memorySearch.sync.indexLargeFolder: true'
const ASK_HINT = 'mnemark index --yes indexes it; --workspace DIR names another folder.'

/** The notes a first index would take in. */
export interface FirstIndex {
  readonly folder: string
  readonly size: string
  /** True if a person should be asked first. */
  readonly isLarge: boolean
  /** The user's home folder, or one that holds it. */
  readonly isHome: boolean
}

/** Null if there is already an index, or if another program or the user's own store keeps it. */
export async function lookAtFirstIndex(settings: Settings): Promise<FirstIndex | null> {
  if (settings.qmd !== null || settings.storeModule !== null || findIndexPlace(settings) !== null) return null
  const folder = settings.workspace
  if (holdsHome(folder)) return { folder, size: '', isLarge: true, isHome: true }
  const { notes, bytes, isWhole } = await count(settings)
  const size = `${isWhole ? '' : 'more than '}${notes} ${notes === 1 ? 'note' : 'notes'}, ${(bytes / 1_000_000).toFixed(1)} MB`
  return { folder, size, isLarge: notes > MANY_NOTES || bytes > MANY_BYTES, isHome: false }
}

function holdsHome(folder: string): boolean {
  const [real, home] = [realPath(folder), realPath(homedir())]
  return real === home || real === parse(real).root || home.startsWith(real + sep)
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

async function count({ workspace, extraPaths }: Settings): Promise<{ notes: number; bytes: number; isWhole: boolean }> {
  const { source } = await openWorkspace({ root: workspace, extraPaths })
  let notes = 0
  let bytes = 0
  try {
    for await (const item of source.list()) {
      if ('skipped' in item) continue
      notes += 1
      bytes += item.size
      if (notes >= MOST_COUNTED) return { notes, bytes, isWhole: false }
    }
  } catch {
    // The sync reports parts that cannot be listed.
  }
  return { notes, bytes, isWhole: true }
}

/**
 * Names the folder before its first index is made. For a large folder a person at the terminal is asked; without one it goes on.
 * The home folder needs a yes on the command line. Throws CommandError if it must not be made.
 */
export async function settleFirstIndex(
  settings: Settings,
  { console, isAgreed }: { readonly console: Console; readonly isAgreed: boolean },
): Promise<void> {
  const first = await lookAtFirstIndex(settings)
  if (first === null) return
  const folder = isolate(printable(first.folder))
  if (first.isHome && !isAgreed) {
    throw new CommandError('home-folder', `${folder} is your home folder or holds it; nothing was indexed`, {
      next: 'Name a folder of notes with --workspace DIR, or index all of it with mnemark index --yes.',
    })
  }
  // A program knows which folder it named, but is told about a large one.
  if (!console.isJson || first.isLarge)
    console.note(`mnemark: first index of ${folder}${first.size === '' ? '' : `: ${first.size}`}`)
  if (!first.isLarge || isAgreed || settings.sync.indexLargeFolder) return
  if (!console.canAsk) {
    console.note('mnemark: this is a large folder. If another one was meant, stop here and name it with --workspace DIR.')
    return
  }
  const answer = await console.ask('This is a large folder. Index it? [y/N] ')
  if (answer !== null && /^y(?:es)?$/i.test(answer)) return
  throw new CommandError('not-agreed', `nothing was indexed of ${folder}`, { exitCode: EXIT.unavailable, next: ASK_HINT })
}

/** Why an unattended server does not make a first index here; null if it does. */
export function whyHeld({ folder, size, isLarge, isHome }: FirstIndex, settings: Settings): string | null {
  const place = printable(folder)
  if (isHome) {
    return `Nothing is indexed: ${place} is the home folder or holds it. Start the server with --workspace DIR, or run mnemark index --yes there once and start it again.`
  }
  if (!isLarge || settings.sync.indexLargeFolder) return null
  return `Nothing is indexed yet: ${place} is a large folder (${size}). ${LARGE_FOLDER_SETTING} lets the server index it; or run mnemark index --yes there once and start the server again.`
}
