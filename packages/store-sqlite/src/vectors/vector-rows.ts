import type { Checksum } from '../codec/checksum.ts'
import { vectorChecksum } from '../codec/checksum.ts'
import type { Connection } from '../connection/connection.ts'
import { hasDirection } from '../codec/vector-codes.ts'

export interface PackedRow {
  readonly id: number
  readonly input: number
  readonly bytes: Uint8Array
}

interface FoundRow {
  readonly id: number
  readonly input: number
  readonly checksum: Checksum
  readonly bytes: Uint8Array | null
}

/** One statement for all rows takes a third of the time. */
const BY_IDS = `SELECT v.id, v.input, v.checksum, v.bytes FROM json_each(?) AS wanted CROSS JOIN vectors v ON v.id = wanted.value`
const OF_CHUNKS = `SELECT DISTINCT v.id, v.input, v.checksum, v.bytes, r.chunk FROM json_each(?) AS wanted
  CROSS JOIN chunk_inputs r ON r.chunk = wanted.value JOIN vectors v ON v.space = ? AND v.input = r.input`

/** Vectors by their rows, in no order. Lost and damaged rows are missing. */
export function readPacked(connection: Connection, ids: readonly number[]): PackedRow[] {
  return connection.rows<FoundRow>(BY_IDS, JSON.stringify(ids)).filter(isSound)
}

/** The vectors of chunks, each with its chunk; those without a direction and damaged ones are missing. */
export function readPackedOf(
  connection: Connection,
  space: number,
  chunks: readonly number[],
): readonly (PackedRow & { readonly chunk: number })[] {
  return connection.rows<FoundRow & { readonly chunk: number }>(OF_CHUNKS, JSON.stringify(chunks), space).filter(isSound)
}

function isSound<Row extends FoundRow>(row: Row): row is Row & PackedRow {
  return row.bytes !== null && row.checksum === vectorChecksum(row.input, row.bytes) && hasDirection(row.bytes)
}
