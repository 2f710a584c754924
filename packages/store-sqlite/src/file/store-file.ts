import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { StoreError } from '@mnemark/spec'
import { APPLICATION_ID } from './schema.ts'

/** The journal and its index before the database itself: a moved database must not leave a journal for the next one. */
const SIDE_FILES = ['-wal', '-shm', '-journal'] as const
const PRIVATE = 0o600

/**
 * Makes the folder and an empty, private file where there is none; an existing file is not touched. SQLite gives its
 * side files the same mode.
 */
export function ensureFile(path: string): void {
  const status = statSync(path, { throwIfNoEntry: false })
  if (status?.isDirectory())
    throw new StoreError('corrupt', `The index ${path} is a folder. Name a file, or move the folder away.`)
  requireNoStrangeLink(path, status)
  if (status) return
  mkdirSync(dirname(path), { recursive: true })
  try {
    // Exclusive: closing a file that another connection of this process holds open would drop that connection's locks.
    closeSync(openSync(path, 'wx', PRIVATE))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Makes nothing through a link, and starts no index in an empty linked file: its owner is unknown. */
function requireNoStrangeLink(path: string, status: Stats | undefined): void {
  if (status !== undefined && status.size > 0) return
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return
  throw new StoreError('corrupt', `The index ${path} is a link to no index; nothing was made. Name a file, or remove the link.`)
}

/** Keeps others from reading an index. Only for an opened one: the mode of another's file is not touched. */
export function restrict(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  try {
    for (const file of [path, ...SIDE_FILES.map((suffix) => path + suffix)]) if (existsSync(file)) chmodSync(file, PRIVATE)
  } catch {
    // Another's file, or a read-only file system: it can still be read.
  }
}

/** Whether SQLite may write: the file itself, and its folder for the side files. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    accessSync(dirname(path), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Changes when another file has replaced the open one. */
export function fileIdentity(path: string): string | null {
  const status = statSync(path, { throwIfNoEntry: false })
  return status ? `${status.dev}:${status.ino}` : null
}

/** Also changes when the file or its journal was written to. */
export function contentIdentity(path: string): string | null {
  if (!existsSync(path)) return null
  const files = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false }))
  return files.map((status) => `${status?.dev}:${status?.ino}:${status?.size}:${status?.mtimeMs}`).join(' ')
}

/** Copies an index with its journal into a new private folder, and again if it was written to meanwhile. Returns the folder. */
export function copyStore(path: string, copyName: string): string {
  const folder = temporaryFolder()
  for (let attempt = 0; attempt < 5; attempt++) {
    const before = contentIdentity(path)
    rmSync(join(folder, `${copyName}-wal`), { force: true })
    for (const suffix of ['', '-wal'])
      if (existsSync(path + suffix)) copyPrivately(path + suffix, join(folder, copyName + suffix))
    if (contentIdentity(path) === before) return folder
  }
  removeFolder(folder)
  throw new StoreError('busy', `The index ${path} is being written to all the time. Try again.`)
}

/** A copy inherits the mode, which may deny its owner writing. */
function copyPrivately(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE)
  chmodSync(to, PRIVATE)
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'mnemark-index-'))
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Quarantines a damaged index with all its side files, so that the next opening starts a fresh one. Returns the new
 * paths; empty where there was nothing to move, or where another process has replaced the file with the given
 * `identity` (of `fileIdentity`).
 */
export function setAsideDamagedStore(path: string, identity?: string | null): readonly string[] {
  if (identity !== undefined && fileIdentity(path) !== identity) return []
  const suffix = freeSuffix(path)
  const moved: string[] = []
  // Side files first: between two renames a new index must never meet the old journal.
  for (const part of [...SIDE_FILES, '']) {
    const from = path + part
    if (!existsSync(from)) continue
    renameSync(from, `${path}${suffix}${part}`)
    moved.push(`${path}${suffix}${part}`)
  }
  return moved
}

/** Files of quarantined indexes, newest first, one list for each. */
export function listDamagedStores(path: string): readonly (readonly string[])[] {
  const prefix = `${basename(path)}.damaged-`
  const sets = new Map<number, string[]>()
  for (const name of existsSync(dirname(path)) ? readdirSync(dirname(path)) : []) {
    const number = name.startsWith(prefix) ? /^(\d+)(?:-wal|-shm|-journal)?$/.exec(name.slice(prefix.length))?.[1] : undefined
    if (number !== undefined) sets.set(Number(number), [...(sets.get(Number(number)) ?? []), join(dirname(path), name)])
  }
  return [...sets].sort(([left], [right]) => right - left).map(([, files]) => files.sort())
}

const SQLITE_MAGIC = 'SQLite format 3\0'
const APPLICATION_ID_AT = 68

/** Whether the head of the file is that of an index of Mnemark, however damaged the rest is; an empty file counts. */
export function hasIndexHead(path: string): boolean {
  const head = Buffer.alloc(APPLICATION_ID_AT + 4)
  const file = openSync(path, 'r')
  try {
    const length = readSync(file, head, 0, head.length, 0)
    if (length === 0) return true
    return (
      head.toString('latin1', 0, SQLITE_MAGIC.length) === SQLITE_MAGIC && head.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID
    )
  } finally {
    closeSync(file)
  }
}

function freeSuffix(path: string): string {
  const newest = /\.damaged-(\d+)/.exec(basename(listDamagedStores(path)[0]?.[0] ?? '').slice(basename(path).length))
  return `.damaged-${Number(newest?.[1] ?? 0) + 1}`
}
