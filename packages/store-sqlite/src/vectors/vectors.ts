import type { VectorSpace } from '@mnemark/spec'
import { canonicalJson, fingerprint as fingerprintOf } from '@mnemark/spec'
import { vectorChecksum } from '../codec/checksum.ts'
import { SlotWriter } from './code-blocks.ts'
import type { Connection } from '../connection/connection.ts'
import { erasedInputs } from './erased-inputs.ts'
import { internInput, isReferenced, nextUse } from './input-references.ts'
import { assertDimensions } from '../codec/values.ts'
import { hasDirection, packVector, unpackVector } from '../codec/vector-codes.ts'

export interface VectorEntry {
  readonly hash: string
  readonly vector: Float32Array | null
}

export interface SpaceRow {
  readonly id: number
  readonly fingerprint: string
  readonly space: string | null
  readonly dimensions: number | null
  readonly filled: number
  readonly generation: number
  readonly indexed: number
}

export function findSpace(connection: Connection, fingerprint: string): SpaceRow | undefined {
  const sql = 'SELECT id, fingerprint, space, dimensions, filled, generation, indexed FROM spaces WHERE fingerprint = ?'
  return connection.row(sql, fingerprint)
}

/** A space without its description: an input may be refused before the first vector arrives. */
function internSpace(connection: Connection, fingerprint: string): SpaceRow {
  const known = findSpace(connection, fingerprint)
  if (known) return known
  const { id } = connection.run('INSERT INTO spaces (fingerprint) VALUES (?)', fingerprint)
  return { id, fingerprint, space: null, dimensions: null, filled: 0, generation: 0, indexed: 0 }
}

export function putVectors(connection: Connection, space: VectorSpace, entries: readonly VectorEntry[]): void {
  const row = internSpace(connection, fingerprintOf(space))
  const dimensions = checkedDimensions(row.dimensions ?? space.requestedDimensions, entries)
  connection.run('UPDATE spaces SET space = ?, dimensions = ? WHERE id = ?', canonicalJson(space), dimensions, row.id)
  const use = nextUse(connection)
  const slots = new SlotWriter(connection, row.id, dimensions ?? 0)
  const isErased = erasedInputs(connection)
  let filled = 0
  for (const { hash, vector } of entries) {
    if (isErased(hash)) continue
    const input = internInput(connection, hash)
    const isNew = putVector(connection, slots, { space: row.id, input, bytes: vector && packVector(vector) })
    if (isNew && isReferenced(connection, input)) filled++
    connection.run('DELETE FROM failures WHERE space = ? AND input = ?', row.id, input)
    connection.run('UPDATE inputs SET last_used = ? WHERE id = ?', use, input)
  }
  slots.save()
  connection.run('UPDATE spaces SET filled = filled + ? WHERE id = ?', filled, row.id)
}

/** Checks that all vectors are finite and of one length, before anything is written. Returns the length, null while unknown. */
function checkedDimensions(known: number | null, entries: readonly VectorEntry[]): number | null {
  let dimensions = known
  for (const { vector } of entries) {
    if (!vector) continue
    dimensions ??= vector.length
    assertDimensions(dimensions, vector.length)
    if (!vector.every(Number.isFinite)) throw new TypeError('A vector holds a number that is not finite.')
  }
  return dimensions
}

interface KnownVector {
  readonly id: number
  readonly slot: number | null
  readonly checksum: number | null
  readonly bytes: Uint8Array | null
}

/** Returns whether there was none. Another vector gets another row: the number of a row identifies one content. */
function putVector(
  connection: Connection,
  slots: SlotWriter,
  { space, input, bytes }: { readonly space: number; readonly input: number; readonly bytes: Uint8Array | null },
): boolean {
  const checksum = bytes && vectorChecksum(input, bytes)
  const sql = 'SELECT id, slot, checksum, bytes FROM vectors WHERE space = ? AND input = ?'
  const known = connection.row<KnownVector>(sql, space, input)
  if (known && known.checksum === checksum && isSame(known.bytes, bytes)) return false
  if (known) {
    if (known.slot !== null) slots.free(known.slot)
    connection.run('DELETE FROM vectors WHERE id = ?', known.id)
  }
  const insert = 'INSERT INTO vectors (space, input, checksum, bytes) VALUES (?, ?, ?, ?)'
  const { id } = connection.run(insert, space, input, checksum, bytes)
  if (bytes && hasDirection(bytes) && isReferenced(connection, input)) slots.place({ id, input, bytes })
  return !known
}

function isSame(left: Uint8Array | null, right: Uint8Array | null): boolean {
  return left && right ? Buffer.compare(left, right) === 0 : left === right
}

export function markFailed(
  connection: Connection,
  fingerprint: string,
  failures: readonly { readonly hash: string; readonly reason: string }[],
): void {
  const { id } = internSpace(connection, fingerprint)
  const isErased = erasedInputs(connection)
  for (const { hash, reason } of failures) {
    if (isErased(hash)) continue
    const sql = 'INSERT OR REPLACE INTO failures (space, input, reason) VALUES (?, ?, ?)'
    connection.run(sql, id, internInput(connection, hash), reason)
  }
}

export function dropSpace(connection: Connection, fingerprint: string): void {
  const space = findSpace(connection, fingerprint)
  if (!space) return
  connection.run('DELETE FROM vectors WHERE space = ?', space.id)
  connection.run('DELETE FROM vector_blocks WHERE space = ?', space.id)
  connection.run('DELETE FROM failures WHERE space = ?', space.id)
  connection.run('DELETE FROM spaces WHERE id = ?', space.id)
}

const GET_VECTOR = 'SELECT input, checksum, bytes FROM vectors WHERE space = ? AND input = (SELECT id FROM inputs WHERE hash = ?)'

interface StoredVector {
  readonly input: number
  readonly checksum: number | null
  readonly bytes: Uint8Array | null
}

/** Undefined for a damaged row, which is left out, as in `nearest`; `check` names it. */
function unpacked({ input, checksum, bytes }: StoredVector, dimensions: number | null): Float32Array | null | undefined {
  if (!bytes) return checksum === null ? null : undefined
  return checksum === vectorChecksum(input, bytes) ? unpackVector(bytes, dimensions ?? 0) : undefined
}

export function readVectors(
  connection: Connection,
  fingerprint: string,
  hashes: readonly string[],
): Map<string, Float32Array | null> {
  const found = new Map<string, Float32Array | null>()
  const space = findSpace(connection, fingerprint)
  if (!space) return found
  for (const hash of hashes) {
    const row = connection.row<StoredVector>(GET_VECTOR, space.id, hash)
    const vector = row && unpacked(row, space.dimensions)
    if (vector !== undefined) found.set(hash, vector)
  }
  return found
}

const VECTOR_PAGE = 256
const EXPORT = `SELECT i.hash, v.input, v.checksum, v.bytes FROM inputs i JOIN vectors v ON v.space = ? AND v.input = i.id
  WHERE i.hash > ? ORDER BY i.hash LIMIT ${VECTOR_PAGE}`

interface VectorPage {
  readonly entries: readonly VectorEntry[]
  /** Undefined at the end. */
  readonly last: string | undefined
}

/** The next vectors by hash. */
export function vectorPage(connection: Connection, space: SpaceRow, after: string): VectorPage {
  // No hash is below the empty string, but one may equal it: the first page must include that one.
  const sql = after === '' ? EXPORT.replace('i.hash > ?', 'i.hash >= ?') : EXPORT
  const rows = connection.rows<StoredVector & { readonly hash: string }>(sql, space.id, after)
  const entries = rows.flatMap((row) => {
    const vector = unpacked(row, space.dimensions)
    return vector === undefined ? [] : [{ hash: row.hash, vector }]
  })
  return { entries, last: rows.at(-1)?.hash }
}
