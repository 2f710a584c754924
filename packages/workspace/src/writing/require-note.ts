import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { isAgentInstruction, WorkspaceError } from '@mnemark/spec'

interface Asked {
  /** As `locate` found it. */
  readonly path: string
  /** Undefined where there is no file yet. */
  readonly stats?: Stats | undefined
  /** Real path of the workspace folder. */
  readonly rootPath: string
}

/**
 * Whatever an agent wrote there would be said to every later session as if by the owner.
 * @throws WorkspaceError `refused` for a file that instructs the agent, also under a second name of it
 */
export function requireNote({ path, stats, rootPath }: Asked): void {
  const named = isAgentInstruction(path) ? path : otherName(path, stats, rootPath)
  if (named === null) return
  const which = named === path ? path : `${path} is one file with ${named}, which`
  throw new WorkspaceError(
    'refused',
    `${which} holds instructions for the agent. Write to another note, or change it in an editor.`,
  )
}

/** The file of instructions, at the top or beside the note, that a hard link makes the same file. */
function otherName(path: string, stats: Stats | undefined, rootPath: string): string | null {
  if (stats === undefined || stats.nlink < 2) return null
  const folder = dirname(path)
  const names = [...new Set([...listed(rootPath, ''), ...listed(rootPath, folder === '.' ? '' : `${folder}/`)])]
  return names.find((name) => isAgentInstruction(name) && isSameFile(join(rootPath, name), stats)) ?? null
}

function listed(rootPath: string, prefix: string): readonly string[] {
  return readdirSync(join(rootPath, prefix)).map((name) => prefix + name)
}

function isSameFile(absolute: string, { ino, dev }: Stats): boolean {
  const other = lstatSync(absolute, { throwIfNoEntry: false })
  return other !== undefined && other.ino === ino && other.dev === dev
}
