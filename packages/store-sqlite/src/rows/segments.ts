import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KeywordBlock, KeywordSegment, SmallSegment } from '@mnemark/spec'
import type { Checksum } from '../codec/checksum.ts'
import { assertChecksum, bytesChecksum, damaged } from '../codec/checksum.ts'
import type { Connection } from '../connection/connection.ts'
import { plainBytes } from '../codec/values.ts'

type SegmentState = 'pending' | 'live'

const INSERT_BLOCK = 'INSERT INTO segment_blocks (segment, first_key, bytes, checksum) VALUES (?, ?, ?, ?)'

function insertBlock(connection: Connection, segment: number, { firstKey, bytes }: KeywordBlock): void {
  connection.run(INSERT_BLOCK, segment, firstKey, bytes, bytesChecksum(bytes))
}

/** Visible at once, with its transaction. */
export function insertSegment(connection: Connection, segment: SmallSegment): void {
  const number = addSegment(connection, segment, 'live', segment.blocks.length)
  countSegments(connection, 1)
  const order = new BlockOrder()
  for (const block of segment.blocks) {
    order.check(block.firstKey)
    insertBlock(connection, number, block)
  }
}

/** The number is stored, so that a lost segment is noticed. */
function countSegments(connection: Connection, difference: number): void {
  connection.run("UPDATE counters SET value = value + ? WHERE name = 'segments'", difference)
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
  const sql = 'INSERT INTO segments (name, state, header, block_count, checksum) VALUES (?, ?, ?, ?, ?)'
  return connection.run(sql, id, state, header, blockCount, bytesChecksum(header)).id
}

/**
 * SQLite orders text by UTF-8 bytes, JavaScript does not; the order is checked here because a wrong one would silently
 * lose hits.
 */
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

export interface Merge {
  readonly write: WritePiece
  /** Whether the holder of the lease has been silent for so long that it should write something. */
  readonly isDue: () => boolean
  /** Whether a half-written merge can only be that of a dead process. */
  readonly isPendingGone: boolean
}

/** Writes the segment in invisible pieces, then shows it instead of `drop` in one step; a failure removes the pieces. */
export async function replaceSegments(merge: Merge, drop: readonly string[], put: KeywordSegment): Promise<void> {
  const { write } = merge
  const number = await write((connection) => {
    // The same merge may have died half-way before: its name is free again.
    if (merge.isPendingGone) dropPending(connection)
    return addSegment(connection, put, 'pending', 0)
  })
  try {
    const blockCount = await writeBlocks(merge, number, put.blocks)
    await write((connection) => {
      for (const id of drop) hide(connection, id)
      countSegments(connection, 1 - drop.length)
      connection.run("UPDATE segments SET state = 'live', block_count = ? WHERE id = ?", blockCount, number)
    })
  } catch (error) {
    await removePending(write, number)
    throw error
  }
  await sweepDropped(write)
}

/** The merge is complete: if sweeping fails, upkeep does the rest. */
async function sweepDropped(write: WritePiece): Promise<void> {
  try {
    while (await write(sweepSegments)) await nextTurn()
  } catch {
    // Nothing to report: readers see the merge, and upkeep removes the unused blocks.
  }
}

async function writeBlocks({ write, isDue }: Merge, segment: number, blocks: AsyncIterable<KeywordBlock>): Promise<number> {
  const order = new BlockOrder()
  let count = 0
  let piece: KeywordBlock[] = []
  let size = 0
  const flush = async (): Promise<void> => {
    await write((connection) => {
      for (const block of piece) insertBlock(connection, segment, block)
    })
    piece = []
    size = 0
  }
  for await (const block of blocks) {
    order.check(block.firstKey)
    piece.push(block)
    count++
    size += block.bytes.byteLength
    // Each write is a heartbeat: a merge whose blocks come slowly must not lose its lease.
    if (size >= PIECE_BYTES || isDue()) await flush()
  }
  if (piece.length > 0) await flush()
  return count
}

function hide(connection: Connection, id: string): void {
  const sql = "UPDATE segments SET state = 'dropped', header = x'' WHERE name = ? AND state = 'live'"
  if (connection.run(sql, id).changes === 0) throw new TypeError(`There is no segment ${JSON.stringify(id)} to drop.`)
}

/** The id of a failed merge is free again, since it was never visible. If this fails too, upkeep removes the rest. */
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

/** Removes some blocks of dropped segments. Returns whether any are left. */
export function sweepSegments(connection: Connection): boolean {
  const number = connection.value<number>("SELECT id FROM segments WHERE state = 'dropped' LIMIT 1")
  if (number === undefined) return false
  const slice = `SELECT id FROM segment_blocks WHERE segment = ? LIMIT ${SWEEP_BLOCKS}`
  const { changes } = connection.run(`DELETE FROM segment_blocks WHERE id IN (${slice})`, number)
  if (changes < SWEEP_BLOCKS) connection.run("UPDATE segments SET state = 'gone' WHERE id = ?", number)
  return true
}

/** Drops a half-written merge of a dead process. It was never visible, so its name is free again. */
export function dropPending(connection: Connection): void {
  connection.run("UPDATE segments SET state = 'dropped', header = x'', name = 'died ' || id WHERE state = 'pending'")
}

export function findSegment(connection: Connection, id: string): number {
  const number = connection.value<number>("SELECT id FROM segments WHERE name = ? AND state = 'live'", id)
  if (number === undefined) throw new TypeError(`No segment ${JSON.stringify(id)} in this snapshot.`)
  return number
}

interface SegmentRow {
  readonly id: number
  readonly name: string
  readonly header: Uint8Array
  readonly block_count: number
  readonly checksum: Checksum
}

export function listSegments(connection: Connection): { readonly id: string; readonly header: Uint8Array }[] {
  const rows = connection.rows<SegmentRow>(
    "SELECT id, name, header, block_count, checksum FROM segments WHERE state = 'live' ORDER BY id",
  )
  const kept = connection.value<number>("SELECT value FROM counters WHERE name = 'segments'")
  if (kept !== undefined && kept !== rows.length)
    throw damaged(`it should hold ${kept} keyword segments and holds ${rows.length}`)
  return rows.map((row) => {
    if (!connection.verified.segments.has(row.id)) assertWhole(connection, row)
    return { id: row.name, header: plainBytes(row.header) }
  })
}

/** A lost block would otherwise only look like words that no note has. */
function assertWhole(connection: Connection, { id, name, header, block_count: expected, checksum }: SegmentRow): void {
  assertChecksum(checksum, () => bytesChecksum(header), `the head of keyword segment ${name}`)
  const count = connection.value<number>('SELECT count(*) FROM segment_blocks WHERE segment = ?', id)
  if (count === expected) connection.verified.segments.add(id)
  else throw damaged(`keyword segment ${name} should have ${expected} blocks and has ${count}`)
}

/** One comparison of the whole key, which SQLite runs five times faster than an equal segment and a lower key. */
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

/** Reads keys first and bytes once per block: the terms of a query often share a block. */
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

interface BlockRow {
  readonly bytes: Uint8Array
  readonly checksum: Checksum
}

function toBlock({ first_key: firstKey, bytes, checksum }: BlockRow & { readonly first_key: string }): KeywordBlock {
  assertChecksum(checksum, () => bytesChecksum(bytes), 'a block of the keyword index')
  return { firstKey, bytes: plainBytes(bytes) }
}

function readBlock(connection: Connection, { id, segment, first_key: firstKey }: BlockKey): KeywordBlock {
  const row = connection.row<BlockRow>('SELECT bytes, checksum FROM segment_blocks WHERE id = ?', id)
  if (!row) throw damaged('a block of the keyword index is gone')
  if (connection.verified.blocks.get(id) === segment) return { firstKey, bytes: plainBytes(row.bytes) }
  const block = toBlock({ ...row, first_key: firstKey })
  connection.verified.blocks.set(id, segment)
  return block
}

/** First key of a scan from `key`: that of the block which would hold it. */
export function scanStart(connection: Connection, segment: number, key: string): string {
  return findFloor(connection, segment, key)?.first_key ?? ''
}

/** `isAfter` leaves out `from` itself, the end of the last page. */
export function blockPage(
  connection: Connection,
  segment: number,
  { from, isAfter, limit }: { readonly from: string; readonly isAfter: boolean; readonly limit: number },
): KeywordBlock[] {
  const sql = `SELECT first_key, bytes, checksum FROM segment_blocks WHERE segment = ? AND first_key ${isAfter ? '>' : '>='} ? ORDER BY first_key LIMIT ?`
  return connection.rows<BlockRow & { readonly first_key: string }>(sql, segment, from, limit).map(toBlock)
}
