import { setImmediate as nextTurn } from 'node:timers/promises'
import { listBlocks, readBlock } from '../vectors/code-blocks.ts'
import type { CodeFrame } from './code-memory.ts'
import { CodeMemory } from './code-memory.ts'
import type { Connection } from '../connection/connection.ts'
import { createScanKernel } from './scan-kernel.ts'
import { byteCodes } from '../codec/vector-codes.ts'
import { readPacked } from '../vectors/vector-rows.ts'

/** Runs work on a snapshot's connection; throws once the snapshot is released. */
export type Read = <T>(work: (connection: Connection) => T) => T

/** The state of a space in one snapshot. */
export interface SpaceState {
  readonly id: number
  readonly dimensions: number
  /** Number of the last change of its blocks. */
  readonly generation: number
  /** Number of vectors in slots. */
  readonly indexed: number
}

/** The blocks of a space after one change. Held until `release`. */
export interface CodeView {
  readonly generation: number
  readonly frames: readonly CodeFrame[]
  release(): void
}

interface SharedFrame extends CodeFrame {
  readonly key: number
  readonly block: number
  uses: number
}

interface SharedView extends CodeView {
  readonly frames: readonly SharedFrame[]
}

/** Blocks read between two yields to the event loop: about a millisecond. */
const BLOCKS_A_TURN = 32
/** Most new vectors in a block that are read with it; more are left to the warming. */
const FEW_NEW = 64
const MOST_BLOCKS = 2 ** 22

/**
 * The codes of one space in memory, shared by all snapshots of a store: each version of a block in use is there once.
 * The newest view stays even if unused.
 */
export class SpaceCodes {
  readonly memory: CodeMemory
  /** Damaged rows, which are left out of answers. */
  readonly damagedVectors: Set<number> = new Set()
  areBlocksDamaged = false
  searches = 0
  readonly #space: number
  readonly #frames = new Map<number, SharedFrame>()
  #newest: SharedView | undefined

  constructor({ id, dimensions }: SpaceState) {
    this.#space = id
    this.memory = new CodeMemory(createScanKernel(), dimensions)
  }

  /** The blocks in the state of the snapshot; null where one of them is damaged or lost. */
  async view(read: Read, state: SpaceState, signal?: AbortSignal): Promise<CodeView | null> {
    if (this.#newest?.generation === state.generation) {
      this.areBlocksDamaged = false
      return this.#hold(state.generation, this.#newest.frames)
    }
    const frames: SharedFrame[] = []
    try {
      const isWhole = await this.#gather(read, frames, signal)
      this.areBlocksDamaged = !isWhole || countVectors(frames) !== state.indexed
      if (this.areBlocksDamaged) return null
      if (state.generation > (this.#newest?.generation ?? -1)) this.#keep(state.generation, frames)
      return this.#hold(state.generation, frames)
    } finally {
      for (const frame of frames) this.#drop(frame)
    }
  }

  /** Whether every block of the view has int8 codes. */
  isWarm({ frames }: CodeView): boolean {
    return frames.every(({ bytes }) => bytes !== null)
  }

  /** Number of vectors in the newest view, and of those with int8 codes. */
  get kept(): { readonly vectors: number; readonly warm: number } {
    const frames = this.#newest?.frames ?? []
    return { vectors: countVectors(frames), warm: countVectors(frames.filter(({ bytes }) => bytes !== null)) }
  }

  /** Reads int8 codes for the next `count` blocks of a view that have none; the connection must be in the state of the view. */
  warm(connection: Connection, view: CodeView, count: number): void {
    for (const frame of view.frames.filter(({ bytes }) => bytes === null).slice(0, count)) {
      const codes = this.#read(
        connection,
        frame.vectors.filter((id) => id > 0),
      )
      this.memory.addBytes(frame, (slot) => codes.get(frame.vectors[slot] ?? 0) ?? null)
    }
  }

  /** Records requested rows that were not found intact. */
  noteDamage(ids: readonly number[], found: readonly { readonly id: number }[]): void {
    const sound = new Set(found.map(({ id }) => id))
    for (const id of ids) if (!sound.has(id)) this.damagedVectors.add(id)
  }

  async #gather(read: Read, frames: SharedFrame[], signal: AbortSignal | undefined): Promise<boolean> {
    const listed = read((connection) => listBlocks(connection, this.#space))
    for (const [index, { block, version }] of listed.entries()) {
      const key = version * MOST_BLOCKS + block
      const frame = this.#frames.get(key) ?? read((connection) => this.#load(connection, block, key))
      if (!frame) return false
      frame.uses++
      frames.push(frame)
      if (index % BLOCKS_A_TURN < BLOCKS_A_TURN - 1) continue
      await nextTurn()
      signal?.throwIfAborted()
    }
    return true
  }

  #load(connection: Connection, block: number, key: number): SharedFrame | null {
    const { dimensions } = this.memory
    const content = readBlock(connection, { space: this.#space, block, dimensions })
    if (!content) return null
    const frame: SharedFrame = { ...this.memory.add(content), key, block, uses: 0 }
    this.#frames.set(key, frame)
    const before = this.#newest?.frames.find((known) => known.block === block)
    if (before?.bytes) this.#warmFrom(connection, frame, before)
    return frame
  }

  /** Reuses the codes of vectors that were in the block before: the number of a row never means another vector. */
  #warmFrom(connection: Connection, frame: SharedFrame, before: SharedFrame): void {
    const places = new Map([...before.vectors].map((id, slot) => [id, slot]))
    const added = frame.vectors.filter((id) => id > 0 && !places.has(id))
    if (added.length > FEW_NEW) return
    const codes = this.#read(connection, added)
    this.memory.addBytes(frame, (slot) => {
      const id = frame.vectors[slot] ?? 0
      const place = places.get(id)
      return place !== undefined && before.bytes ? this.memory.codesOf(before.bytes, place) : (codes.get(id) ?? null)
    })
  }

  #read(connection: Connection, vectors: Uint32Array): ReadonlyMap<number, Int8Array> {
    const ids = [...vectors]
    const rows = readPacked(connection, ids)
    if (rows.length < ids.length) this.noteDamage(ids, rows)
    return new Map(rows.map(({ id, bytes }) => [id, byteCodes(bytes, this.memory.dimensions)]))
  }

  #hold(generation: number, frames: readonly SharedFrame[]): SharedView {
    for (const frame of frames) frame.uses++
    let isHeld = true
    const release = (): void => {
      if (isHeld) for (const frame of frames) this.#drop(frame)
      isHeld = false
    }
    return { generation, frames: [...frames], release }
  }

  #keep(generation: number, frames: readonly SharedFrame[]): void {
    const before = this.#newest
    this.#newest = this.#hold(generation, frames)
    before?.release()
  }

  #drop(frame: SharedFrame): void {
    frame.uses--
    if (frame.uses > 0) return
    this.#frames.delete(frame.key)
    this.memory.remove(frame)
  }
}

function countVectors(frames: readonly CodeFrame[]): number {
  return frames.reduce((sum, { used }) => sum + used, 0)
}
