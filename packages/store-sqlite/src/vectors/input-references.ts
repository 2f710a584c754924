import type { Connection } from '../connection/connection.ts'
import { hideVectors, showVectors } from './shown-vectors.ts'

const IS_REFERENCED = 'SELECT EXISTS (SELECT 1 FROM chunk_inputs WHERE input = ?)'

export function isReferenced(connection: Connection, input: number): boolean {
  return connection.value<number>(IS_REFERENCED, input) === 1
}

/** The number of an input, assigned when its hash is new. */
export function internInput(connection: Connection, hash: string): number {
  const known = connection.value<number>('SELECT id FROM inputs WHERE hash = ?', hash)
  return known ?? connection.run('INSERT INTO inputs (hash, last_used) VALUES (?, 0)', hash).id
}

/** A number above all earlier ones, for the order in which inputs were last used. */
export function nextUse(connection: Connection): number {
  return connection.value<number>("UPDATE counters SET value = value + 1 WHERE name = 'uses' RETURNING value") ?? 0
}

/**
 * Tracks which inputs chunks refer to during one change set. Counts for every search (inputs in all, and filled ones in
 * each space) are stored and updated by the changes, since counting 100,000 rows takes too long.
 */
export class InputReferences {
  readonly #connection: Connection
  readonly #wasReferenced = new Map<number, boolean>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  add(chunk: number, hashes: readonly string[]): void {
    for (const [position, hash] of hashes.entries()) {
      const input = internInput(this.#connection, hash)
      this.#note(input)
      this.#connection.run('INSERT INTO chunk_inputs (chunk, position, input) VALUES (?, ?, ?)', chunk, position, input)
    }
  }

  remove(chunk: number): void {
    const inputs = this.#connection.values<number>('SELECT input FROM chunk_inputs WHERE chunk = ?', chunk)
    if (inputs.length === 0) return
    for (const input of inputs) this.#note(input)
    this.#connection.run('DELETE FROM chunk_inputs WHERE chunk = ?', chunk)
  }

  /**
   * Updates the counts, adds vectors to the scan and removes them, and stamps inputs without chunks, which are cache
   * entries from now on.
   */
  settle(): void {
    const gained: number[] = []
    const lost: number[] = []
    for (const [input, was] of this.#wasReferenced) {
      const is = isReferenced(this.#connection, input)
      if (is !== was) (is ? gained : lost).push(input)
    }
    this.#count(lost, -1)
    this.#count(gained, 1)
    if (lost.length === 0) return
    const use = nextUse(this.#connection)
    for (const input of lost) this.#connection.run('UPDATE inputs SET last_used = ? WHERE id = ?', use, input)
  }

  #note(input: number): void {
    if (!this.#wasReferenced.has(input)) this.#wasReferenced.set(input, isReferenced(this.#connection, input))
  }

  #count(inputs: readonly number[], step: 1 | -1): void {
    if (inputs.length === 0) return
    const sql = "UPDATE counters SET value = value + ? WHERE name = 'referenced inputs'"
    this.#connection.run(sql, step * inputs.length)
    for (const space of this.#connection.rows<{ id: number; dimensions: number | null }>('SELECT id, dimensions FROM spaces')) {
      const filled = (step === 1 ? showVectors : hideVectors)(this.#connection, space, inputs)
      if (filled > 0) this.#connection.run('UPDATE spaces SET filled = filled + ? WHERE id = ?', step * filled, space.id)
    }
  }
}
