import { join, resolve } from 'node:path'
import type { ConnectionsOptions } from './file/connections.ts'
import { Connections } from './file/connections.ts'
import type { SqliteMemoryStore } from './sqlite-store.ts'
import { SqliteStore } from './sqlite-store.ts'
import { temporaryFolder } from './file/store-file.ts'
import type { VectorExtensionOptions } from './vectors/vector-extension.ts'

export interface SqliteStoreOptions {
  /**
   * The index file; made, with its folder, where there is none. Beside it SQLite keeps `-wal` and `-shm`. `:memory:` is
   * a separate store in a private temporary folder, removed on closing.
   */
  readonly path: string
  /** How long a call waits, without blocking, for another process that is writing, in ms. Default 30,000. */
  readonly busyTimeoutMs?: number
  /** Clock of lease heartbeats, in milliseconds since 1970. Default: the system's. */
  readonly nowMs?: () => number
  /** Overwrites deleted data, instead of leaving its bytes in the file until the space is needed; slower. Default: false. */
  readonly isErasing?: boolean
  /**
   * Most bytes of memory for the int8 codes of a vector space; above, only 1-bit codes are scanned, which take an
   * eighth. Default 160 MiB: some 430,000 vectors of 384 numbers. 0 for none.
   */
  readonly scanMemoryBytes?: number
  /** sqlite-vec in `query`; see VectorExtensionOptions. */
  readonly vectorExtension?: VectorExtensionOptions
}

const SCAN_MEMORY_BYTES = 160 * 2 ** 20

/**
 * Opens the store in one SQLite file. A read-only file is opened for reading.
 *
 * Rejects with StoreError: `corrupt` for a damaged file or another program's (the message names the next step),
 * `schema-too-new`, `busy`, `full`, `read-only`, `engine-missing` on a Node older than 22.14; with TypeError for a path that names no file.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteMemoryStore> {
  const { busyTimeoutMs = 30_000, nowMs = Date.now, isErasing = false, scanMemoryBytes = SCAN_MEMORY_BYTES } = options
  if (!(busyTimeoutMs >= 0)) throw new TypeError(`busyTimeoutMs must be a number from 0, got ${busyTimeoutMs}.`)
  if (!(scanMemoryBytes >= 0)) throw new TypeError(`scanMemoryBytes must be a number from 0, got ${scanMemoryBytes}.`)
  const connections = new Connections({ ...place(options.path), busyTimeoutMs, isErasing })
  try {
    await connections.open()
  } catch (error) {
    connections.close()
    throw error
  }
  return new SqliteStore(connections, { nowMs, scanMemoryBytes, vectorExtension: { ...options.vectorExtension } })
}

function place(path: string): Pick<ConnectionsOptions, 'path' | 'ownFolder'> {
  if (path === ':memory:') {
    const ownFolder = temporaryFolder()
    return { path: join(ownFolder, 'memory.sqlite'), ownFolder }
  }
  // The driver trims blanks at the end, and would open another file than the named one.
  if (typeof path !== 'string' || path === '' || path !== path.trimEnd() || path.includes('\0')) {
    throw new TypeError(`path must name a file, got ${JSON.stringify(path)}.`)
  }
  return { path: resolve(path) }
}
