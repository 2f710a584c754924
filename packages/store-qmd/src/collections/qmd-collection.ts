import { type Dirent, readdirSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** A folder QMD indexes, and the form of its paths in answers. */
export interface QmdCollection {
  readonly name: string
  readonly source: 'memory' | 'sessions'
  /** Absolute path. */
  readonly folder: string
  /** A glob below `folder`. */
  readonly pattern: string
  /** Prefix of the path below `folder`: '' or a folder of the workspace, `qmd/<name>/` outside it. */
  readonly prefix: string
  /** True where the folder may be absent without an error. */
  readonly isOptional?: boolean
}
export interface CollectionSettings {
  /** Absolute path. */
  readonly workspace: string
  /** Whether to include the notes: MEMORY.md and related files, the memory folder, the bank. Default: true. */
  readonly includeDefaultMemory?: boolean
  /** Further folders, or single files; relative to the workspace, or absolute. */
  readonly paths?: readonly { readonly path: string; readonly pattern?: string; readonly name?: string }[]
  /** Folder of exported session transcripts, where they are searched. */
  readonly sessionsFolder?: string | null
}

export const SESSIONS_COLLECTION = 'sessions'
const ALL_NOTES = '**/*.{md,markdown}'
const OTHER_NOTES = ['SOUL.md', 'USER.md', 'bank/**/*.md', 'bank/**/*.markdown']

/** The collections of an agent, in the order of the settings, each name once. Reads the workspace folder only. */
export function planCollections(settings: CollectionSettings): readonly QmdCollection[] {
  const { workspace, includeDefaultMemory = true, paths = [], sessionsFolder = null } = settings
  const planned: QmdCollection[] = includeDefaultMemory ? defaultCollections(workspace) : []
  if (sessionsFolder !== null) {
    planned.push({
      name: SESSIONS_COLLECTION,
      source: 'sessions',
      folder: sessionsFolder,
      pattern: ALL_NOTES,
      prefix: `qmd/${SESSIONS_COLLECTION}/`,
    })
  }
  for (const { path, pattern, name } of paths) {
    const { folder, file } = split(resolve(workspace, path))
    const free = freeName(name ?? basename(file === null ? folder : join(folder, file)), planned)
    planned.push({
      name: free,
      source: 'memory',
      folder,
      pattern: file ?? pattern ?? '**/*.md',
      prefix: prefixInside(workspace, folder) ?? `qmd/${free}/`,
    })
  }
  return planned
}

/** Only one of MEMORY.md and memory.md, by the name on disk: on case-insensitive systems both would be one file. */
function defaultCollections(workspace: string): QmdCollection[] {
  const entries = list(workspace)
  const hasFile = (name: string): boolean => entries.some((entry) => entry.name === name && entry.isFile())
  const folder = (name: string): string | undefined =>
    [name, ...entries.map((entry) => entry.name).sort()].find(
      (candidate) => candidate.toLowerCase() === name && entries.some((entry) => entry.name === candidate && entry.isDirectory()),
    )
  const root = { name: 'memory-root', source: 'memory', folder: workspace, prefix: '' } as const
  const memory = folder('memory')
  if (!hasFile('MEMORY.md') && memory !== 'memory') return [{ ...root, pattern: ALL_NOTES }]
  const curated = !hasFile('MEMORY.md') && hasFile('memory.md') ? 'memory.md' : 'MEMORY.md'
  const notes = [curated, ...OTHER_NOTES.map((pattern) => pattern.replace(/^bank/, folder('bank') ?? 'bank'))]
  const logs = memory ?? 'memory'
  return [
    { ...root, pattern: `{${notes.join(',')}}` },
    {
      name: 'memory-dir',
      source: 'memory',
      folder: join(workspace, logs),
      pattern: ALL_NOTES,
      prefix: `${logs}/`,
      isOptional: true,
    },
  ]
}

function list(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function split(path: string): { readonly folder: string; readonly file: string | null } {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? /\.(?:md|markdown)$/i.test(path)
  return isFile ? { folder: dirname(path), file: basename(path) } : { folder: path, file: null }
}

function freeName(wanted: string, planned: readonly QmdCollection[]): string {
  const plain =
    wanted
      .normalize('NFC')
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
      .replaceAll(/^[-.]+|(?<!-)-+$/g, '') || 'notes'
  const isTaken = (name: string): boolean => planned.some((collection) => collection.name.toLowerCase() === name.toLowerCase())
  let name = plain
  for (let count = 2; isTaken(name); count += 1) name = `${plain}-${count}`
  return name
}

function prefixInside(workspace: string, folder: string): string | null {
  const path = relative(workspace, folder)
  if (path === '') return ''
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? null : `${path.split(sep).join('/')}/`
}
