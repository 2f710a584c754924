import type { Connection } from '../connection/connection.ts'
import { rememberErased } from '../vectors/erased-inputs.ts'
import { isReferenced } from '../vectors/input-references.ts'

export interface Erased {
  readonly vectors: number
  /** Inputs that other chunks still refer to: their vectors stay. */
  readonly shared: readonly string[]
}

/**
 * Removes everything stored of inputs beyond their former chunks: vectors, marks of failure, the hashes. Vectors that
 * another process has requested at this moment are discarded on arrival.
 */
export function eraseInputs(connection: Connection, hashes: readonly string[], nowMs: number): Erased {
  let vectors = 0
  const shared: string[] = []
  const erased: string[] = []
  for (const hash of new Set(hashes)) {
    const input = connection.value<number>('SELECT id FROM inputs WHERE hash = ?', hash)
    if (input !== undefined && isReferenced(connection, input)) {
      shared.push(hash)
      continue
    }
    erased.push(hash)
    if (input === undefined) continue
    vectors += connection.run('DELETE FROM vectors WHERE input = ?', input).changes
    connection.run('DELETE FROM failures WHERE input = ?', input)
    connection.run('DELETE FROM inputs WHERE id = ?', input)
  }
  rememberErased(connection, erased, nowMs)
  return { vectors, shared }
}
