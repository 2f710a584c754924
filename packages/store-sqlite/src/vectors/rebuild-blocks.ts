import { vectorChecksum } from '../codec/checksum.ts'
import { listBlocks, readBlock, BLOCK_SLOTS, SlotWriter } from './code-blocks.ts'
import type { Connection } from '../connection/connection.ts'
import { hasDirection, signCode, signCodeLength, unpackLevels } from '../codec/vector-codes.ts'

const PAGE = 4 * BLOCK_SLOTS

const IS_REFERENCED = 'EXISTS (SELECT 1 FROM chunk_inputs r WHERE r.input = v.input)'
const TO_PLACE = `SELECT v.id, v.input, v.checksum, v.bytes FROM vectors v
  WHERE v.id > ? AND v.space = ? AND v.bytes IS NOT NULL AND ${IS_REFERENCED} ORDER BY v.id LIMIT ${PAGE}`

interface SpaceToBuild {
  readonly id: number
  readonly dimensions: number
}

function spacesWithVectors(connection: Connection): readonly SpaceToBuild[] {
  return connection.rows('SELECT id, dimensions FROM spaces WHERE dimensions IS NOT NULL')
}

/** Rebuilds the blocks of every space from the rows of its vectors. */
export function rebuildAllBlocks(connection: Connection): void {
  for (const space of spacesWithVectors(connection)) rebuildBlocks(connection, space)
}

function rebuildBlocks(connection: Connection, { id: space, dimensions }: SpaceToBuild): void {
  connection.run('DELETE FROM vector_blocks WHERE space = ?', space)
  connection.run('UPDATE vectors SET slot = NULL WHERE space = ? AND slot IS NOT NULL', space)
  connection.run('UPDATE spaces SET indexed = 0, generation = generation + 1 WHERE id = ?', space)
  const slots = new SlotWriter(connection, space, dimensions)
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows: { id: number; input: number; checksum: number; bytes: Uint8Array }[] = connection.rows(TO_PLACE, after, space)
    for (const row of rows) if (hasDirection(row.bytes) && row.checksum === vectorChecksum(row.input, row.bytes)) slots.place(row)
    slots.save()
    after = rows.at(-1)?.id
  }
}

/** Above this share of free slots the blocks are packed again. */
const SPARSE = 0.5

/** Repacks the blocks of spaces with at least half of their slots free. Call it inside a transaction. */
export function packSparseBlocks(connection: Connection): void {
  for (const space of spacesWithVectors(connection)) {
    const { blocks, used } = connection.row<{ blocks: number; used: number }>(
      'SELECT count(*) AS blocks, coalesce(sum(used), 0) AS used FROM vector_blocks WHERE space = ?',
      space.id,
    ) ?? { blocks: 0, used: 0 }
    if (blocks > 1 && used < SPARSE * blocks * BLOCK_SLOTS) rebuildBlocks(connection, space)
  }
}

const TO_STAND_IN_SLOTS = `SELECT count(*) FROM vectors v WHERE v.space = ? AND substr(v.bytes, 1, 4) <> zeroblob(4) AND ${IS_REFERENCED}`

/** Counts spaces whose blocks are damaged or hold other vectors than they should; blocks without a space count as one. */
export function countWrongBlocks(connection: Connection): number {
  const stray = 'SELECT EXISTS (SELECT 1 FROM vector_blocks WHERE space NOT IN (SELECT id FROM spaces))'
  const wrong = spacesWithVectors(connection).filter((space) => !areBlocksRight(connection, space))
  return wrong.length + (connection.value<number>(stray) ?? 0)
}

function areBlocksRight(connection: Connection, { id: space, dimensions }: SpaceToBuild): boolean {
  let placed = 0
  for (const { block } of listBlocks(connection, space)) {
    const found = countRightSlots(connection, { space, block, dimensions })
    if (found === null) return false
    placed += found
  }
  const indexed = connection.value<number>('SELECT indexed FROM spaces WHERE id = ?', space)
  return placed === indexed && placed === connection.value<number>(TO_STAND_IN_SLOTS, space)
}

function countRightSlots(
  connection: Connection,
  where: { readonly space: number; readonly block: number; readonly dimensions: number },
): number | null {
  const content = readBlock(connection, where)
  if (!content) return null
  const length = signCodeLength(where.dimensions)
  let placed = 0
  for (const [at, id] of content.vectors.entries()) {
    if (id === 0) continue
    const row = connection.row<{ input: number; slot: number | null; bytes: Uint8Array }>(
      'SELECT input, slot, bytes FROM vectors WHERE id = ?',
      id,
    )
    if (row?.slot !== where.block * BLOCK_SLOTS + at || row.input !== content.inputs[at]) return null
    const code = signCode(unpackLevels(row.bytes, where.dimensions))
    if (code.some((byte, index) => byte !== content.codes[at * length + index])) return null
    placed++
  }
  return placed
}
