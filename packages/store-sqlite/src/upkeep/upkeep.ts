import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Connection } from '../connection/connection.ts'
import type { Connections } from '../file/connections.ts'
import type { WritePiece } from '../rows/segments.ts'
import { dropPending, sweepSegments } from '../rows/segments.ts'
import { packSparseBlocks } from '../vectors/rebuild-blocks.ts'
import { assertLimit } from '../codec/values.ts'

/** Pages returned per step: about a millisecond for each hundred. */
const VACUUM_PAGES = 500

const UNREFERENCED = 'NOT EXISTS (SELECT 1 FROM chunk_inputs r WHERE r.input = i.id)'

export interface UpkeepOptions {
  readonly maxUnreferencedVectors: number
  /** Whether a half-written merge can only be that of a dead process. */
  readonly isPendingGone: boolean
}

/** Evicts cache over its limit, deletes unreferenced rows, sweeps old segments, and returns the space to the disk. */
export async function maintain(connections: Connections, write: WritePiece, options: UpkeepOptions): Promise<void> {
  assertLimit(options.maxUnreferencedVectors)
  await write((connection) => {
    evictVectors(connection, options.maxUnreferencedVectors)
    forgetInputs(connection)
    packSparseBlocks(connection)
    if (options.isPendingGone) dropPending(connection)
  })
  while (await write(sweepSegments)) await nextTurn()
  await returnSpace(connections, write)
}

/** Keeps the most recently used ones. */
function evictVectors(connection: Connection, max: number): void {
  const kept = `SELECT v.id FROM vectors v JOIN inputs i ON i.id = v.input WHERE ${UNREFERENCED} ORDER BY i.last_used DESC, v.id DESC LIMIT ?`
  connection.run(
    `DELETE FROM vectors WHERE id IN (SELECT v.id FROM vectors v JOIN inputs i ON i.id = v.input WHERE ${UNREFERENCED})
      AND id NOT IN (${kept})`,
    max,
  )
}

function forgetInputs(connection: Connection): void {
  connection.run(`DELETE FROM failures WHERE input IN (SELECT i.id FROM inputs i WHERE ${UNREFERENCED})`)
  connection.run(`DELETE FROM inputs AS i WHERE ${UNREFERENCED} AND i.id NOT IN (SELECT input FROM vectors)`)
}

async function returnSpace(connections: Connections, write: WritePiece): Promise<void> {
  for (;;) {
    const before = await connections.direct(freePages)
    if (before === 0) break
    // Outside our transactions, where the pragma has no effect; asserting the lease between steps is enough.
    await write(() => {})
    await connections.direct((connection) => connection.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`))
    if ((await connections.direct(freePages)) >= before) break
    await nextTurn()
  }
  // Writes the journal into the file and empties it; if a reader prevents it, a later run will.
  await connections.direct((connection) => connection.rows('PRAGMA wal_checkpoint(TRUNCATE)'))
}

function freePages(connection: Connection): number {
  return connection.value<number>('PRAGMA freelist_count') ?? 0
}
