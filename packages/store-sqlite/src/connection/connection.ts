import Database from 'better-sqlite3'
import { checkNode } from './check-node.ts'
import { bytesChecksum, chunkChecksum, vectorChecksum } from '../codec/checksum.ts'
import { vectorFrom } from '../codec/values.ts'
import { packVector } from '../codec/vector-codes.ts'

export type Value = string | number | Uint8Array | null

/** Longest time one attempt may block the event loop; longer waits are asynchronous, see busy-retry. */
const BLOCKING_WAIT_MS = 20
const JOURNAL_LIMIT_BYTES = 16 * 1024 * 1024

/** One SQLite connection whose statements are prepared once. */
export class Connection {
  /**
   * Keyword segments with the right number of blocks, and blocks (with their segment) with the right checksum: they
   * never change, so checking once per connection is enough. Measured: 9 us per block.
   */
  readonly verified: { readonly segments: Set<number>; readonly blocks: Map<number, number> } = {
    segments: new Set(),
    blocks: new Map(),
  }
  readonly #database: Database.Database
  readonly #statements = new Map<string, Database.Statement<unknown[], unknown>>()
  readonly #columns = new Map<string, Database.Statement<unknown[], unknown>>()

  constructor(path: string, isReadOnly: boolean) {
    checkNode()
    // `timeout` is in force before the first statement, so that no later one meets a lock unprepared.
    this.#database = new Database(path, { readonly: isReadOnly, fileMustExist: true, timeout: BLOCKING_WAIT_MS })
    try {
      this.#configure()
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  #configure(): void {
    // A file of unknown origin must not run its own functions; our deletes are explicit.
    this.#database.exec(`PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = OFF; PRAGMA synchronous = NORMAL;
      PRAGMA journal_size_limit = ${JOURNAL_LIMIT_BYTES}; PRAGMA temp_store = MEMORY;`)
    // Used by the health rules, which read every row.
    const options = { deterministic: true, directOnly: true }
    this.#database.function('bytes_checksum', options, (bytes: unknown) => bytesChecksum(asBytes(bytes)))
    this.#database.function('vector_checksum', options, (input: unknown, bytes: unknown) =>
      vectorChecksum(Number(input), asBytes(bytes)),
    )
    this.#database.function('pack_vector', options, (bytes: unknown) => packedOf(asBytes(bytes)))
    this.#database.function('chunk_checksum', { ...options, varargs: true }, chunkChecksumOf)
  }

  get isInTransaction(): boolean {
    return this.#database.inTransaction
  }

  exec(sql: string): void {
    this.#database.exec(sql)
  }

  run(sql: string, ...values: readonly Value[]): { readonly changes: number; readonly id: number } {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(...values)
    return { changes, id: Number(lastInsertRowid) }
  }

  /** The caller names the row type next to the columns in its SQL. */
  row<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined
  }

  rows<Row>(sql: string, ...values: readonly Value[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[]
  }

  /** The first column of the first row; the caller names its type beside the SQL. */
  value<Column>(sql: string, ...values: readonly Value[]): Column | undefined {
    return this.#pluck(sql).get(...values) as Column | undefined
  }

  /** The first column of every row. */
  values<Column>(sql: string, ...values: readonly Value[]): Column[] {
    return this.#pluck(sql).all(...values) as Column[]
  }

  loadExtension(path: string): void {
    this.#database.loadExtension(path)
  }

  /** Adds a view for this connection only. */
  addView(name: string, select: string): void {
    this.#database.exec(`CREATE TEMP VIEW ${name} AS ${select}`)
  }

  /** The rows of a caller's statement. Throws TypeError for one that writes or returns nothing. */
  query(sql: string, values: readonly Value[]): Record<string, unknown>[] {
    const statement = this.#database.prepare<unknown[], Record<string, unknown>>(sql)
    if (!statement.readonly || !statement.reader) throw new TypeError('A query must be one statement that only reads rows.')
    return statement.all(...values)
  }

  /** Runs `work` between BEGIN IMMEDIATE and COMMIT; an error rolls everything back. */
  transaction<T>(work: () => T): T {
    this.run('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.run('COMMIT')
      return result
    } catch (error) {
      // Some failures, such as a full disk, have rolled back already.
      if (this.isInTransaction) this.run('ROLLBACK')
      throw error
    }
  }

  close(): void {
    this.#database.close()
  }

  #prepare(sql: string): Database.Statement<unknown[], unknown> {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare<unknown[], unknown>(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #pluck(sql: string): Database.Statement<unknown[], unknown> {
    let statement = this.#columns.get(sql)
    if (!statement) {
      statement = this.#database.prepare<unknown[], unknown>(sql).pluck()
      this.#columns.set(sql, statement)
    }
    return statement
  }
}

/** A damaged row may hold anything. */
function asBytes(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array(0)
}

/** Packs a float32 vector for the migration; null for one with numbers that are not finite. */
function packedOf(bytes: Uint8Array): Buffer | null {
  const vector = vectorFrom(bytes)
  if (!vector.every(Number.isFinite)) return null
  const { buffer, byteOffset, byteLength } = packVector(vector)
  return Buffer.from(buffer, byteOffset, byteLength)
}

// SQLite returns the values of the columns; the table is STRICT, so their types are known.
function chunkChecksumOf(...row: readonly unknown[]): number {
  const [ordinal, startLine, endLine, text, headingTrail, attributes, unindexed] = row
  return chunkChecksum({
    ordinal: Number(ordinal),
    startLine: Number(startLine),
    endLine: Number(endLine),
    text: String(text),
    headingTrail: String(headingTrail),
    attributes: String(attributes),
    unindexed: unindexed === null ? null : String(unindexed),
  })
}
