import type { Lease, MemoryStore, VectorSpace } from '@mnemark/spec'
import { fingerprint } from '@mnemark/spec'
import { vectorChecksum } from '../codec/checksum.ts'
import { Connection } from '../connection/connection.ts'
import { SCHEMA_VERSION } from '../file/schema.ts'
import { unpackVector } from '../codec/vector-codes.ts'
import type { VectorEntry } from '../vectors/vectors.ts'

/** Rows read at once while nothing is damaged. */
const PAGE = 500

export interface Rescued {
  readonly vectors: number
  /** Number of rows that could not be read, or were damaged. */
  readonly lost: number
}

interface KnownSpace {
  readonly id: number
  readonly space: VectorSpace
  readonly dimensions: number
}

interface VectorRow {
  readonly space: number
  readonly input: number
  readonly hash: string
  readonly checksum: number | null
  readonly bytes: Uint8Array | null
}

/**
 * Copies the readable vectors of a quarantined index into its successor, so that no text is embedded twice. Damaged
 * ones are left out. Needs a lease of the successor, and renews it. Copies nothing from an index of another version.
 *
 * Never rejects for damage; rejects with StoreError if the successor cannot be written.
 */
export async function rescueVectors(damagedPath: string, store: MemoryStore, lease: Lease): Promise<Rescued> {
  const damaged = openDamaged(damagedPath)
  if (!damaged) return { vectors: 0, lost: 0 }
  try {
    return await copyVectors(damaged, store, lease)
  } finally {
    damaged.close()
  }
}

function openDamaged(path: string): Connection | undefined {
  let connection: Connection | undefined
  try {
    connection = new Connection(path, true)
    if (connection.value<number>('PRAGMA user_version') === SCHEMA_VERSION) return connection
  } catch {
    // Even its head is unreadable.
  }
  connection?.close()
  return undefined
}

async function copyVectors(damaged: Connection, store: MemoryStore, lease: Lease): Promise<Rescued> {
  const spaces = new Map(orNothing(() => readSpaces(damaged)).map((space) => [space.id, space]))
  const last = orNothing(() => damaged.values<number>("SELECT seq FROM sqlite_sequence WHERE name = 'vectors'"))[0] ?? 0
  let [vectors, lost] = [0, 0]
  for (let first = 1; first <= last; first += PAGE) {
    const rows = readRange(damaged, first, first + PAGE - 1)
    lost += rows.lost
    for (const known of spaces.values()) {
      const own = rows.found.filter(({ space }) => space === known.id)
      const entries = own.flatMap((row) => soundEntry(damaged, row, known.dimensions) ?? [])
      lost += own.length - entries.length
      vectors += entries.length
      if (entries.length > 0) await store.putVectors(lease, known.space, entries)
    }
    await lease.renew()
  }
  return { vectors, lost }
}

/** Spaces whose description matches their fingerprint. */
function readSpaces(damaged: Connection): KnownSpace[] {
  const sql = 'SELECT id, fingerprint, space, dimensions FROM spaces WHERE space IS NOT NULL AND dimensions IS NOT NULL'
  return damaged.rows<{ id: number; fingerprint: string; space: string; dimensions: number }>(sql).flatMap((row) => {
    const space = orNothing((): VectorSpace[] => [JSON.parse(row.space)])[0]
    return space && fingerprint(space) === row.fingerprint ? [{ id: row.id, space, dimensions: row.dimensions }] : []
  })
}

const RANGE = `SELECT v.space, v.input, i.hash, v.checksum, v.bytes FROM vectors v CROSS JOIN inputs i ON i.id = v.input
  WHERE v.id BETWEEN ? AND ?`

/** Halves an unreadable range, down to the rows on damaged pages. */
function readRange(
  damaged: Connection,
  first: number,
  last: number,
): { readonly found: readonly VectorRow[]; readonly lost: number } {
  try {
    return { found: damaged.rows<VectorRow>(RANGE, first, last), lost: 0 }
  } catch {
    if (first === last) return { found: [], lost: 1 }
    const middle = Math.floor((first + last) / 2)
    const [left, right] = [readRange(damaged, first, middle), readRange(damaged, middle + 1, last)]
    return { found: [...left.found, ...right.found], lost: left.lost + right.lost }
  }
}

/** Both ways from input to hash must agree: a damaged page could give a vector the text of another. */
function soundEntry(
  damaged: Connection,
  { input, hash, checksum, bytes }: VectorRow,
  dimensions: number,
): VectorEntry | undefined {
  const inputs = orNothing(() => damaged.values<number>('SELECT id FROM inputs WHERE hash = ?', hash))
  if (inputs[0] !== input) return undefined
  if (!bytes) return checksum === null ? { hash, vector: null } : undefined
  return checksum === vectorChecksum(input, bytes) ? { hash, vector: unpackVector(bytes, dimensions) } : undefined
}

/** Damage is expected here: unreadable rows count as absent. */
function orNothing<T>(read: () => T[]): T[] {
  try {
    return read()
  } catch {
    return []
  }
}
