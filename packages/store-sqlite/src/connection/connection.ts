import Database from 'better-sqlite3'
import { checkNode } from './check-node.ts'
import { bytesChecksum, chunkChecksum, vectorChecksum } from '../codec/checksum.ts'
import { vectorFrom } from '../codec/values.ts'
import { packVector } from '../codec/vector-codes.ts'

export type Value = string | number | Uint8Array | null

/** How long one attempt may block the event loop; longer waits are asynchronous, see busy-retry. */
const BLOCKING_WAIT_MS = 20
const JOURNAL_LIMIT_BYTES = 16 * 1024 * 1024

/** One SQLite connection whose statements are prepared once. */
export class Connection {
  /**
   * Keyword segments whose blocks were counted, and blocks (with their segment) whose checksum was right: they never change,
   * so once a connection is enough. Measured: 9 us a block.
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
    // `timeout` is in force before the first statement: nothing after it can meet a lock unprepared.
    this.#database = new Database(path, { readonly: isReadOnly, fileMustExist: true, timeout: BLOCKING_WAIT_MS })
    try {
      this.#configure()
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  #configure(): void {
    // A file of unknown origin must not run functions of its own; our own deletes are explicit.
    this.#database.exec(`PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = OFF; PRAGMA synchronous = NORMAL;
      PRAGMA journal_size_limit = ${JOURNAL_LIMIT_BYTES}; PRAGMA temp_store = MEMORY;`)
    // For the health rules, which look at every row.
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

  /** The caller names the row type, which stands right beside the columns in its SQL. */
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

  /** A view that is there for this connection alone. */
  addView(name: string, select: string): void {
    this.#database.exec(`CREATE TEMP VIEW ${name} AS ${select}`)
  }

  /** The rows of one statement of somebody else's. Throws TypeError for one that writes or returns nothing. */
  query(sql: string, values: readonly Value[]): Record<string, unknown>[] {
    const statement = this.#database.prepare<unknown[], Record<string, unknown>>(sql)
    if (!statement.readonly || !statement.reader) throw new TypeError('A query must be one statement that only reads rows.')
    return statement.all(...values)
  }

  /** Runs `work` between BEGIN IMMEDIATE and COMMIT; whatever it throws undoes all of it. */
  transaction<T>(work: () => T): T {
    this.run('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.run('COMMIT')
      return result
    } catch (error) {
      // Some failures, a full disk for one, have rolled back already.
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

/** Of a vector kept as float32, for the migration; null for one that holds numbers that are not finite. */
function packedOf(bytes: Uint8Array): Buffer | null {
  const vector = vectorFrom(bytes)
  if (!vector.every(Number.isFinite)) return null
  const { buffer, byteOffset, byteLength } = packVector(vector)
  return Buffer.from(buffer, byteOffset, byteLength)
}

// SQLite hands over what stands in the columns; the table is STRICT, so the kinds are these.
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
