import type { Checksum } from '../codec/checksum.ts'
import { bytesChecksum } from '../codec/checksum.ts'
import type { Connection } from '../connection/connection.ts'
import { signCode, signCodeLength, unpackLevels } from '../codec/vector-codes.ts'

/**
 * Vectors with a direction that chunks refer to have slots, `BLOCK_SLOTS` to a block: the number of the vector's row,
 * that of its input, and its 1-bit code. A new process reads these alone. The slot of a removed vector is free for the
 * next one. A block is written whole, so that one changed note costs its size (14 KB at 384 dimensions, not 56 as with
 * 1,024 slots). Each change of a space has a number; a block has that of its last one, so that number and block
 * identify one content for ever.
 */
export const BLOCK_SLOTS = 256

const SLOT_NUMBER_BYTES = 4

export interface BlockContent {
  /** Row of the vector in each slot; 0 in a free slot. */
  readonly vectors: Uint32Array
  readonly inputs: Uint32Array
  readonly codes: Uint8Array
}

function blockLength(dimensions: number): number {
  return BLOCK_SLOTS * (2 * SLOT_NUMBER_BYTES + signCodeLength(dimensions))
}

/** Views of `bytes`. */
function blockContent(bytes: Uint8Array): BlockContent {
  const numbers = BLOCK_SLOTS * SLOT_NUMBER_BYTES
  return {
    vectors: new Uint32Array(bytes.buffer, bytes.byteOffset, BLOCK_SLOTS),
    inputs: new Uint32Array(bytes.buffer, bytes.byteOffset + numbers, BLOCK_SLOTS),
    codes: bytes.subarray(2 * numbers),
  }
}

/** The blocks of a space, each with the number of its last change. */
export function listBlocks(
  connection: Connection,
  space: number,
): readonly { readonly block: number; readonly version: number }[] {
  return connection.rows('SELECT block, version FROM vector_blocks WHERE space = ? ORDER BY block', space)
}

/** Null where the block is lost or damaged. */
export function readBlock(
  connection: Connection,
  { space, block, dimensions }: { readonly space: number; readonly block: number; readonly dimensions: number },
): BlockContent | null {
  const row = connection.row<{ readonly bytes: Uint8Array; readonly checksum: Checksum }>(
    'SELECT bytes, checksum FROM vector_blocks WHERE space = ? AND block = ?',
    space,
    block,
  )
  if (row?.bytes.length !== blockLength(dimensions) || row.checksum !== bytesChecksum(row.bytes)) return null
  // A copy, since the driver's bytes may be unaligned.
  return blockContent(new Uint8Array(row.bytes))
}

export function countUsed(vectors: Uint32Array): number {
  return vectors.reduce((sum, id) => sum + Number(id > 0), 0)
}

interface OpenBlock {
  readonly bytes: Uint8Array
  readonly content: BlockContent
  used: number
  isChanged: boolean
}

/** Adds vectors to slots and removes them, within one transaction; writes nothing before `save`. */
export class SlotWriter {
  readonly #connection: Connection
  readonly #space: number
  readonly #dimensions: number
  readonly #open = new Map<number, OpenBlock>()
  #indexed = 0

  constructor(connection: Connection, space: number, dimensions: number) {
    this.#connection = connection
    this.#space = space
    this.#dimensions = dimensions
  }

  /** Gives a vector a slot and stores that in its row. */
  place({ id, input, bytes }: { readonly id: number; readonly input: number; readonly bytes: Uint8Array }): void {
    const [block, open] = this.#blockWithRoom()
    const at = open.content.vectors.indexOf(0)
    const code = signCode(unpackLevels(bytes, this.#dimensions))
    open.content.vectors[at] = id
    open.content.inputs[at] = input
    open.content.codes.set(code, at * code.length)
    this.#changed(open, 1)
    this.#connection.run('UPDATE vectors SET slot = ? WHERE id = ?', block * BLOCK_SLOTS + at, id)
  }

  /** Frees a slot and erases its vector from it. The caller updates the row. */
  free(slot: number): void {
    const open = this.#openBlock(Math.floor(slot / BLOCK_SLOTS))
    const at = slot % BLOCK_SLOTS
    if (!open || open.content.vectors[at] === 0) return
    const length = signCodeLength(this.#dimensions)
    open.content.vectors[at] = 0
    open.content.inputs[at] = 0
    open.content.codes.fill(0, at * length, (at + 1) * length)
    this.#changed(open, -1)
  }

  save(): void {
    const changed = [...this.#open].filter(([, { isChanged }]) => isChanged)
    if (changed.length === 0) return
    const version = this.#connection.value<number>(
      'UPDATE spaces SET generation = generation + 1, indexed = indexed + ? WHERE id = ? RETURNING generation',
      this.#indexed,
      this.#space,
    )
    for (const [block, { bytes, used }] of changed) {
      this.#connection.run('DELETE FROM vector_blocks WHERE space = ? AND block = ?', this.#space, block)
      if (used > 0) this.#connection.run(PUT_BLOCK, this.#space, block, version ?? 0, used, bytesChecksum(bytes), bytes)
    }
    this.#open.clear()
    this.#indexed = 0
  }

  #changed(open: OpenBlock, step: 1 | -1): void {
    open.used += step
    open.isChanged = true
    this.#indexed += step
  }

  /** A block that is written in any case comes before another one. */
  #blockWithRoom(): readonly [block: number, open: OpenBlock] {
    for (const entry of this.#open) if (entry[1].used < BLOCK_SLOTS) return entry
    for (const block of this.#connection.values<number>(BLOCKS_WITH_ROOM, this.#space)) {
      const open = this.#openBlock(block)
      if (open && open.used < BLOCK_SLOTS) return [block, open]
    }
    const last = this.#connection.value<number>('SELECT max(block) FROM vector_blocks WHERE space = ?', this.#space) ?? -1
    const block = Math.max(last, ...this.#open.keys()) + 1
    const bytes = new Uint8Array(blockLength(this.#dimensions))
    const open = { bytes, content: blockContent(bytes), used: 0, isChanged: false }
    this.#open.set(block, open)
    return [block, open]
  }

  /** Undefined for a damaged block, which is left for the health check to rebuild. */
  #openBlock(block: number): OpenBlock | undefined {
    const known = this.#open.get(block)
    if (known) return known
    const content = readBlock(this.#connection, { space: this.#space, block, dimensions: this.#dimensions })
    if (!content) return undefined
    const bytes = new Uint8Array(content.vectors.buffer)
    const open = { bytes, content, used: countUsed(content.vectors), isChanged: false }
    this.#open.set(block, open)
    return open
  }
}

const BLOCKS_WITH_ROOM = `SELECT block FROM vector_blocks WHERE space = ? AND used < ${BLOCK_SLOTS} ORDER BY block LIMIT 4`
const PUT_BLOCK = `INSERT INTO vector_blocks (space, block, version, used, checksum, bytes) VALUES (?, ?, ?, ?, ?, ?)`
