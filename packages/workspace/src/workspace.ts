import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import {
  type CallOptions,
  ConfigError,
  dayInZone,
  type DocumentReader,
  type DocumentSource,
  type ReadReply,
  type ReadRequest,
} from '@mnemark/spec'
import type { AppendReport } from './writing/append.ts'
import type { AppendOptions, TargetContext } from './writing/append-target.ts'
import type { ChangeOptions, ChangeReport } from './writing/change.ts'
import type { EditOptions, EditReport } from './writing/edit.ts'
import { describeWorkspace, type WorkspaceDescription } from './describe.ts'
import { expandHome, parseExtraPath } from './paths/extra-paths.ts'
import { DEFAULT_IGNORE, type IgnoreRule } from './paths/indexable.ts'
import { type NotePlace, placeOfNote, readNote } from './reading/reader.ts'
import { countOutside, type OutsideLayout } from './listing/count-outside.ts'
import { KnownRoots, type RootIdentities } from './paths/known-roots.ts'
import type { ScanSettings } from './listing/scan.ts'
import { createSource } from './source.ts'
import { type RootsSnapshot, snapshotRoots } from './listing/roots-snapshot.ts'
import { checkWatchOptions, type WatchOptions } from './watching/watch-options.ts'
import { readQuote } from './reading/read-quote.ts'

export interface WorkspaceOptions {
  /**
   * The workspace folder: absolute, relative to the current folder, or with a leading `~/`. It may be missing; then listing
   * fails.
   */
  readonly root: string
  /**
   * More files, folders (with all below them) or globs: absolute, relative to the workspace, or with a leading `~/`. Read,
   * never written.
   */
  readonly extraPaths?: readonly string[]
  /** IANA name of the zone in which "today" is meant. Default: the system's. */
  readonly timeZone?: string
  /** The rules of the ignore list that apply. Default: all (`DEFAULT_IGNORE`). `.git` and `.mnemark` are never entered. */
  readonly ignore?: readonly IgnoreRule[]
  /** The folder of the index, left out of the listing where it lies inside a root. */
  readonly stateDir?: string
  /** The listing skips larger files; the reader still reads them. Default: 10,000,000. */
  readonly maxFileBytes?: number
  /** Where `edit` keeps previous versions, or a function that says so when the first edit comes. Default: `.mnemark/history` in the workspace. */
  readonly historyDir?: string | (() => string)
  /** How `source.watch` watches. */
  readonly watch?: WatchOptions
}

export interface Workspace {
  /** The notes, source `memory`. */
  readonly source: DocumentSource
  readonly reader: DocumentReader
  /**
   * Where a note is on this machine, by its path or citation: for an editor, or a link in a terminal. Null where there is none. Not for
   * answers that leave the machine.
   * @throws WorkspaceError `refused`, `unreadable`, as the reader
   */
  place(path: string): Promise<NotePlace | null>
  /**
   * Adds a block of text at the end of a note, on a line of its own, in one write; nothing that stands in the file is changed.
   * A block that already stands there is reported, not written.
   * @throws WorkspaceError `refused` for blank text, escaped line breaks, or a path that is no note of the workspace;
   * `unreadable` when the system denies the write
   */
  append(text: string, options: AppendOptions): Promise<AppendReport>
  /**
   * Changes one place of a note, named by the text that stands there or by a line. The file is replaced in one step, keeps its mode,
   * line ends and byte-order mark, and the version before is kept (the last 20 of each note) below `historyDir`.
   * @throws WorkspaceError `conflict` where the old text is not there, is there twice, or the note changed since it was read;
   * `refused` for a path that is no note of the workspace, a read-only file, or bytes that are not UTF-8; `unreadable` when the system
   * denies the write. In every case nothing is changed.
   */
  edit(path: string, options: EditOptions): Promise<EditReport>
  /**
   * The same with a text made by a function of the whole text as it is now, line feeds alone where the line ends of the file are all alike;
   * null for no change. It may be called again where another program saved meanwhile. Waits up to five seconds for another process that
   * changes the note or appends to it. What a program saves at the very moment of writing is kept, and named in `conflict`.
   */
  change(path: string, change: (text: string) => string | null, options?: ChangeOptions): Promise<ChangeReport>
  /** The path of the log of the user's day, whether it is there or not. `now`: milliseconds since 1970; default: now. */
  dailyLog(now?: number): Promise<string>
  /** Counts the notes in the folder that are outside an agent's layout; none for a plain folder. Walks the whole folder. */
  outsideLayout(options?: CallOptions): Promise<OutsideLayout>
  /** Device and inode of the folders in which listings have found notes. */
  knownRoots(): RootIdentities
  /** Restores the `knownRoots` of an earlier process: an empty folder in the place of another then makes a listing fail. */
  expectRoots(identities: RootIdentities): void
  /** The state of the workspace now, and the result of the last listing. */
  describe(): WorkspaceDescription
}

const DEFAULT_MAX_FILE_BYTES = 10_000_000

/**
 * Opens a folder of notes. Nothing is written, read or listed yet, and a folder that is missing is no error yet.
 * @throws ConfigError `invalid-value` for a blank path, an unknown time zone, or a size that is no whole number above 0
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const root = checkedRoot(options.root)
  if (options.timeZone !== undefined) dayInZone(0, options.timeZone)
  const settings: ScanSettings = {
    rules: new Set(options.ignore ?? DEFAULT_IGNORE),
    maxFileBytes: checkedSize(options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES),
    stateFolder: options.stateDir === undefined ? null : realPathOfFuture(resolve(expandHome(options.stateDir))),
  }
  const extraPaths = await Promise.all((options.extraPaths ?? []).map((path) => parseExtraPath(path, root)))
  const snapshot = (): RootsSnapshot => snapshotRoots(root, extraPaths, settings.rules)
  const known = new KnownRoots()
  const { historyDir = join(root, '.mnemark', 'history') } = options
  const historyFolder = (): string => resolve(expandHome(typeof historyDir === 'string' ? historyDir : historyDir()))
  const target = (): TargetContext => ({ snapshot: snapshot(), settings, known, timeZone: options.timeZone })
  const source = createSource(snapshot, { settings, known, watch: checkWatchOptions(options.watch) })
  return {
    source: source.documents,
    reader: {
      read: async (request) => {
        const read = (lines: ReadRequest): Promise<ReadReply> => readNote(lines, snapshot, settings)
        if (request.quoteHash === undefined) return read(request)
        return readQuote(request, request.quoteHash, { read, source: source.documents })
      },
    },
    place: async (path) => {
      return placeOfNote(path, snapshot(), settings)
    },
    // Writing is loaded with the first change: most runs make none.
    append: async (text, appendOptions) => {
      appendOptions.signal?.throwIfAborted()
      const { appendNote } = await import('./writing/append.ts')
      return appendNote(text, appendOptions, { ...target(), historyFolder })
    },
    change: async (path, change, changeOptions = {}) => {
      changeOptions.signal?.throwIfAborted()
      const { changeText } = await import('./writing/change.ts')
      return changeText(path, change, changeOptions, { ...target(), historyFolder: historyFolder() })
    },
    dailyLog: async (now = Date.now()) => {
      const { dailyLog } = await import('./writing/append-target.ts')
      return dailyLog(now, target())
    },
    edit: async (path, editOptions) => {
      editOptions.signal?.throwIfAborted()
      const { editNote } = await import('./writing/edit.ts')
      return editNote(path, editOptions, { ...target(), historyFolder: historyFolder() })
    },
    outsideLayout: async (outsideOptions = {}) => {
      return countOutside(snapshot(), settings, outsideOptions.signal)
    },
    knownRoots: () => known.identities,
    expectRoots: (identities) => known.expect(identities),
    describe: () =>
      describeWorkspace(snapshot(), settings, { tally: source.lastTally(), otherEncodings: source.otherEncodings() }),
  }
}

function checkedRoot(root: string): string {
  if (root.trim() === '' || root.includes('\0')) {
    throw new ConfigError('invalid-value', `The workspace is a folder: expected its path, got ${JSON.stringify(root)}.`)
  }
  return resolve(expandHome(root))
}

function checkedSize(bytes: number): number {
  if (Number.isSafeInteger(bytes) && bytes >= 1) return bytes
  throw new ConfigError('invalid-value', `maxFileBytes: expected a whole number from 1, got ${String(bytes)}.`)
}

/** The folder may not exist yet: the part that does decides. */
function realPathOfFuture(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return dirname(path) === path ? path : join(realPathOfFuture(dirname(path)), basename(path))
  }
}
