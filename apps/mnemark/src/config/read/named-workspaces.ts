import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { distance } from 'fastest-levenshtein'
import { CommandError } from '../../failure.ts'
import { CONFIG_FILE } from '../files/config-file.ts'
import { isFile, isFolder } from '../files/find-workspace.ts'
import { expandHome } from '../files/home-path.ts'
import { readConfig } from './read-config.ts'
import { userFolders } from '../files/user-folders.ts'

/** The user's names for workspaces, with absolute folders. A folder of the list may be gone. */
export async function readNamedWorkspaces(): Promise<ReadonlyMap<string, string>> {
  const file = namesFile()
  if (!isFile(file)) return new Map()
  const { config } = await readConfig(readFileSync(file, 'utf8'), file)
  const named = Object.entries(config.workspaces ?? {}).map(
    ([name, folder]) => [name, resolve(dirname(file), expandHome(folder))] as const,
  )
  return new Map(named.toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

/** The file of the names: always the user's own, so that no folder and no other file can decide what `-w` means. */
export function namesFile(): string {
  return join(userFolders().config, CONFIG_FILE)
}

/** The folder with this name. Naming is not trusting: its own file counts as it would with `--workspace`. Throws CommandError. */
export async function folderOfName(typed: string): Promise<string> {
  const name = typed.normalize('NFC')
  const named = await readNamedWorkspaces()
  const folder = named.get(name)
  if (folder === undefined) throw unknownName(name, [...named.keys()])
  if (isFolder(folder)) return folder
  throw new CommandError('no-folder', `the workspace ${JSON.stringify(name)} is ${folder}, which is not a folder any more`, {
    next: `Put the folder back, or name its new place: mnemark workspace remove ${name}, then mnemark workspace add ${name} DIR.`,
  })
}

export function unknownName(name: string, names: readonly string[]): CommandError {
  const near = nearNames(name, names)
  const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : names.length > 0 ? `; there is ${names.join(', ')}` : ''
  return new CommandError('no-workspace', `no workspace is named ${JSON.stringify(name)}${hint}`, {
    next: 'mnemark workspace list shows the names; mnemark workspace add NAME DIR gives one. A query that begins with a dash goes after --.',
  })
}

/**
 * Names with the same beginning, or that differ in a third of the letters (a swap counts as two); nearest first, three at most.
 */
function nearNames(name: string, names: readonly string[]): readonly string[] {
  const typed = name.toLowerCase()
  return names
    .map((each) => ({ each, edits: each.toLowerCase().startsWith(typed) ? 0 : distance(typed, each.toLowerCase()) }))
    .filter(({ edits }) => edits <= Math.max(typed.length < 4 ? 1 : 2, Math.floor(typed.length / 3)))
    .toSorted((left, right) => left.edits - right.edits)
    .slice(0, 3)
    .map(({ each }) => each)
}
