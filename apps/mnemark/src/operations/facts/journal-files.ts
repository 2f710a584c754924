import { randomBytes } from 'node:crypto'
import { constants, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { Journal, JournalEvent, JournalFile, JournalStamp } from '@mnemark/bank'
import { WorkspaceError } from '@mnemark/spec'
import { userFolders } from '../../config/files/user-folders.ts'
import type { Settings } from '../../config/load-settings.ts'

type JournalPlace = Pick<Settings, 'workspace' | 'stateFolder'>

const FOLDER = 'bank/journal'
const SUFFIX = '.jsonl'
const NEWLINE = 0x0a

/** Reads all files of the workspace's journal; none where there are none. */
export async function readJournal({ workspace }: Pick<JournalPlace, 'workspace'>): Promise<Journal> {
  const { Journal: Read } = await import('@mnemark/bank')
  return new Read(filesIn(workspace))
}

function filesIn(workspace: string): readonly JournalFile[] {
  const folder = join(workspace, FOLDER)
  if (!isInside(workspace, folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(SUFFIX))
    .map(({ name }) => ({ path: `${FOLDER}/${name}`, text: readFileSync(join(folder, name), 'utf8') }))
}

/** A link out of the workspace is no journal of it: nothing is read or written there. */
function isInside(workspace: string, folder: string): boolean {
  return existsSync(folder) && realpathSync(folder).startsWith(realpathSync(workspace) + sep)
}

/** Appends events to this machine's file, in one write. Rejects with WorkspaceError `unreadable` where that cannot be done. */
export async function appendToJournal(place: JournalPlace, events: readonly JournalEvent[], stamp: JournalStamp): Promise<void> {
  if (events.length === 0) return
  await appendLines(place, (await readJournal(place)).writing(events, stamp))
}

/** Records which facts are there by now, each once. True where something was written. */
export async function recordFacts(place: JournalPlace, factIds: Iterable<string>, stamp: JournalStamp): Promise<boolean> {
  const journal = await readJournal(place)
  const ids = [...factIds]
  if (ids.every((id) => journal.has(id))) return false
  const lines = journal.recording(ids, machineName(place), stamp)
  if (lines !== '') await appendLines(place, lines)
  return lines !== ''
}

async function appendLines(place: JournalPlace, lines: string): Promise<void> {
  const folder = join(place.workspace, FOLDER)
  try {
    mkdirSync(folder, { recursive: true })
    if (!isInside(place.workspace, folder)) throw new Error('it is a link out of the workspace')
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants
    await using file = await open(join(folder, `${machineName(place)}${SUFFIX}`), O_APPEND | O_CREAT | O_RDWR | (O_NOFOLLOW ?? 0))
    const { size } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    // A line that a kill cut off ends here, so that it spoils no other one.
    await file.write(size > 0 && buffer[0] !== NEWLINE ? `\n${lines}` : lines)
    await file.datasync()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new WorkspaceError(
      'unreadable',
      `${FOLDER} cannot be written: ${error.message}. Nothing records when facts become known.`,
    )
  }
}

/** A random name of this machine and user, made with the first line: it says nothing about either. */
function machineName({ stateFolder }: Pick<JournalPlace, 'stateFolder'>): string {
  const file = join(stateFolder ?? userFolders().state, 'machine')
  const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (/^[0-9a-f]{12}$/u.test(known)) return known
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const name = randomBytes(6).toString('hex')
  // Two processes may begin at once: the second takes the name of the first. A text that is no name is replaced.
  try {
    writeFileSync(file, `${name}\n`, { mode: 0o600, flag: known === '' ? 'wx' : 'w' })
    return name
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error
    return readFileSync(file, 'utf8').trim()
  }
}
