import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  createReadStream,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { create, extract } from 'tar'
import { EXIT } from '../exit-code.ts'
import { CommandError } from '../failure.ts'
import { readVersion } from '../terminal/version.ts'
import { ForgottenNotes, isForgottenList } from './forgotten-notes.ts'
import { agentOf, moveTree } from './move-originals.ts'
import { removeCopies } from './remove-copies.ts'

/** A newer program may store more in an archive than this one knows. */
const FORMAT = 1
const MANIFEST = 'manifest.json'
const FOLDERS = ['history', 'trash']

interface Manifest {
  readonly format: number
  readonly writtenBy: string
  /** SHA-256 of every other file of the archive. */
  readonly files: Readonly<Record<string, string>>
}

/** Number of files of each kind. */
export interface StateCounts {
  readonly versions: number
  readonly trash: number
  readonly forgotten: number
}

/** Writes kept versions, the trash and the lists of forgotten notes into a new archive, with a checksum of each file. */
export async function writeStateArchive(state: string, file: string): Promise<StateCounts> {
  const folder = mkdtempSync(join(state, '.backup-'))
  try {
    const names = originalsIn(state)
    const files: Record<string, string> = {}
    for (const name of names) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      linkOrCopy(join(state, name), join(folder, name))
      files[name] = await hashFile(join(folder, name))
    }
    const manifest: Manifest = { format: FORMAT, writtenBy: readVersion(), files }
    writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest, null, 2))
    const temporary = `${file}.${process.pid}`
    try {
      await create({ cwd: folder, file: temporary, gzip: true, portable: true, strict: true }, [MANIFEST, ...names.map(asIs)])
      chmodSync(temporary, 0o600)
      renameSync(temporary, file)
    } finally {
      rmSync(temporary, { force: true })
    }
    return countsOf(names)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Restores an archive beside existing state; nothing is replaced. Lists of forgotten notes are united and applied last, so that a
 * copy of a note forgotten since does not come back. Throws CommandError for an incomplete archive, and then changes nothing.
 */
export async function readStateArchive(state: string, file: string): Promise<StateCounts> {
  const folder = mkdtempSync(join(state, '.restore-'))
  try {
    await extractSafely(file, folder)
    const names = await checkedFiles(file, folder)
    for (const name of names.filter(isForgottenList)) new ForgottenNotes(() => state, agentOf(name)).takeOver(join(folder, name))
    for (const name of FOLDERS) if (existsSync(join(folder, name))) moveTree(join(folder, name), join(state, name))
    for (const name of readdirSync(state).filter(isForgottenList)) {
      for (const path of new ForgottenNotes(() => state, agentOf(name)).read()) removeCopies(state, path)
    }
    return countsOf(names)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The library reads a name that begins with @ as another archive. */
function asIs(name: string): string {
  return `./${name}`
}

/** Extracts only files and folders that a backup holds: no links, nothing outside. */
async function extractSafely(file: string, folder: string): Promise<void> {
  try {
    await extract({
      cwd: folder,
      file,
      strict: true,
      preserveOwner: false,
      filter: (path, entry) => {
        const kind = 'type' in entry ? entry.type : 'File'
        return (kind === 'File' || kind === 'Directory') && mayHold(path.replace(/^\.\//, ''))
      },
    })
  } catch (error) {
    throw broken(
      file,
      error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'there is no such file' : 'it is no archive',
    )
  }
}

function mayHold(path: string): boolean {
  const [top = '', ...rest] = path.replace(/\/$/, '').split('/')
  if (rest.includes('..')) return false
  return rest.length === 0 ? top === MANIFEST || isForgottenList(top) || FOLDERS.includes(top) : FOLDERS.includes(top)
}

async function checkedFiles(file: string, folder: string): Promise<readonly string[]> {
  const manifest = readManifest(join(folder, MANIFEST))
  if (manifest === null) throw broken(file, 'it holds no list of its files')
  if (manifest.format > FORMAT) {
    throw new CommandError('backup-too-new', `${file} was written by Mnemark ${manifest.writtenBy}`, {
      exitCode: EXIT.broken,
      next: `Use Mnemark ${manifest.writtenBy} or newer.`,
    })
  }
  const names = originalsIn(folder)
  const listed = Object.keys(manifest.files)
  const strange = names.find((name) => !Object.hasOwn(manifest.files, name)) ?? listed.find((name) => !names.includes(name))
  if (strange !== undefined) throw broken(file, `its list and its files differ at ${JSON.stringify(strange)}`)
  for (const name of names) {
    if ((await hashFile(join(folder, name))) !== manifest.files[name])
      throw broken(file, `the checksum of ${JSON.stringify(name)} is wrong`)
  }
  return names
}

function readManifest(file: string): Manifest | null {
  try {
    const value: Partial<Manifest> = Object(JSON.parse(readFileSync(file, 'utf8')))
    const { format, writtenBy, files } = value
    if (typeof format !== 'number' || typeof writtenBy !== 'string' || typeof files !== 'object') return null
    return { format, writtenBy, files }
  } catch {
    return null
  }
}

/** Sorted paths of a backup's content. */
function originalsIn(folder: string): readonly string[] {
  const tops = readdirSync(folder).filter((name) => FOLDERS.includes(name) || isForgottenList(name))
  return tops.flatMap((name) => filesBelow(folder, name)).sort()
}

function filesBelow(folder: string, path: string): readonly string[] {
  const stats = lstatSync(join(folder, path))
  if (stats.isDirectory()) return readdirSync(join(folder, path)).flatMap((name) => filesBelow(folder, `${path}/${name}`))
  return stats.isFile() ? [path] : []
}

/** A hard link costs nothing, and kept versions never change. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

async function hashFile(file: string): Promise<string> {
  const sum = createHash('sha256')
  await pipeline(createReadStream(file), sum)
  return sum.digest('hex')
}

function countsOf(names: readonly string[]): StateCounts {
  const below = (folder: string): number => names.filter((name) => name.startsWith(`${folder}/`)).length
  return { versions: below('history'), trash: below('trash'), forgotten: names.filter(isForgottenList).length }
}

function broken(file: string, reason: string): CommandError {
  return new CommandError('no-backup', `${file} cannot be restored: ${reason}. Nothing was changed.`, {
    exitCode: EXIT.broken,
    next: 'Name a file that mnemark backup wrote.',
  })
}
