import type { VectorSpace } from '@mnemark/spec'
import { canonicalJson, fingerprint as fingerprintOf } from '@mnemark/spec'
import type { Connection } from './connection.ts'
import { internInput, isReferenced, nextUse } from './input-references.ts'
import { assertDimensions, vectorBytes, vectorFrom } from './values.ts'

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
}

export function findSpace(connection: Connection, fingerprint: string): SpaceRow | undefined {
  return connection.row('SELECT id, fingerprint, space, dimensions, filled FROM spaces WHERE fingerprint = ?', fingerprint)
}

/** A space without its description: an input may be refused before the first vector is there. */
function internSpace(connection: Connection, fingerprint: string): SpaceRow {
  const known = findSpace(connection, fingerprint)
  if (known) return known
  const { id } = connection.run('INSERT INTO spaces (fingerprint) VALUES (?)', fingerprint)
  return { id, fingerprint, space: null, dimensions: null, filled: 0 }
}

const PUT_VECTOR = `INSERT INTO vectors (space, input, vector) VALUES (?, ?, ?)
  ON CONFLICT (space, input) DO UPDATE SET vector = excluded.vector`

export function putVectors(connection: Connection, space: VectorSpace, entries: readonly VectorEntry[]): void {
  const row = internSpace(connection, fingerprintOf(space))
  const dimensions = checkedDimensions(row.dimensions ?? space.requestedDimensions, entries)
  connection.run('UPDATE spaces SET space = ?, dimensions = ? WHERE id = ?', canonicalJson(space), dimensions, row.id)
  const use = nextUse(connection)
  let filled = 0
  for (const { hash, vector } of entries) {
    const input = internInput(connection, hash)
    if (!hasVector(connection, row.id, input) && isReferenced(connection, input)) filled++
    connection.run(PUT_VECTOR, row.id, input, vector && vectorBytes(vector))
    connection.run('DELETE FROM failures WHERE space = ? AND input = ?', row.id, input)
    connection.run('UPDATE inputs SET last_used = ? WHERE id = ?', use, input)
  }
  connection.run('UPDATE spaces SET filled = filled + ? WHERE id = ?', filled, row.id)
}

/** Every vector of one length, and finite; looked at before anything is written. Returns the length, null while unknown. */
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

function hasVector(connection: Connection, space: number, input: number): boolean {
  return connection.value<number>('SELECT EXISTS (SELECT 1 FROM vectors WHERE space = ? AND input = ?)', space, input) === 1
}

export function markFailed(
  connection: Connection,
  fingerprint: string,
  failures: readonly { readonly hash: string; readonly reason: string }[],
): void {
  const { id } = internSpace(connection, fingerprint)
  for (const { hash, reason } of failures) {
    const sql = 'INSERT OR REPLACE INTO failures (space, input, reason) VALUES (?, ?, ?)'
    connection.run(sql, id, internInput(connection, hash), reason)
  }
}

export function dropSpace(connection: Connection, fingerprint: string): void {
  const space = findSpace(connection, fingerprint)
  if (!space) return
  connection.run('DELETE FROM vectors WHERE space = ?', space.id)
  connection.run('DELETE FROM failures WHERE space = ?', space.id)
  connection.run('DELETE FROM spaces WHERE id = ?', space.id)
}

const GET_VECTOR = 'SELECT vector FROM vectors WHERE space = ? AND input = (SELECT id FROM inputs WHERE hash = ?)'

export function readVectors(
  connection: Connection,
  fingerprint: string,
  hashes: readonly string[],
): Map<string, Float32Array | null> {
  const found = new Map<string, Float32Array | null>()
  const space = findSpace(connection, fingerprint)
  if (!space) return found
  for (const hash of hashes) {
    const bytes = connection.value<Uint8Array | null>(GET_VECTOR, space.id, hash)
    if (bytes !== undefined) found.set(hash, bytes && vectorFrom(bytes))
  }
  return found
}

const VECTOR_PAGE = 256
const EXPORT = `SELECT i.hash, v.vector FROM inputs i JOIN vectors v ON v.space = ? AND v.input = i.id
  WHERE i.hash > ? ORDER BY i.hash LIMIT ${VECTOR_PAGE}`

/** The next vectors by hash; empty at the end. */
export function vectorPage(connection: Connection, space: number, after: string): VectorEntry[] {
  // A hash cannot be below the empty string, but it could be it: the first page must not leave that one out.
  const sql = after === '' ? EXPORT.replace('i.hash > ?', 'i.hash >= ?') : EXPORT
  const rows = connection.rows<{ hash: string; vector: Uint8Array | null }>(sql, space, after)
  return rows.map(({ hash, vector }) => ({ hash, vector: vector && vectorFrom(vector) }))
}
