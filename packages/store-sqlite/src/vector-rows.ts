import type { Checksum } from './checksum.ts'
import { bytesChecksum } from './checksum.ts'
import type { Connection } from './connection.ts'
import { hasDirection } from './vector-codes.ts'

export interface PackedRow {
  readonly input: number
  readonly bytes: Uint8Array
}

const BY_ID = 'SELECT input, checksum, bytes FROM vectors WHERE id = ?'

/** A vector with a direction; undefined where the row is lost or not as it was written. */
export function readPacked(connection: Connection, id: number): PackedRow | undefined {
  const row = connection.row<{ input: number; checksum: Checksum; bytes: Uint8Array | null }>(BY_ID, id)
  if (!row?.bytes || row.checksum !== bytesChecksum(row.bytes) || !hasDirection(row.bytes)) return undefined
  return { input: row.input, bytes: row.bytes }
}

const OF_CHUNK = `SELECT DISTINCT v.id FROM chunk_inputs r JOIN vectors v ON v.space = ? AND v.input = r.input WHERE r.chunk = ?`

/** The vectors of a chunk that have a direction; damaged ones are left out. */
export function readPackedOf(connection: Connection, space: number, chunk: number): PackedRow[] {
  return connection.values<number>(OF_CHUNK, space, chunk).flatMap((id) => readPacked(connection, id) ?? [])
}
