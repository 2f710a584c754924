import { join } from 'node:path'
import { StoreError } from '@mnemark/spec'
import { retryWhileBusy } from '../connection/busy-retry.ts'
import { Connection } from '../connection/connection.ts'
import { isCannotOpen, mapError, mapOpenError } from '../connection/error-mapping.ts'
import { APPLICATION_ID, migrate, SCHEMA_VERSION } from './schema.ts'
import { contentIdentity, copyStore, ensureFile, fileIdentity, isWritable, removeFolder, restrict } from './store-file.ts'

/** Readers kept open for the next snapshot; more are opened as needed and closed again. */
const IDLE_READERS = 2

/** Source of the rows: the file itself, or a private copy where SQLite cannot open it in place. */
interface Origin {
  readonly path: string
  readonly isReadOnly: boolean
  readonly copyFolder?: string
  /** Changes when another file, or new content, has arrived. */
  readonly identity: () => string | null
}

export interface ConnectionsOptions {
  readonly path: string
  readonly busyTimeoutMs: number
  readonly isErasing: boolean
  /** Removed with its content on closing. */
  readonly ownFolder?: string
}

/** Never leaves this file: opening continues with a copy. */
class OlderFormat extends Error {}

/**
 * All connections of one store to one file: a writer, and readers that are lent out. Notices when another file has
 * replaced the open one (a repair by another process), and then opens that one.
 */
export class Connections {
  readonly path: string
  readonly #busyTimeoutMs: number
  readonly #isErasing: boolean
  readonly #ownFolder: string | undefined
  #origin: Origin
  #identity: string | null = null
  #generation = 0
  #writer: Connection | undefined
  readonly #idle: Connection[] = []
  readonly #lent = new Map<Connection, number>()
  #isClosed = false

  constructor({ path, busyTimeoutMs, isErasing, ownFolder }: ConnectionsOptions) {
    this.path = path
    this.#busyTimeoutMs = busyTimeoutMs
    this.#isErasing = isErasing
    this.#ownFolder = ownFolder
    this.#origin = { path, isReadOnly: false, identity: () => fileIdentity(path) }
  }

  /** Opens or makes the file, brings its tables up to date, and keeps one connection ready. */
  async open(): Promise<void> {
    try {
      ensureFileIfPossible(this.path)
      this.#origin = { path: this.path, isReadOnly: !isWritable(this.path), identity: () => fileIdentity(this.path) }
      this.#identity = this.#origin.identity()
      this.#idle.push(await this.#openFirst())
      if (!this.#origin.isReadOnly) restrict(this.path)
    } catch (error) {
      throw mapOpenError(error, this.path)
    }
  }

  /** Runs `work` in one write transaction. Rejects with `read-only` where nothing can be written. */
  async write<T>(work: (connection: Connection) => T): Promise<T> {
    return this.#onWriter((connection) => {
      if (this.#origin.isReadOnly)
        throw new StoreError('read-only', `The index ${this.path} cannot be written: it or its folder is read-only.`)
      return this.#transaction(connection, work)
    })
  }

  /** Runs `work` on the writer without a transaction: for single reads and for statements with their own transaction. */
  async direct<T>(work: (connection: Connection) => T): Promise<T> {
    return this.#onWriter(work)
  }

  /** Lends a connection inside a read transaction at the newest commit. */
  async lendReader(): Promise<Connection> {
    return this.#guard(async () => {
      await this.#follow()
      const begin = (connection: Connection): void => beginReading(connection, this.path)
      const connection = await this.#retry(() => this.#checked(this.#idle.pop() ?? this.#connect(), begin))
      this.#lent.set(connection, this.#generation)
      return connection
    })
  }

  /** Runs `work` on a separate read-only connection that is closed afterwards. */
  async guest<T>(work: (connection: Connection) => T): Promise<T> {
    return this.#guard(async () => {
      await this.#follow()
      return this.#retry(() => {
        const connection = new Connection(this.#origin.path, true)
        try {
          return work(connection)
        } finally {
          connection.close()
        }
      })
    })
  }

  giveBack(connection: Connection): void {
    const generation = this.#lent.get(connection)
    if (generation === undefined) return
    this.#lent.delete(connection)
    const isUsable = endReading(connection) && !this.#isClosed && generation === this.#generation
    if (isUsable && this.#idle.length < IDLE_READERS) this.#idle.push(connection)
    else connection.close()
  }

  /** Counts the files at the path so far: the one in use, and the one a lent connection reads. */
  get fileGeneration(): number {
    return this.#generation
  }

  generationOf(connection: Connection): number {
    return this.#lent.get(connection) ?? this.#generation
  }

  /** Maps the errors of a call on a lent connection. */
  translate<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw mapError(error, this.path)
    }
  }

  close(): void {
    this.#isClosed = true
    for (const connection of this.#lent.keys()) this.giveBack(connection)
    this.#closeIdle()
    if (this.#ownFolder !== undefined) removeFolder(this.#ownFolder)
  }

  async #onWriter<T>(work: (connection: Connection) => T): Promise<T> {
    return this.#guard(async () => {
      await this.#follow()
      return this.#retry(() => {
        this.#writer ??= this.#idle.pop() ?? this.#connect()
        return work(this.#writer)
      })
    })
  }

  /** Only BEGIN may meet another writer and be retried: `work` runs once, including callers' functions in it. */
  #transaction<T>(connection: Connection, work: (connection: Connection) => T): T {
    let hasBegun = false
    try {
      return connection.transaction(() => {
        hasBegun = true
        return work(connection)
      })
    } catch (error) {
      throw hasBegun ? mapError(error, this.path) : error
    }
  }

  #connect(): Connection {
    const connection = new Connection(this.#origin.path, this.#origin.isReadOnly && this.#origin.copyFolder === undefined)
    if (this.#isErasing) connection.exec('PRAGMA secure_delete = ON')
    return connection
  }

  #closeIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.close()
    this.#writer?.close()
    this.#writer = undefined
    if (this.#origin.copyFolder !== undefined) removeFolder(this.#origin.copyFolder)
  }

  /** Lent readers keep the old file until they are returned; everything else starts over on the new one. */
  async #follow(): Promise<void> {
    if (this.#origin.identity() === this.#identity) return
    this.#generation++
    this.#closeIdle()
    await this.open()
  }

  async #openFirst(): Promise<Connection> {
    if (this.#origin.isReadOnly) return this.#openForReading()
    try {
      return await this.#prepare((connection) => prepareTables(connection, this.path))
    } catch (error) {
      if (!isCannotOpen(error)) throw error
      // The system reported a writable folder, and then did not let SQLite write.
      this.#origin = { ...this.#origin, isReadOnly: true }
      return this.#openForReading()
    }
  }

  async #openForReading(): Promise<Connection> {
    const check = (connection: Connection): void => {
      const version = lookUpVersion(connection, this.path)
      if (version === 0) {
        throw new StoreError('read-only', `The index ${this.path} is empty and read-only: it cannot be set up.`)
      }
      if (version < SCHEMA_VERSION) throw new OlderFormat()
    }
    try {
      return await this.#prepare(check)
    } catch (error) {
      if (!isCannotOpen(error) && !(error instanceof OlderFormat)) throw error
      // Without a writable folder SQLite cannot make the index of the journal, and so cannot open the file in place;
      // nor can an older format be migrated there.
      const copyFolder = copyStore(this.path, 'copy.sqlite')
      this.#origin = {
        path: join(copyFolder, 'copy.sqlite'),
        isReadOnly: true,
        copyFolder,
        identity: () => contentIdentity(this.path),
      }
      this.#identity = this.#origin.identity()
      return this.#prepare((connection) => {
        if (lookUpVersion(connection, this.path) > 0) prepareTables(connection, this.path)
        check(connection)
      })
    }
  }

  #prepare(check: (connection: Connection) => void): Promise<Connection> {
    return this.#retry(() => this.#checked(this.#connect(), check))
  }

  /** Returns the connection after `check`, and closes it where that throws. */
  #checked(connection: Connection, check: (connection: Connection) => void): Connection {
    try {
      check(connection)
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  }

  #retry<T>(attempt: () => T): Promise<T> {
    return retryWhileBusy(attempt, this.#busyTimeoutMs)
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw mapError(error, this.path)
    }
  }
}

function ensureFileIfPossible(path: string): void {
  try {
    ensureFile(path)
  } catch (error) {
    if (fileIdentity(path) === null || StoreError.isInstance(error)) throw error
  }
}

/** The first read of a transaction fixes its state. */
function beginReading(connection: Connection, path: string): void {
  connection.run('BEGIN')
  readVersion(connection, path)
}

/** The same in a separate transaction: another process may make the tables between two reads. */
function lookUpVersion(connection: Connection, path: string): number {
  beginReading(connection, path)
  const version = readVersion(connection, path)
  connection.run('COMMIT')
  return version
}

/**
 * The schema version, 0 for a fresh file. Throws for a newer one and for another program's database. Call it inside a
 * transaction.
 */
function readVersion(connection: Connection, path: string): number {
  const version = connection.value<number>('PRAGMA user_version') ?? 0
  const application = connection.value<number>('PRAGMA application_id') ?? 0
  if (application !== APPLICATION_ID && (version !== 0 || hasTables(connection))) {
    throw new StoreError('corrupt', `${path} is a database of another program, not an index. Choose another path for the index.`)
  }
  if (version > SCHEMA_VERSION) {
    const formats = `format ${version}, this one knows ${SCHEMA_VERSION}`
    throw new StoreError(
      'schema-too-new',
      `The index ${path} was made by a newer version (${formats}). Update, or use another index file.`,
    )
  }
  return version
}

function hasTables(connection: Connection): boolean {
  return connection.value<number>('SELECT EXISTS (SELECT 1 FROM sqlite_schema)') === 1
}

/** Safe for several processes at once on one fresh file. */
function prepareTables(connection: Connection, path: string): void {
  if (lookUpVersion(connection, path) === SCHEMA_VERSION) return
  if (connection.value<string>('PRAGMA journal_mode') !== 'wal') {
    // Has no effect after the first page is written.
    connection.exec('PRAGMA auto_vacuum = INCREMENTAL')
    connection.value<string>('PRAGMA journal_mode = WAL')
  }
  connection.transaction(() => {
    const version = readVersion(connection, path)
    if (version < SCHEMA_VERSION) migrate(connection, version)
  })
}

/** False where even that fails, as on a damaged file: returning a connection must never throw. */
function endReading(connection: Connection): boolean {
  try {
    connection.run('COMMIT')
    return true
  } catch {
    return false
  }
}
