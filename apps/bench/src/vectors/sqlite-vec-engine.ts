import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { load } from 'sqlite-vec'
import type { VectorEngine } from './engine.ts'
import { documentVectors } from './vector-set.ts'

const FILE = 'vec.sqlite'
const BATCH = 10_000

function openDatabase(folder: string): DatabaseSync {
  const database = new DatabaseSync(join(folder, FILE), { allowExtension: true })
  load(database)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  return database
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

/** `vec0` of sqlite-vec with float32 vectors, exact. */
export const sqliteVecEngine: VectorEngine = {
  fill: async (folder, set) => {
    const database = openDatabase(folder)
    database.exec(`CREATE VIRTUAL TABLE v USING vec0(e float[${set.dimensions}] distance_metric=cosine)`)
    const insert = database.prepare('INSERT INTO v (rowid, e) VALUES (?, ?)')
    let number = 0
    database.exec('BEGIN')
    for (const vector of documentVectors(set)) {
      insert.run(BigInt(number), bytesOf(vector))
      if (++number % BATCH === 0) database.exec('COMMIT; BEGIN')
    }
    database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
    return statSync(join(folder, FILE)).size
  },
  open: async (folder) => {
    const database = openDatabase(folder)
    const search = database.prepare('SELECT rowid FROM v WHERE e MATCH ? AND k = ?')
    return {
      nearest: async (query, limit) => search.all(bytesOf(query), limit).map(({ rowid }) => Number(rowid)),
      close: async () => database.close(),
    }
  },
}
