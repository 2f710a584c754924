import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ForgottenNotes, isForgottenList } from './forgotten-notes.ts'

const PLACE = '.mnemark'
const FOLDERS = ['history', 'trash']

/** True if an earlier version kept state in the workspace. */
export function hasOriginals(workspace: string): boolean {
  const from = join(workspace, PLACE)
  return (
    isFolder(from) &&
    readdirSync(from).some((name) => isForgottenList(name) || (FOLDERS.includes(name) && isFolder(join(from, name))))
  )
}

/**
 * Moves kept versions, the trash and lists of forgotten notes from `.mnemark/` of a workspace, where an earlier version kept
 * them, to the state folder. Existing files stay; nothing is lost if the process ends half-way, and two may do it at once.
 */
export function moveOriginals(workspace: string, state: string, name: string = PLACE): void {
  const from = join(workspace, name)
  // Following a link would move files from elsewhere.
  if (!isFolder(from)) return
  for (const folder of FOLDERS) if (isFolder(join(from, folder))) moveTree(join(from, folder), join(state, folder))
  for (const file of readdirSync(from)) {
    if (isForgottenList(file)) new ForgottenNotes(() => state, agentOf(file)).takeOver(join(from, file))
  }
}

/** `main.sqlite.forgotten.json` was kept beside the index of that name. */
export function agentOf(file: string): string {
  return file.replace(/(?:\.sqlite)?\.forgotten\.json$/, '')
}

export function moveTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)]
    if (isFolder(source)) moveTree(source, target)
    else if (lstatSync(source, { throwIfNoEntry: false })?.isFile() === true) moveBeside(source, target)
  }
  ignoring(['ENOTEMPTY', 'ENOENT', 'EEXIST'], () => rmdirSync(from))
}

/** An existing file with the same bytes counts as the same; with other bytes both stay. */
function moveBeside(from: string, to: string): void {
  if (!existsSync(to)) moveFile(from, to)
  else if (readFileSync(from).equals(readFileSync(to))) rmSync(from, { force: true })
  else moveFile(from, free(to))
}

/** Renames, or copies if the places are on different disks. A file that another process has moved meanwhile is skipped. */
export function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    if (codeOf(error) !== 'EXDEV') throw error
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    const temporary = `${to}.${process.pid}`
    copyOwnFile(from, temporary)
    renameSync(temporary, to)
    rmSync(from, { force: true })
  }
}

/** The file itself: the target of a link is not copied. */
function copyOwnFile(from: string, to: string): void {
  const descriptor = openSync(from, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    writeFileSync(to, readFileSync(descriptor), { mode: fstatSync(descriptor).mode & 0o777 })
  } finally {
    closeSync(descriptor)
  }
}

function free(target: string): string {
  for (let count = 1; ; count += 1) if (!existsSync(`${target}.${count}`)) return `${target}.${count}`
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function ignoring(codes: readonly string[], work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!codes.includes(codeOf(error))) throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
