import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KeywordBlock, KeywordSegment, SmallSegment } from '@mnemark/spec'
import type { Connection } from './connection.ts'
import { plainBytes } from './values.ts'

type SegmentState = 'pending' | 'live'

const INSERT_BLOCK = 'INSERT INTO segment_blocks (segment, first_key, bytes) VALUES (?, ?, ?)'

/** Shown at once, with the transaction it is part of. */
export function insertSegment(connection: Connection, segment: SmallSegment): void {
  const number = addSegment(connection, segment, 'live', segment.blocks.length)
  const order = new BlockOrder()
  for (const { firstKey, bytes } of segment.blocks) {
    order.check(firstKey)
    connection.run(INSERT_BLOCK, number, firstKey, bytes)
  }
}

function addSegment(
  connection: Connection,
  { id, header }: Pick<SmallSegment, 'id' | 'header'>,
  state: SegmentState,
  blockCount: number,
): number {
  if (connection.value<number>('SELECT id FROM segments WHERE name = ?', id) !== undefined) {
    throw new TypeError(`Segment id ${JSON.stringify(id)} was used before; ids are never reused.`)
  }
  const sql = 'INSERT INTO segments (name, state, header, block_count) VALUES (?, ?, ?, ?)'
  return connection.run(sql, id, state, header, blockCount).id
}

/** SQLite orders text by UTF-8 bytes, JavaScript does not; the order is checked here because a wrong one would only lose hits. */
class BlockOrder {
  #last: Buffer | undefined

  check(firstKey: string): void {
    const key = Buffer.from(firstKey)
    if (this.#last && Buffer.compare(this.#last, key) >= 0) {
      throw new TypeError('Blocks must come in the byte order of their first keys; one does not.')
    }
    this.#last = key
  }
}

const PIECE_BYTES = 512 * 1024

/** Runs one write transaction under the lease of the merge. */
export type WritePiece = <T>(work: (connection: Connection) => T) => Promise<T>

/** Writes the segment in pieces nobody sees, then shows it instead of `drop` in one step; a failure takes the pieces back. */
export async function replaceSegments(write: WritePiece, drop: readonly string[], put: KeywordSegment): Promise<void> {
  const number = await write((connection) => addSegment(connection, put, 'pending', 0))
  try {
    const blockCount = await writeBlocks(write, number, put.blocks)
    await write((connection) => {
      for (const id of drop) hide(connection, id)
      connection.run("UPDATE segments SET state = 'live', block_count = ? WHERE id = ?", blockCount, number)
    })
  } catch (error) {
    await removePending(write, number)
    throw error
  }
  await sweepDropped(write)
}

/** The merge stands already: where sweeping fails, upkeep does the rest. */
async function sweepDropped(write: WritePiece): Promise<void> {
  try {
    while (await write(sweepSegments)) await nextTurn()
  } catch {
    // Nothing to report: readers see the merge, and the blocks nobody reads any more wait for upkeep.
  }
}

async function writeBlocks(write: WritePiece, segment: number, blocks: AsyncIterable<KeywordBlock>): Promise<number> {
  const order = new BlockOrder()
  let count = 0
  let piece: KeywordBlock[] = []
  let size = 0
  const flush = async (): Promise<void> => {
    await write((connection) => {
      for (const { firstKey, bytes } of piece) connection.run(INSERT_BLOCK, segment, firstKey, bytes)
    })
    piece = []
    size = 0
  }
  for await (const block of blocks) {
    order.check(block.firstKey)
    piece.push(block)
    count++
    size += block.bytes.byteLength
    if (size >= PIECE_BYTES) await flush()
  }
  if (piece.length > 0) await flush()
  return count
}

function hide(connection: Connection, id: string): void {
  const sql = "UPDATE segments SET state = 'dropped', header = x'' WHERE name = ? AND state = 'live'"
  if (connection.run(sql, id).changes === 0) throw new TypeError(`There is no segment ${JSON.stringify(id)} to drop.`)
}

/** The id of a merge that failed is free again: nobody has seen it. Where this fails too, upkeep takes the rest away. */
async function removePending(write: WritePiece, number: number): Promise<void> {
  try {
    await write((connection) => {
      connection.run('DELETE FROM segment_blocks WHERE segment = ?', number)
      connection.run("DELETE FROM segments WHERE id = ? AND state = 'pending'", number)
    })
  } catch {
    // The first error is the one to report.
  }
}

const SWEEP_BLOCKS = 500

/** Takes away a slice of the blocks of dropped segments. Returns whether something is left. */
export function sweepSegments(connection: Connection): boolean {
  const number = connection.value<number>("SELECT id FROM segments WHERE state = 'dropped' LIMIT 1")
  if (number === undefined) return false
  const slice = `SELECT id FROM segment_blocks WHERE segment = ? LIMIT ${SWEEP_BLOCKS}`
  const { changes } = connection.run(`DELETE FROM segment_blocks WHERE id IN (${slice})`, number)
  if (changes < SWEEP_BLOCKS) connection.run("UPDATE segments SET state = 'gone' WHERE id = ?", number)
  return true
}

/** What a merge that died has left: it goes the way of dropped segments. */
export function dropPending(connection: Connection): void {
  connection.run("UPDATE segments SET state = 'dropped', header = x'' WHERE state = 'pending'")
}

export function findSegment(connection: Connection, id: string): number {
  const number = connection.value<number>("SELECT id FROM segments WHERE name = ? AND state = 'live'", id)
  if (number === undefined) throw new TypeError(`No segment ${JSON.stringify(id)} in this snapshot.`)
  return number
}

export function listSegments(connection: Connection): { readonly id: string; readonly header: Uint8Array }[] {
  const rows = connection.rows<{ id: string; header: Uint8Array }>(
    "SELECT name AS id, header FROM segments WHERE state = 'live' ORDER BY segments.id",
  )
  return rows.map(({ id, header }) => ({ id, header: plainBytes(header) }))
}

/** As one comparison of the whole key, which SQLite runs five times faster than an equal segment and a lower key. */
const FLOOR = `SELECT id, segment, first_key FROM segment_blocks WHERE (segment, first_key) <= (?, ?)
  ORDER BY segment DESC, first_key DESC LIMIT 1`

interface BlockKey {
  readonly id: number
  readonly segment: number
  readonly first_key: string
}

/** The last block whose first key is not above `key`. */
function findFloor(connection: Connection, segment: number, key: string): BlockKey | undefined {
  const floor = connection.row<BlockKey>(FLOOR, segment, key)
  return floor?.segment === segment ? floor : undefined
}

/** Keys first and bytes once per block: the terms of a query often share a block. */
export function findBlocks(connection: Connection, segment: number, keys: readonly string[]): KeywordBlock[] {
  const found = new Map<number, KeywordBlock>()
  const blocks: KeywordBlock[] = []
  for (const key of keys) {
    const floor = findFloor(connection, segment, key)
    if (!floor) continue
    const block = found.get(floor.id) ?? readBlock(connection, floor)
    found.set(floor.id, block)
    blocks.push(block)
  }
  return blocks
}

function readBlock(connection: Connection, { id, first_key: firstKey }: BlockKey): KeywordBlock {
  const bytes = connection.value<Uint8Array>('SELECT bytes FROM segment_blocks WHERE id = ?', id)
  return { firstKey, bytes: plainBytes(bytes ?? new Uint8Array(0)) }
}

/** The first key a scan from `key` starts at: that of the block which would hold it. */
export function scanStart(connection: Connection, segment: number, key: string): string {
  return findFloor(connection, segment, key)?.first_key ?? ''
}

/** `isAfter` leaves out `from` itself: where the last page ended. */
export function blockPage(
  connection: Connection,
  segment: number,
  { from, isAfter, limit }: { readonly from: string; readonly isAfter: boolean; readonly limit: number },
): KeywordBlock[] {
  const sql = `SELECT first_key, bytes FROM segment_blocks WHERE segment = ? AND first_key ${isAfter ? '>' : '>='} ? ORDER BY first_key LIMIT ?`
  const rows = connection.rows<{ first_key: string; bytes: Uint8Array }>(sql, segment, from, limit)
  return rows.map((row) => ({ firstKey: row.first_key, bytes: plainBytes(row.bytes) }))
}
